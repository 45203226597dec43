import FilePen from 'lucide-react/icons/file-pen';
import Inbox from 'lucide-react/icons/inbox';
import SearchX from 'lucide-react/icons/search-x';
import Send from 'lucide-react/icons/send';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { sectionNames } from './MailSections.tsx';
import type { ListQuery, MailList } from '../slice.ts';

const EMPTY = {
  inbox: { icon: Inbox, title: 'No mail', says: 'What is sent to you appears here by itself.' },
  sent: { icon: Send, title: 'Nothing sent yet', says: 'What you send stands here afterwards.' },
  drafts: { icon: FilePen, title: 'No drafts', says: 'What you begin to write is kept here.' },
} as const;

interface MailListStateProps {
  list: MailList;
  query: ListQuery;
  onRetry: () => void;
  onClear: () => void;
  onCompose: () => void;
}

/** What stands where a list has no rows. */
export function MailListState({ list, query, onRetry, onClear, onCompose }: MailListStateProps) {
  if (list.status === 'failed') {
    return (
      <ErrorState
        title="The mail was not loaded"
        detail={list.failure ?? undefined}
        onRetry={onRetry}
        busy={list.asks > 0}
      />
    );
  }
  if (query.search !== '') {
    return (
      <EmptyState
        icon={SearchX}
        title="No mail matches"
        action={<Button onClick={onClear}>Clear search</Button>}
      >
        Nothing in {sectionNames[query.section]} holds “{query.search}”.
      </EmptyState>
    );
  }
  const { icon, title, says } = EMPTY[query.section];
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={<Button onClick={onCompose}>Compose a mail</Button>}
    >
      {says}
    </EmptyState>
  );
}
