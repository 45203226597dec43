// The calendar in its views.

import { useSearchParams, Link } from 'react-router';
import { lazyNamed } from '../../core/chunks.ts';
import { useAppSelector } from '../../core/store.ts';
import { useFirmDay } from '../../core/use-firm.ts';
import { useResource } from '../../core/use-resource.ts';
import { formatCount } from '../../core/words.ts';
import { callsInWords, overviewOf } from '../dashboard/slice.ts';
import { sectionList } from '../deadlines/slice.ts';
import { useView } from './hooks/use-calendar-address.ts';
import { viewLabels, viewNames, type ViewName } from './rules.views.ts';
import { SchedulePage } from './SchedulePage.tsx';

const DeadlinesPage = lazyNamed(() => import('../deadlines/DeadlinesPage.tsx'), 'DeadlinesPage');
const RulesPage = lazyNamed(() => import('../deadlines/RulesPage.tsx'), 'RulesPage');

const NO_FILTERS = { owner: '', case: '', kind: '', from: '', to: '', matters: '' };

/** The view that the address names, or the rules by which deadlines are counted. */
export function CalendarPage() {
  const [params] = useSearchParams();
  if (params.get('view') !== 'rules') return <CalendarViews />;
  return <RulesPage />;
}

function CalendarViews() {
  const view = useView();
  const { data: found, failure } = useOverdue();
  const views = <Views at={view} />;
  if (view === 'deadlines') return <DeadlinesPage views={views} />;
  return (
    <SchedulePage
      view={view}
      views={views}
      overdue={found?.deadlines ?? (failure ? [] : null)}
      overdueCount={found?.counts.overdue ?? 0}
    />
  );
}

/** The longest overdue deadline, and how many are overdue. */
function useOverdue() {
  const today = useFirmDay();
  return useResource(sectionList, { section: 'overdue', filters: NO_FILTERS, today, limit: 1 });
}

/** Links to the views of the calendar, which keep the day and the filters. */
function Views({ at }: { at: ViewName }) {
  const [params] = useSearchParams();
  // The number beside the calendar in the navigation: the reader's own, not the firm's.
  const calls = useAppSelector(({ overview }) => overviewOf(overview)?.counts.deadlines ?? 0);
  const addressOf = (view: ViewName) => {
    const kept = [...params].filter(([name]) => name !== 'view' && name !== 'deadline');
    return `?${new URLSearchParams([['view', view], ...kept]).toString()}`;
  };
  return (
    <nav
      aria-label="Views"
      className="inline-flex h-[34px] rounded-control border border-line-strong bg-surface p-0.5 max-sm:w-full pointer-coarse:h-11"
    >
      {viewNames.map((name) => (
        <Link
          key={name}
          to={addressOf(name)}
          aria-current={name === at ? 'page' : undefined}
          className={LINK}
          data-view={name}
        >
          {viewLabels[name]}
          {name === 'deadlines' && calls > 0 && (
            <span className="pl-1.5 font-normal" title={callsInWords(calls)}>
              {formatCount(calls)}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}

/** A phone has no room for seven columns of hours. */
const LINK =
  'flex items-center justify-center rounded-small px-3 text-sm font-medium text-ink-2 hover:text-ink max-sm:grow max-sm:px-1.5 max-sm:data-[view=week]:hidden ' +
  'aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-ink';
