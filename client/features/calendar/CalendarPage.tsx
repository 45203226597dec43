// The calendar in its views.

import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { useResource } from '../../core/use-resource.ts';
import { useToday } from '../../ui/days.ts';
import { DeadlinesPage } from '../deadlines/DeadlinesPage.tsx';
import { useView } from './components/use-calendar-address.ts';
import { Views } from './components/Views.tsx';
import { SchedulePage } from './SchedulePage.tsx';
import { sectionList } from '../deadlines/slice.ts';

const RulesPage = lazy(async () => ({
  default: (await import('../deadlines/RulesPage.tsx')).RulesPage,
}));

const NO_FILTERS = { owner: '', case: '', kind: '', from: '', to: '' };

/** The view that the address names, or the rules by which deadlines are counted. */
export function CalendarPage() {
  const [params] = useSearchParams();
  if (params.get('view') !== 'rules') return <CalendarViews />;
  return (
    <Suspense fallback={null}>
      <RulesPage />
    </Suspense>
  );
}

function CalendarViews() {
  const view = useView();
  const { data: found, failure } = useOverdue();
  const { waiting = 0, overdue = 0 } = found?.counts ?? {};
  const views = <Views at={view} waiting={waiting + overdue} />;
  if (view === 'deadlines') return <DeadlinesPage views={views} />;
  return (
    <SchedulePage
      view={view}
      views={views}
      overdue={found?.deadlines ?? (failure ? [] : null)}
      overdueCount={overdue}
    />
  );
}

/** The longest overdue deadline, and how many wait. */
function useOverdue() {
  const today = useToday();
  return useResource(sectionList, { section: 'overdue', filters: NO_FILTERS, today, limit: 1 });
}
