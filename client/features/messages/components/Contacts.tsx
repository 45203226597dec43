import MessageCircle from 'lucide-react/icons/message-circle';
import Plus from 'lucide-react/icons/plus';
import SearchX from 'lucide-react/icons/search-x';
import { type ReactNode, useMemo, useState, useCallback, useId, memo } from 'react';
import type { Conversation } from '@matterdesk/contract/messages.ts';
import { useAppSelector } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { formatCount, whenInList } from '../../../core/words.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ClearSearch } from '../../../ui/ClearSearch.tsx';
import { cx } from '../../../ui/cx.ts';
import { useToday } from '../../../ui/days.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useListBox } from '../../../ui/use-list-box.ts';
import { matchingContacts, nameOf, hasFailed, markOf, statusInWords } from '../rules.ts';
import { conversationList, ALL } from '../slice.ts';

interface ContactsProps {
  contacts: readonly Conversation[];
  own: string;
  chosen: string | null;
  onOpen: (number: string) => void;
  onAdd: () => void;
  /** The page heading, and the user's number. */
  children: ReactNode;
}

/** The searchable list of contacts. */
export function Contacts({ contacts, own, chosen, onOpen, onAdd, children }: ContactsProps) {
  const drafts = useAppSelector((state) => state.messages.drafts);
  const { data, failure, refresh } = useResource(conversationList, ALL);
  const [search, setSearch] = useState('');
  const found = useMemo(() => matchingContacts(contacts, search), [contacts, search]);
  return (
    <>
      <div className="flex flex-col gap-2.5 px-4 pt-5 pb-3 sm:pt-6">
        {children}
        <Button icon={Plus} onClick={onAdd} className="w-full [&>span]:mx-auto">
          Add New Contact
        </Button>
        {contacts.length > 0 && (
          <SearchInput value={search} onChange={setSearch} placeholder="Search contacts" />
        )}
      </div>
      {contacts.length === 0 && !data && failure ? (
        <ErrorState title="Couldn’t load the contacts" onRetry={refresh} />
      ) : contacts.length === 0 && !data ? (
        <Loading />
      ) : contacts.length === 0 ? (
        <EmptyState icon={MessageCircle} title="No contacts yet">
          Add a client’s number. Their texts to your number appear here.
        </EmptyState>
      ) : found.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title="No contacts match"
          action={<ClearSearch onClear={() => setSearch('')} />}
        >
          No name, number or last message matches “{search.trim()}”.
        </EmptyState>
      ) : (
        <ContactList contacts={found} drafts={drafts} own={own} chosen={chosen} onOpen={onOpen} />
      )}
    </>
  );
}

function Loading() {
  return (
    <div aria-busy="true">
      <span className="sr-only">Loading the contacts</span>
      {['w-28', 'w-36', 'w-24', 'w-32', 'w-20'].map((width) => (
        <div key={width} className="flex h-15 items-center gap-3 px-4">
          <Skeleton className="size-6 rounded-full" />
          <span className="flex flex-col gap-2">
            <Skeleton className={`h-3.5 ${width}`} />
            <Skeleton className="h-3 w-44" />
          </span>
        </div>
      ))}
    </div>
  );
}

const ROW_HEIGHT = 60;

interface ContactListProps {
  contacts: readonly Conversation[];
  drafts: Readonly<Record<string, string>>;
  own: string;
  chosen: string | null;
  onOpen: (number: string) => void;
}

function ContactList({ contacts, drafts, own, chosen, onOpen }: ContactListProps) {
  const id = useId();
  const today = useToday();
  const { items, at, setActive, handleKeyDown, rowsProps } = useListBox({
    list: 'contacts',
    ids: useMemo(() => contacts.map(({ phoneNumber }) => phoneNumber), [contacts]),
    names: useMemo(() => contacts.map(lettersOf), [contacts]),
    chosen,
    rowHeight: ROW_HEIGHT,
    onChoose: onOpen,
  });
  const open = useCallback(
    (number: string) => {
      setActive(number);
      onOpen(number);
    },
    [setActive, onOpen],
  );
  const active = contacts[at]?.phoneNumber;
  return (
    <div
      data-scroller
      role="listbox"
      aria-label="Contacts"
      tabIndex={0}
      aria-activedescendant={active === undefined ? undefined : `${id}-${active}`}
      onKeyDown={handleKeyDown}
      className="group/list min-h-0 grow overflow-y-auto overscroll-contain -outline-offset-2"
    >
      <div {...rowsProps} role="presentation" className="relative">
        {items.map(({ index, offset }) => {
          const contact = contacts[index];
          if (!contact) return null;
          const { phoneNumber } = contact;
          return (
            <ContactRow
              key={phoneNumber}
              id={`${id}-${phoneNumber}`}
              contact={contact}
              draft={drafts[phoneNumber]}
              own={own}
              today={today}
              top={offset}
              position={index + 1}
              count={contacts.length}
              isChosen={phoneNumber === chosen}
              isActive={index === at}
              onOpen={open}
            />
          );
        })}
      </div>
    </div>
  );
}

/** The names and numbers that typed letters match. */
function lettersOf(contact: Conversation): string[] {
  const { phoneNumber } = contact;
  return [nameOf(contact), phoneNumber, phoneNumber.slice(1)];
}

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
const ContactRow = memo(function ContactRow({
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
              {formatCount(unread)}
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
