// The morning overview: what is due.

import Briefcase from 'lucide-react/icons/briefcase-business';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../core/paths.ts';
import { useAppDispatch, useAppSelector } from '../../core/store.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { formatDay, useToday } from '../../ui/days.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { DashboardSkeleton } from './components/DashboardSkeleton.tsx';
import { Limitations } from './components/Limitations.tsx';
import { MyTasks } from './components/MyTasks.tsx';
import { RecentCases } from './components/RecentCases.tsx';
import { greetingAt, tasksInWords } from './rules.ts';
import { days, overviewFailureOf, overviewOf } from './slice.ts';

const LimitationRadar = lazy(async () => ({
  default: (await import('../deadlines/components/LimitationRadar.tsx')).LimitationRadar,
}));
const NewInquiries = lazy(async () => ({
  default: (await import('../intakes/components/NewInquiries.tsx')).NewInquiries,
}));

/** The morning overview, which the shell keeps up to date. */
export function DashboardPage() {
  const dispatch = useAppDispatch();
  const today = useToday();
  const current = useAppSelector((state) => state.user.current);
  const overview = useAppSelector((state) => overviewOf(state.overview));
  const failure = useAppSelector((state) => overviewFailureOf(state.overview));
  const [hour] = useState(() => new Date().getHours());
  const todo = overview ? tasksInWords(overview.myTasks, overview.counts.myOpenTasks, today) : '';
  const isNewFirm = overview?.counts.activeCases === 0 && overview.counts.archivedCases === 0;
  return (
    <>
      <PageHeader title={`${greetingAt(hour)}, ${current?.firstName ?? ''}`} tab="Dashboard">
        {formatDay(today, 'long')}
        {todo !== '' && (
          <span key={todo} className="inline-block animate-appear whitespace-pre-wrap">
            {` · ${todo}`}
          </span>
        )}
      </PageHeader>
      {!overview && failure !== null ? (
        <ErrorState
          title="Couldn’t load the overview"
          detail={failure}
          onRetry={() => dispatch(days.invalidated())}
        />
      ) : isNewFirm ? (
        <NoMatters canOpen={current?.permissions.createCases === true} />
      ) : (
        <div className="grid grid-cols-1 gap-x-12 gap-y-8 px-4 pt-5 pb-9 sm:px-9 lg:grid-cols-[minmax(0,1fr)_18rem] xl:grid-cols-[minmax(0,1fr)_22.5rem]">
          {overview ? (
            <>
              <div>
                <section>
                  <Limitations
                    limitations={overview.limitations}
                    total={overview.limitationsTotal}
                    today={today}
                  />
                  <Suspense fallback={<div className="h-31" />}>
                    <LimitationRadar today={today} />
                  </Suspense>
                </section>
                <hr className="mt-6 mb-4 border-line" />
                <section className="@container">
                  <MyTasks tasks={overview.myTasks} today={today} />
                </section>
              </div>
              <section>
                <RecentCases cases={overview.recentCases} />
                <Suspense fallback={null}>
                  <NewInquiries />
                </Suspense>
              </section>
            </>
          ) : (
            <DashboardSkeleton />
          )}
        </div>
      )}
    </>
  );
}

function NoMatters({ canOpen }: { canOpen: boolean }) {
  return (
    <EmptyState
      icon={Briefcase}
      title="No matters yet"
      action={
        <Link
          to={paths.matters}
          className={buttonClass({ variant: canOpen ? 'primary' : 'default' })}
        >
          {canOpen ? 'Add the first matter' : 'Go to Matters'}
        </Link>
      }
    >
      Deadlines, your tasks and new matters appear here after you add your first matter.
    </EmptyState>
  );
}
