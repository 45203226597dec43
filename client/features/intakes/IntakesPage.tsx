import Inbox from 'lucide-react/icons/inbox';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';

export function IntakesPage() {
  return (
    <>
      <PageHeader title="Intakes" />
      <EmptyState icon={Inbox} title="Intakes will stand here">
        They come in a later release: people who ask for help, until their inquiry becomes a matter
        or is turned away.
      </EmptyState>
    </>
  );
}
