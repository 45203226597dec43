import type { MailSummary } from '@matterdesk/contract/mails.ts';
import { useMemo } from 'react';
import { keyOf } from '../../../core/entries.ts';
import { useRows } from '../../../ui/use-rows.ts';
import { useNow } from './use-now.ts';
import { MailRow, MailRowSkeleton, ROW_HEIGHT } from './MailRow.tsx';
import type { ShownList } from './use-mail-list.ts';

/** Placeholder rows before the first page. */
const PLACEHOLDERS = 8;
const NONE: readonly MailSummary[] = [];

interface MailRowsProps {
  list: ShownList;
  label: string;
  open: string | null;
  /** The draft being fetched. */
  opening: string | null;
  onOpen: (id: string) => void;
  /** Opens a neighbor of the open mail. */
  onStep: (id: string) => void;
  /** Loads the list up to a row. */
  reach: (index: number) => void;
}

/** The visible rows of a list of any length. */
export function MailRows(props: MailRowsProps) {
  const { list, label, open, opening, onOpen, onStep, reach } = props;
  const now = useNow();
  const { query, data, hasMore } = list;
  const mails = data?.mails ?? NONE;
  const ids = useMemo(() => mails.map(({ id }) => id), [mails]);
  const { items, tabStop, rowsProps } = useRows<HTMLUListElement>({
    list: data ? keyOf(query) : '',
    ids,
    count: data ? ids.length + (hasMore ? 2 : 0) : PLACEHOLDERS,
    rowHeight: ROW_HEIGHT,
    open,
    onOpen: onStep,
    isPageWide: true,
    onReach: reach,
  });
  return (
    <ul {...rowsProps} aria-label={label} aria-busy={!data || undefined} className="relative">
      {items.map(({ index, offset }) => {
        const mail = mails[index];
        if (!mail) return <MailRowSkeleton key={`soon ${index}`} offset={offset} />;
        const { id } = mail;
        return (
          <MailRow
            key={id}
            mail={mail}
            query={query}
            index={index}
            count={hasMore ? -1 : ids.length}
            offset={offset}
            isOpen={id === open}
            isOpening={id === opening}
            isStop={index === tabStop}
            now={now}
            onOpen={onOpen}
          />
        );
      })}
    </ul>
  );
}
