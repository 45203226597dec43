import Paperclip from 'lucide-react/icons/paperclip';
import type { MailSummary } from '@matterdesk/contract/mails.ts';
import { memo } from 'react';
import { Link } from 'react-router';
import { cx } from '../../../ui/cx.ts';
import { Spinner } from '../../../ui/Spinner.tsx';
import { dayInList, nameOf, subjectOf } from '../rules.ts';
import type { ListQuery } from '../slice.ts';
import { addressOf } from './use-mailbox-address.ts';

/** Pixels. */
export const ROW_HEIGHT = 78;

interface MailRowProps {
  mail: MailSummary;
  query: ListQuery;
  /** Zero-based index in the list. */
  index: number;
  count: number;
  /** Pixels below the list's top. */
  offset: number;
  isOpen: boolean;
  isOpening: boolean;
  /** Whether the Tab key stops here. */
  isStop: boolean;
  now: Date;
  onOpen: (id: string) => void;
}

/** A mail in the list: sender or recipient, date, subject and first words. */
export const MailRow = memo(function MailRow(props: MailRowProps) {
  const { mail, query, index, count, offset, isOpen, isOpening, isStop, now, onOpen } = props;
  const { id } = mail;
  const isFromOthers = query.section === 'inbox';
  const person = nameOf(isFromOthers ? mail.from : mail.to);
  return (
    <li
      data-row={id}
      aria-setsize={count}
      aria-posinset={index + 1}
      className="absolute inset-x-0 top-0 border-b border-line"
      style={{ height: ROW_HEIGHT, transform: `translateY(${offset}px)` }}
    >
      <Link
        to={addressOf({ ...query, mail: id })}
        tabIndex={isStop ? 0 : -1}
        aria-current={isOpen || undefined}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onOpen(id);
        }}
        className={cx(
          'flex h-full flex-col justify-center px-4 -outline-offset-2 [&_bdi]:text-left',
          isOpen ? 'bg-accent-soft' : 'hover:bg-hover',
        )}
      >
        <span className="flex items-baseline gap-2">
          {mail.unread && (
            <span className="size-2 flex-none self-center rounded-full bg-accent">
              <span className="sr-only">Unread, </span>
            </span>
          )}
          <bdi className={cx('min-w-0 grow truncate', mail.unread ? 'font-semibold' : 'font-book')}>
            {!isFromOthers && <span className="sr-only">To </span>}
            {person}
          </bdi>
          {mail.hasAttachments && (
            <span className="flex-none self-center text-ink-3">
              <Paperclip className="size-3.5" />
              <span className="sr-only">with attachment</span>
            </span>
          )}
          {isOpening ? (
            <Spinner />
          ) : (
            <time dateTime={mail.date} className="flex-none text-xs text-ink-2 tabular-nums">
              {dayInList(mail.date, now)}
            </time>
          )}
        </span>
        <bdi className={cx('truncate text-sm', mail.unread && 'font-medium')}>
          {subjectOf(mail.subject)}
        </bdi>
        <bdi className="truncate text-sm text-ink-2">{mail.snippet || '\u00A0'}</bdi>
      </Link>
    </li>
  );
});

/** The placeholder of a row that is loading. */
export function MailRowSkeleton({ offset }: { offset: number }) {
  return (
    <li
      aria-hidden="true"
      className="absolute inset-x-0 top-0 flex animate-delayed flex-col justify-center gap-2 border-b border-line px-4"
      style={{ height: ROW_HEIGHT, transform: `translateY(${offset}px)` }}
    >
      <span className="h-3 w-2/5 rounded-[4px] bg-line" />
      <span className="h-2.5 w-3/5 rounded-[4px] bg-line" />
      <span className="h-2.5 w-4/5 rounded-[4px] bg-line" />
    </li>
  );
}
