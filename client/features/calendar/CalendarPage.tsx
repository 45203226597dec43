// The calendar, a placeholder so far.

import CalendarDays from 'lucide-react/icons/calendar-days';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';

export function CalendarPage() {
  return (
    <>
      <PageHeader title="Calendar" />
      <EmptyState icon={CalendarDays} title="Calendar is coming soon">
        It will show your matters’ tasks and every statute of limitations by date.
      </EmptyState>
    </>
  );
}
