import MessageCircle from 'lucide-react/icons/message-circle';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';

export function MessagesPage() {
  return (
    <>
      <PageHeader title="Messages" />
      <EmptyState icon={MessageCircle} title="Text messages will stand here">
        They come in a later release: conversations with clients by text, from a number of your own,
        kept with the matter.
      </EmptyState>
    </>
  );
}
