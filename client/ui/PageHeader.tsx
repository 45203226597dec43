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

/** The header of a page, which also sets the title of the browser tab. */
export function PageHeader({ title, tab = title, trail, children, actions }: PageHeaderProps) {
  return (
    <header className="page-header flex flex-wrap items-end justify-between gap-x-6 gap-y-3 px-4 pt-5 sm:px-9 sm:pt-7">
      <title>{`${tab} · Matterdesk`}</title>
      <div className="min-w-0">
        {trail !== undefined && <div className="text-xs text-ink-3">{trail}</div>}
        <h1 className="font-serif text-title font-strong wrap-anywhere">{title}</h1>
        {children !== undefined && <div className="page-summary mt-1 text-ink-2">{children}</div>}
      </div>
      {actions !== undefined && (
        <div className="page-actions flex flex-wrap items-center gap-2 print:hidden">{actions}</div>
      )}
    </header>
  );
}
