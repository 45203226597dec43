import FilePen from 'lucide-react/icons/file-pen';
import Inbox from 'lucide-react/icons/inbox';
import SearchX from 'lucide-react/icons/search-x';
import Send from 'lucide-react/icons/send';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { sectionNames } from './MailSections.tsx';
import type { ShownList } from './use-mail-list.ts';

const EMPTY = {
  inbox: { icon: Inbox, title: 'No mail', hint: 'New mail appears here.' },
  sent: { icon: Send, title: 'Nothing sent yet', hint: 'Mail you send appears here.' },
  drafts: { icon: FilePen, title: 'No drafts', hint: 'Unfinished mail is saved here.' },
} as const;

interface MailListStateProps {
  list: ShownList;
  onRetry: () => void;
  onClear: () => void;
  onCompose: () => void;
}

/** Shown in place of a list without rows. */
export function MailListState({ list, onRetry, onClear, onCompose }: MailListStateProps) {
  const { query, data, failure, isBusy } = list;
  if (!data) {
    return (
      <ErrorState
        title="Couldn’t load the mail"
        detail={failure ?? undefined}
        onRetry={onRetry}
        busy={isBusy}
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
        No mail in {sectionNames[query.section]} matches “{query.search}”.
      </EmptyState>
    );
  }
  const { icon, title, hint } = EMPTY[query.section];
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={<Button onClick={onCompose}>Compose an email</Button>}
    >
      {hint}
    </EmptyState>
  );
}
