import type { KeyboardEvent, ReactNode } from 'react';

export interface Tab {
  value: string;
  label: string;
  /** Shown after the label, already formatted. */
  count?: string | undefined;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  value: string;
  onChange: (value: string) => void;
  /** The id of the TabPanel that the tabs switch. */
  panelId: string;
  /** Shown at the right end of the row. */
  aside?: ReactNode;
}

/** A row of tabs; arrow keys move the focus and select the tab at once. */
export function Tabs({ label, tabs, value, onChange, panelId, aside }: TabsProps) {
  const handleKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = tabs[targetOf(event.key, at, tabs.length)];
    if (next === undefined) return;
    event.preventDefault();
    onChange(next.value);
    document.getElementById(tabId(panelId, next.value))?.focus();
  };
  return (
    <div className="flex flex-wrap-reverse items-start justify-between gap-x-6 gap-y-3 border-b border-line max-sm:gap-y-2">
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the tabs hold the focus */}
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={handleKeyDown}
        className="relative z-20 flex gap-5 max-sm:flex-wrap max-sm:gap-x-2.5"
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            id={tabId(panelId, tab.value)}
            type="button"
            role="tab"
            aria-selected={tab.value === value}
            aria-controls={panelId}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            className="-mb-px border-b-2 border-transparent px-px pb-[9px] font-medium text-ink-2 transition-colors hover:text-ink aria-selected:border-accent aria-selected:text-ink pointer-coarse:min-h-11"
          >
            <span>{tab.label}</span>
            {/* Not part of the tab's accessible name, since its panel says the count. */}
            {tab.count !== undefined && (
              <span aria-hidden className="ml-1.5 font-normal max-sm:ml-1 text-ink-3 tabular-nums">
                {tab.count}
              </span>
            )}
          </button>
        ))}
      </div>
      {aside !== undefined && <div className="pb-1 max-sm:w-full">{aside}</div>}
    </div>
  );
}

/** The content of the selected tab. */
export function TabPanel(props: {
  id: string;
  value: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div
      id={props.id}
      role="tabpanel"
      aria-labelledby={tabId(props.id, props.value)}
      className={props.className}
    >
      {props.children}
    </div>
  );
}

function tabId(panelId: string, value: string): string {
  return `${panelId}-tab-${value}`;
}

function targetOf(key: string, at: number, length: number): number {
  if (key === 'ArrowRight') return (at + 1) % length;
  if (key === 'ArrowLeft') return (at + length - 1) % length;
  if (key === 'Home') return 0;
  return key === 'End' ? length - 1 : -1;
}
