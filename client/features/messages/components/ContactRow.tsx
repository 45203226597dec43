import type { Conversation } from '@matterdesk/contract/messages.ts';
import { memo } from 'react';
import { Avatar } from '../../../ui/Avatar.tsx';
import { cx } from '../../../ui/cx.ts';
import { hasFailed, markOf, nameOf, statusInWords, whenInList } from '../rules.ts';

interface ContactRowProps {
  id: string;
  contact: Conversation;
  draft: string | undefined;
  own: string;
  today: string;
  /** Pixels from the top of the list. */
  top: number;
  /** Counted from 1. */
  position: number;
  count: number;
  isChosen: boolean;
  /** Whether the keyboard is on this row. */
  isActive: boolean;
  onOpen: (number: string) => void;
}

/** A contact with the latest message, its time and the unread count. */
export const ContactRow = memo(function ContactRow({
  contact,
  isChosen,
  isActive,
  ...props
}: ContactRowProps) {
  const { phoneNumber, unread, lastMessage } = contact;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list has the focus and handles the keys
    <div
      id={props.id}
      role="option"
      aria-selected={isChosen}
      aria-posinset={props.position}
      aria-setsize={props.count}
      onClick={() => props.onOpen(phoneNumber)}
      className={cx(
        'absolute inset-x-0 flex h-15 cursor-pointer items-center gap-3 px-4',
        isChosen ? 'bg-accent-soft' : 'hover:bg-hover',
        isActive &&
          'group-focus-visible/list:outline-2 group-focus-visible/list:-outline-offset-2 group-focus-visible/list:outline-accent',
      )}
      style={{ top: props.top }}
    >
      <Avatar name={contact.name ?? markOf(phoneNumber)} />
      <div className="min-w-0 grow">
        <div className="flex items-baseline gap-2">
          <span className={cx('truncate', unread > 0 ? 'font-semibold' : 'font-medium')}>
            {nameOf(contact)}
          </span>
          {lastMessage && (
            <time
              dateTime={lastMessage.dateSent}
              className="ml-auto flex-none text-xs text-ink-2 tabular-nums"
            >
              {whenInList(lastMessage.dateSent, props.today)}
            </time>
          )}
        </div>
        <div className="flex h-[18px] items-center gap-2">
          <Preview contact={contact} draft={isChosen ? undefined : props.draft} own={props.own} />
          {unread > 0 && (
            <span
              key={unread}
              className="ml-auto flex-none animate-appear rounded-[5px] bg-accent-soft px-1.5 text-xs/[18px] font-semibold text-accent-ink tabular-nums"
            >
              {unread.toLocaleString('en-US')}
              <span className="sr-only"> unread</span>
            </span>
          )}
        </div>
      </div>
    </div>
  );
});

type PreviewProps = Pick<ContactRowProps, 'contact' | 'draft' | 'own'>;

function Preview({ contact: { lastMessage, unread }, draft, own }: PreviewProps) {
  const style = cx('truncate text-sm', unread > 0 ? 'text-ink' : 'text-ink-2');
  if (draft !== undefined)
    return (
      <span className={style}>
        <span className="text-amber">Draft:</span> {draft}
      </span>
    );
  if (!lastMessage) return <span className="truncate text-sm text-ink-3">No messages yet</span>;
  if (hasFailed(lastMessage))
    return (
      <span className={style}>
        <span className="text-red">{`${statusInWords(lastMessage.status)}:`}</span>{' '}
        {lastMessage.body}
      </span>
    );
  const words = lastMessage.body || (lastMessage.media.length > 0 ? 'Attachment' : '');
  return <span className={style}>{lastMessage.from === own ? `You: ${words}` : words}</span>;
}
