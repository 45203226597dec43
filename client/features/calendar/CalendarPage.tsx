import { DeadlinesPage } from '../deadlines/DeadlinesPage.tsx';

/** The calendar, of which the deadlines are the first view. */
export function CalendarPage() {
  return <DeadlinesPage />;
}
