// The calendar in its views.

import { useSearchParams } from 'react-router';
import { DeadlinesPage } from '../deadlines/DeadlinesPage.tsx';
import { AgendaPage } from './AgendaPage.tsx';
import { Views } from './components/Views.tsx';

/** The view that the address names; the agenda without one. */
export function CalendarPage() {
  const [params] = useSearchParams();
  if (params.get('view') === 'deadlines') return <DeadlinesPage views={<Views at="deadlines" />} />;
  return <AgendaPage views={<Views at="agenda" />} />;
}
