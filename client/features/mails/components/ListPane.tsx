import type { RefObject } from 'react';
import { cx } from '../../../ui/cx.ts';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { useSearchText } from '../../../ui/use-search-text.ts';
import { StaleNotice } from '../../../ui/StaleNotice.tsx';
import { MailboxMenu } from './MailboxMenu.tsx';
import { MailListState } from './MailListState.tsx';
import { MailRows } from './MailRows.tsx';
import { sectionNames } from './MailSections.tsx';
import type { ShownList } from './use-mail-list.ts';
import { MAX_SEARCH } from './use-mailbox-address.ts';

interface ListPaneProps {
  list: ShownList;
  /** The open mail, and the draft being fetched. */
  open: string | null;
  opening: string | null;
  /** The element around the search box. */
  search: RefObject<HTMLDivElement | null>;
  reach: (index: number) => void;
  onFind: (search: string) => void;
  onOpen: (id: string) => void;
  onStep: (id: string) => void;
  onRefresh: () => void;
  onCompose: () => void;
}

/** The search box above the mails of a section. */
export function ListPane(props: ListPaneProps) {
  const { list, open, opening, search, reach, onFind, onOpen, onStep, onRefresh, onCompose } =
    props;
  const { query, data, failure } = list;
  const [text, setText] = useSearchText(query.search, onFind);
  const isEmpty = data ? data.mails.length === 0 && !data.isKept : failure !== null;
  return (
    <section
      aria-label={sectionNames[query.section]}
      className={cx(
        // With reduced motion, transitions still take a millisecond, during which the focus could not be restored.
        'flex min-h-0 min-w-0 flex-col transition-none **:transition-none @2xl:border-r @2xl:border-line',
        // Behind an open mail, the list keeps its size and so its scroll position.
        open !== null && '@max-2xl:invisible',
      )}
    >
      <div ref={search} className="flex gap-1 border-b border-line px-4 py-3 @5xl:pt-5">
        <SearchInput
          value={text}
          onChange={setText}
          placeholder="Search mail"
          maxLength={MAX_SEARCH}
          aria-keyshortcuts="/"
          className="min-w-0 grow"
        />
        <MailboxMenu onRefresh={onRefresh} />
      </div>
      {data && failure !== null && (
        <StaleNotice onRetry={onRefresh} className="border-b border-line">
          {failure}
        </StaleNotice>
      )}
      <div data-scroller className="min-h-0 grow overflow-y-auto overscroll-contain">
        {isEmpty ? (
          <MailListState
            list={list}
            onRetry={onRefresh}
            onClear={() => setText('')}
            onCompose={onCompose}
          />
        ) : (
          <MailRows
            list={list}
            label="Mails"
            open={open}
            opening={opening}
            onOpen={onOpen}
            onStep={onStep}
            reach={reach}
          />
        )}
      </div>
    </section>
  );
}
