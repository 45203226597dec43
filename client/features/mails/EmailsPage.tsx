import Mail from 'lucide-react/icons/mail';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';

export function EmailsPage() {
  return (
    <>
      <PageHeader title="Emails" />
      <EmptyState icon={Mail} title="Your e-mail will stand here">
        It comes in a later release: the mail of a connected Google account, each message beside the
        matter that it belongs to.
      </EmptyState>
    </>
  );
}
