// Intakes, a placeholder so far.

import Inbox from 'lucide-react/icons/inbox';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';

export function IntakesPage() {
  return (
    <>
      <PageHeader title="Intakes" />
      <EmptyState icon={Inbox} title="Intakes are coming soon">
        They will show everyone who asks for help, from the first inquiry until it becomes a matter
        or is declined.
      </EmptyState>
    </>
  );
}
