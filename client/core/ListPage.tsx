import { type ComponentProps, type ReactNode, useId } from 'react';
import { Button } from '../ui/Button.tsx';
import { cx } from '../ui/cx.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import { StaleNotice } from '../ui/StaleNotice.tsx';
import { TabPanel, Tabs } from '../ui/Tabs.tsx';
import { Pending } from './Pending.tsx';
import type { Failure } from './resource.ts';

interface ListPageProps extends ComponentProps<typeof PageHeader> {
  /** The list, as its resource answers. */
  list: {
    data: unknown;
    cursor: string | null;
    status: string;
    failure: Failure | null;
    refresh: () => void;
    grow: () => void;
  };
  /** Its name after “Couldn’t load”: 'the contacts'. */
  what: string;
  /** Tabs that stay in view. A list with tabs loads more as it scrolls; one without has a button. */
  tabs?: Omit<ComponentProps<typeof Tabs>, 'panelId'>;
  filters?: ReactNode;
  /** The line below the title; a space until it is known. */
  summary: ReactNode;
  /** In place of the rows when there are none. */
  empty: ReactNode;
  /** The rows, or placeholders in their size until the list is read. */
  children: ReactNode;
}

/** A page of rows with its title, tabs, filters and, where they matter, the reasons why no rows are shown. */
export function ListPage({ list, what, tabs, filters, summary, empty, ...page }: ListPageProps) {
  const { children, ...header } = page;
  const { data, failure, refresh } = list;
  const panelId = useId();
  const isFailed = data === null && failure !== null;
  const rows = isFailed ? <Pending of={list} what={what} /> : empty || children;
  const stale = data !== null && failure && (
    <StaleNotice onRetry={refresh} className="my-2 rounded-card">
      {`This list may be out of date: ${failure.message}`}
    </StaleNotice>
  );
  return (
    <>
      <PageHeader {...header}>{summary}</PageHeader>
      <div
        data-bar={tabs && ''}
        className={cx(
          'peer px-4 pt-4 max-sm:pt-2 sm:px-9',
          tabs &&
            'z-20 bg-paper [@media(min-height:30rem)]:sticky [@media(min-height:30rem)]:top-0',
        )}
      >
        <div className="contents print:hidden">
          {tabs && <Tabs {...tabs} panelId={panelId} />}
          {filters}
        </div>
        {stale}
      </div>
      {tabs ? (
        <TabPanel id={panelId} value={tabs.value} className="px-4 pb-9 sm:px-9">
          {rows}
        </TabPanel>
      ) : (
        // Hidden until the content above it has loaded, so that nothing shifts.
        <div className="flow-root px-4 pb-9 sm:px-9 peer-has-data-waiting:hidden">
          {rows}
          {list.cursor !== null && (
            <Button className="mt-5" busy={list.status === 'growing'} onClick={list.grow}>
              Show more
            </Button>
          )}
        </div>
      )}
    </>
  );
}
