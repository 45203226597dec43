import type { ReactNode } from 'react';

interface PageHeaderProps {
  title: string;
  /** The title of the browser tab, if it differs from the page's. */
  tab?: string;
  /** Breadcrumbs above the title. */
  trail?: ReactNode;
  /** A summary line under the title. */
  children?: ReactNode;
  /** Buttons on the right. */
  actions?: ReactNode;
}

/** On a phone, buttons with an icon show it alone, beside the title. */
const ACTIONS =
  'flex flex-wrap items-center gap-2 print:hidden max-sm:[&_[data-label]]:sr-only max-sm:[&_:has(>[data-label])]:gap-0';

/** The header of a page, which also sets the title of the browser tab. */
export function PageHeader({ title, tab = title, trail, children, actions }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 px-4 pt-5 max-sm:items-center max-sm:gap-x-2 max-sm:gap-y-1 max-sm:pt-3 sm:px-9 sm:pt-7">
      <title>{`${tab} · Matterdesk`}</title>
      <div className="min-w-0 max-sm:contents">
        {trail !== undefined && <div className="text-xs text-ink-3 max-sm:w-full">{trail}</div>}
        <h1 className="font-serif text-title font-strong wrap-anywhere max-sm:mr-auto max-sm:text-2xl">
          {title}
        </h1>
        {children !== undefined && (
          <div className="mt-1 text-ink-2 max-sm:order-last max-sm:mt-0 max-sm:w-full">
            {children}
          </div>
        )}
      </div>
      {actions !== undefined && <div className={ACTIONS}>{actions}</div>}
    </header>
  );
}
