import type { Conversation } from '@matterdesk/contract/messages.ts';
import MessageCircle from 'lucide-react/icons/message-circle';
import Plus from 'lucide-react/icons/plus';
import SearchX from 'lucide-react/icons/search-x';
import { type ReactNode, useMemo, useState } from 'react';
import { useAppSelector } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { conversationList } from '../api.conversations.ts';
import { matchingContacts } from '../rules.ts';
import { ALL } from '../slice.ts';
import { ContactList } from './ContactList.tsx';

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
          action={<Button onClick={() => setSearch('')}>Clear search</Button>}
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
