import type { LucideIcon } from 'lucide-react';
import Check from 'lucide-react/icons/check';
import {
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useId,
  useState,
} from 'react';
import { type ButtonSize, type ButtonVariant, Button, IconButton } from './Button.tsx';
import { cx } from './cx.ts';
import { Popup, useAnchorName } from './Popup.tsx';

type Item = { label: string; icon?: LucideIcon };

export type MenuEntry =
  | 'line'
  /** Opens in a tab of its own. */
  | (Item & { href: string })
  | (Item & {
      tone?: 'plain' | 'red';
      /** The current entry: it has a check mark and cannot be chosen. */
      current?: boolean;
      disabled?: boolean;
      onSelect: () => void;
    });

interface MenuProps {
  id: string;
  label: string;
  heading?: string | undefined;
  entries: readonly MenuEntry[];
  anchor: RefObject<HTMLElement | null>;
  anchorName: string;
  startAt: 'first' | 'last';
  onClose: () => void;
}

/** The open menu of a MenuButton: arrows, Home, End and first letters move, Escape and Tab close it. */
export function Menu(props: MenuProps) {
  const { id, label, heading, entries, anchor, anchorName, startAt, onClose } = props;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const items = itemsOf(list.current);
    items.at(startAt === 'first' ? 0 : -1)?.focus();
  }, [startAt]);
  const closeToAnchor = () => {
    anchor.current?.focus();
    onClose();
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    // Keys meant for the menu must not trigger the page's own shortcuts.
    event.stopPropagation();
    if (event.key === 'Tab') closeToAnchor();
    else if (moveFocus(itemsOf(list.current), event.key)) event.preventDefault();
  };
  return (
    <Popup
      anchor={anchor}
      anchorName={anchorName}
      onDismiss={(reason) => (reason === 'escape' ? closeToAnchor() : onClose())}
      onKeyDown={handleKeyDown}
      className="min-w-44 max-w-80 py-1"
    >
      {heading !== undefined && (
        <p aria-hidden="true" className="px-3 pt-1.5 pb-1 text-xs text-ink-3">
          {heading}
        </p>
      )}
      <div ref={list} id={id} role="menu" aria-label={label}>
        {entries.map((entry, index) =>
          entry === 'line' ? (
            // oxlint-disable-next-line react/no-array-index-key -- a line has no name
            <hr key={index} className="my-1 border-line" />
          ) : 'href' in entry ? (
            <a
              key={entry.href}
              role="menuitem"
              tabIndex={-1}
              href={entry.href}
              target="_blank"
              rel="noopener"
              onPointerMove={(event) => event.currentTarget.focus()}
              onClick={closeToAnchor}
              className={ITEM_CLASS}
            >
              <ItemText {...entry} />
            </a>
          ) : (
            <button
              key={entry.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              aria-current={entry.current === true || undefined}
              aria-disabled={entry.disabled === true || entry.current === true || undefined}
              onPointerMove={(event) => event.currentTarget.focus()}
              onClick={() => {
                if (entry.disabled === true || entry.current === true) return;
                closeToAnchor();
                entry.onSelect();
              }}
              className={cx(ITEM_CLASS, entry.tone === 'red' && 'text-red focus:bg-red-soft')}
            >
              <ItemText {...entry} />
              {entry.current === true && <Check />}
            </button>
          ),
        )}
      </div>
    </Popup>
  );
}

const ITEM_CLASS =
  'mx-1 flex min-h-8 w-[calc(100%-0.5rem)] items-center gap-2.5 rounded-small px-2 text-left outline-none focus:bg-hover aria-disabled:text-ink-3 pointer-coarse:min-h-11';

function ItemText({ label, icon: Icon }: Item) {
  return (
    <>
      {Icon !== undefined && <Icon />}
      <span className="min-w-0 grow wrap-anywhere">{label}</span>
    </>
  );
}

function itemsOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
}

/** @returns false if the key does not move the focus in a menu */
function moveFocus(items: readonly HTMLElement[], key: string): boolean {
  const at = items.findIndex((item) => item === document.activeElement);
  const next =
    key === 'ArrowDown'
      ? (items[at + 1] ?? items[0])
      : key === 'ArrowUp'
        ? (items[at - 1] ?? items.at(-1))
        : key === 'Home'
          ? items[0]
          : key === 'End'
            ? items.at(-1)
            : itemStartingWith(items, at, key);
  next?.focus();
  return next !== undefined;
}

function itemStartingWith(items: readonly HTMLElement[], at: number, key: string) {
  if (key.length !== 1 || key === ' ') return undefined;
  const afterThenBefore = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  return afterThenBefore.find((item) =>
    item.textContent.trim().toLocaleLowerCase().startsWith(key.toLocaleLowerCase()),
  );
}

interface MenuButtonProps {
  label: string;
  icon: LucideIcon;
  /** Shown instead of the label, which stays the name. */
  text?: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
  heading?: string;
  entries: readonly MenuEntry[];
  tabIndex?: number;
  className?: string;
}

/** A button that opens a menu, which is rendered only while open, so that each card can afford a menu. */
export function MenuButton({
  label,
  icon,
  text,
  variant,
  size,
  heading,
  entries,
  tabIndex,
  className,
}: MenuButtonProps) {
  const [opened, setOpened] = useState<'first' | 'last' | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const anchorName = useAnchorName();
  const menuId = useId();
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    event.stopPropagation();
    setOpened(event.key === 'ArrowDown' ? 'first' : 'last');
  };
  const shared = {
    ref: button,
    icon,
    variant: variant ?? 'default',
    size: size ?? 'medium',
    'aria-haspopup': 'menu',
    'aria-expanded': opened !== null,
    'aria-controls': opened === null ? undefined : menuId,
    style: { anchorName },
    tabIndex,
    onClick: () => setOpened(opened === null ? 'first' : null),
    onKeyDown: handleKeyDown,
    className: className ?? '',
  } as const;
  return (
    <>
      {text !== undefined ? (
        <Button {...shared} aria-label={label}>
          {text}
        </Button>
      ) : (
        <IconButton {...shared} label={label} />
      )}
      {opened !== null && (
        <Menu
          id={menuId}
          label={heading ?? label}
          heading={heading}
          entries={entries}
          anchor={button}
          anchorName={anchorName}
          startAt={opened}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}
