import CalendarDays from 'lucide-react/icons/calendar-days';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';

export function CalendarPage() {
  return (
    <>
      <PageHeader title="Calendar" />
      <EmptyState icon={CalendarDays} title="The calendar will stand here">
        It comes in a later release: the tasks of your matters by their times, and every statute of
        limitations on its day.
      </EmptyState>
    </>
  );
}
