// The morning overview: what is due.

import Briefcase from 'lucide-react/icons/briefcase-business';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { NOT_FILED } from '@matterdesk/contract/cases.ts';
import { solInEffect } from '@matterdesk/contract/sol-in-effect.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { paths } from '../../core/paths.ts';
import { recentlyViewed } from '../../core/recently-viewed.ts';
import { useAppDispatch, useAppSelector } from '../../core/store.ts';
import { useFirm, useFirmDay } from '../../core/use-firm.ts';
import { deciderOf, proposalOf } from '../../core/waiting-date.ts';
import { distanceInWords, formatCount } from '../../core/words.ts';
import { buttonClass, Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { formatDay, useToday, daysBetween } from '../../ui/days.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SectionHeading } from '../../ui/SectionHeading.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Timeline } from './components/Timeline.tsx';
import {
  greetingAt,
  tasksInWords,
  type BriefCase,
  type RecentCase,
  dueInWords,
  type OwnTask,
} from './rules.ts';
import { overviewFailureOf, overviewOf, overviewOfDay } from './slice.ts';

const LimitationRadar = lazyNamed(
  () => import('../deadlines/components/LimitationRadar.tsx'),
  'LimitationRadar',
);
const NewInquiries = lazyNamed(
  () => import('../intakes/components/NewInquiries.tsx'),
  'NewInquiries',
);

const SetUpFirm = lazyNamed(() => import('../firm/components/SetUpFirm.tsx'), 'SetUpFirm');

/** The morning overview, which the shell keeps up to date. */
export function DashboardPage() {
  const dispatch = useAppDispatch();
  const today = useToday();
  const current = useAppSelector((state) => state.user.current);
  const overview = useAppSelector((state) => overviewOf(state.overview));
  const failure = useAppSelector((state) => overviewFailureOf(state.overview));
  const { data: firm, refresh } = useFirm();
  const firmDay = useFirmDay();
  const [hour] = useState(() => new Date().getHours());
  const todo = overview ? tasksInWords(overview.myTasks, overview.counts.myOpenTasks, today) : '';
  const isNewFirm = overview?.counts.activeCases === 0 && overview.counts.archivedCases === 0;
  return (
    <>
      <PageHeader title={`${greetingAt(hour)}, ${current?.firstName ?? ''}`} tab="Dashboard">
        {formatDay(today, 'long')}
        {todo !== '' && (
          <>
            {' · '}
            <span key={todo} className="inline-block animate-appear">
              {todo}
            </span>
          </>
        )}
      </PageHeader>
      {current?.role === 'admin' && firm?.setUp === false && (
        <SetUpFirm firm={firm} onDone={refresh} />
      )}
      {!overview && failure !== null ? (
        <ErrorState
          title="Couldn’t load the overview"
          detail={failure}
          onRetry={() => dispatch(overviewOfDay.invalidated())}
        />
      ) : isNewFirm ? (
        <NoMatters
          canOpen={current?.permissions.createCases === true}
          isNext={firm?.setUp !== false}
        />
      ) : (
        <div className="grid grid-cols-1 gap-x-12 gap-y-8 px-4 pt-5 pb-9 sm:px-9 lg:grid-cols-[minmax(0,1fr)_18rem] xl:grid-cols-[minmax(0,1fr)_22.5rem]">
          {overview ? (
            <>
              <div>
                <section>
                  <Limitations
                    limitations={overview.limitations}
                    total={overview.limitationsTotal}
                    today={firmDay}
                  />
                  <LimitationRadar today={firmDay} fallback={<div className="h-31" />} />
                </section>
                <hr className="mt-6 mb-4 border-line" />
                <section className="@container">
                  <MyTasks tasks={overview.myTasks} today={today} />
                </section>
              </div>
              <section>
                <RecentCases newest={overview.recentCases} />
                <NewInquiries />
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

/** @param isNext whether no other form of the page comes first */
function NoMatters({ canOpen, isNext }: { canOpen: boolean; isNext: boolean }) {
  return (
    <EmptyState
      icon={Briefcase}
      title="No matters yet"
      action={
        <Link
          to={canOpen ? paths.newCase : paths.matters}
          className={buttonClass({ variant: canOpen && isNext ? 'primary' : 'default' })}
        >
          {canOpen ? 'Add the first matter' : 'Go to Matters'}
        </Link>
      }
    >
      Deadlines, your tasks and new matters appear here after you add your first matter.
    </EmptyState>
  );
}

const MAX_RECENT = 6;

/** The matters that the user opened in this browser, the last one first; the firm's newest until there are any. */
function RecentCases({ newest }: { newest: readonly RecentCase[] }) {
  const [viewed] = useState(recentlyViewed);
  // The store drops a matter that the user no longer sees.
  const known = useAppSelector((state) => state.cases.entities);
  const opened: RecentCase[] = viewed
    .map(({ kind, id }) => (kind === 'case' ? known[id] : undefined))
    .filter((matter) => matter !== undefined)
    .slice(0, MAX_RECENT);
  const cases = opened.length > 0 ? opened : newest;
  const title = opened.length > 0 ? 'Recently opened' : 'Newest matters';
  return (
    <section aria-label={title}>
      <SectionHeading>{title}</SectionHeading>
      {cases.length === 0 && <p className="text-ink-2">No open matters.</p>}
      <ul>
        {cases.map((recent) => (
          <li key={recent.id}>
            <Link
              to={paths.caseDetails(recent.id)}
              className="flex min-h-[55px] flex-col justify-center border-b border-line py-2 hover:bg-hover"
            >
              <span className="truncate font-medium">{recent.caseName}</span>
              <span className="truncate text-note text-ink-3 tabular-nums">
                {recent.caseNo ?? NOT_FILED} · {recent.status}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The overview while it loads, in the same dimensions. */
function DashboardSkeleton() {
  return (
    <>
      <div aria-hidden="true">
        <SectionHeading>Statutes of limitations, next 90 days</SectionHeading>
        <div className="h-[7.25rem] pt-[5.125rem] max-sm:h-[276px]">
          <Skeleton className="h-0.5" />
        </div>
        <hr className="my-5 border-line" />
        <SectionHeading>My tasks</SectionHeading>
        {Array.from({ length: 5 }, (_, index) => (
          <div key={index} className="flex h-[46px] items-center justify-between">
            <Skeleton className="h-3.5 w-48" />
            <Skeleton className="h-3.5 w-16" />
          </div>
        ))}
      </div>
      <div aria-hidden="true">
        <SectionHeading>Recently opened</SectionHeading>
        {Array.from({ length: 6 }, (_, index) => (
          <div key={index} className="flex h-[55px] flex-col justify-center gap-2">
            <Skeleton className="h-3.5 w-48" />
            <Skeleton className="h-3 w-28" />
          </div>
        ))}
      </div>
    </>
  );
}

const TONES = {
  overdue: 'text-red font-medium',
  soon: 'text-amber font-medium',
  later: '',
} as const;

/** The user's tasks by due date; each links to the board of its case. */
function MyTasks({ tasks, today }: { tasks: readonly OwnTask[]; today: string }) {
  return (
    <>
      <SectionHeading
        aside={
          <Link to={paths.myTasks} className="text-accent hover:underline">
            All tasks
          </Link>
        }
      >
        My tasks
      </SectionHeading>
      {tasks.length === 0 ? (
        <p className="text-ink-2">No tasks are assigned to you.</p>
      ) : (
        <LongList items={tasks} most={10}>
          {(task) => {
            const due = dueInWords(task, today);
            return (
              <li key={task.id}>
                <Link
                  to={paths.cardOf(task.case.id, task.id)}
                  className="grid min-h-[46px] grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-6 border-b border-line py-1.5 hover:bg-hover @xl:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_minmax(7rem,1fr)]"
                >
                  <span className="truncate font-medium">{task.name}</span>
                  <span className="truncate text-ink-2 @max-xl:order-last @max-xl:col-span-2 @max-xl:text-note">
                    {task.case.caseName}
                  </span>
                  <span className={cx('text-right whitespace-nowrap', TONES[due.tone])}>
                    {due.words}
                  </span>
                </Link>
              </li>
            );
          }}
        </LongList>
      )}
    </>
  );
}

interface LimitationsProps {
  limitations: readonly BriefCase[];
  /** The total number; the list may be shorter. */
  total: number;
  today: string;
}

/** Upcoming statutes of limitations: a timeline where it fits, else a list. */
function Limitations({ limitations, total, today }: LimitationsProps) {
  const [isList, setIsList] = useState(false);
  if (limitations.length === 0)
    return (
      <>
        <SectionHeading>Statutes of limitations, next 90 days</SectionHeading>
        <p className="text-ink-2">None in the next 90 days.</p>
      </>
    );
  return (
    <>
      <SectionHeading
        aside={
          <Button
            variant="quiet"
            size="small"
            onClick={() => setIsList(!isList)}
            className="-my-1 -mr-2 max-sm:hidden"
          >
            {isList ? 'Show as timeline' : 'Show as list'}
          </Button>
        }
      >
        Statutes of limitations, next 90 days
      </SectionHeading>
      <div className={isList ? 'hidden' : 'max-sm:hidden'}>
        <Timeline limitations={limitations} today={today} />
      </div>
      <div className={isList ? undefined : 'sm:hidden'}>
        <LimitationList limitations={limitations} today={today} />
      </div>
      {total > limitations.length && (
        <p className="mt-2 text-note text-ink-3">
          The soonest {limitations.length} of {formatCount(total)}.
        </p>
      )}
    </>
  );
}

/** Statutes of limitations as a list, soonest first. */
function LimitationList(props: { limitations: readonly BriefCase[]; today: string }) {
  return (
    <LongList items={props.limitations} most={6}>
      {(limitation) => {
        const day = solInEffect(limitation);
        const days = daysBetween(props.today, day);
        const proposal = proposalOf(limitation);
        return (
          <li key={limitation.id}>
            <Link
              to={paths.caseDetails(limitation.id)}
              className="flex min-h-[46px] items-center justify-between gap-6 border-b border-line py-1.5 hover:bg-hover"
            >
              <span className="min-w-0 truncate font-medium">{limitation.caseName}</span>
              <span className="flex-none text-right tabular-nums">
                <span className="max-sm:block">{formatDay(day)}</span>{' '}
                <span className="text-note text-amber sm:ml-3">{distanceInWords(days)}</span>
                {proposal !== undefined && (
                  <span className="block text-note text-amber">
                    {`${proposal}; ${deciderOf(limitation)}`}
                  </span>
                )}
              </span>
            </Link>
          </li>
        );
      }}
    </LongList>
  );
}

interface LongListProps<Item> {
  items: readonly Item[];
  /** Number of items before expanding. */
  most: number;
  children: (item: Item) => ReactNode;
}

/** A list of links that starts collapsed, so that it does not push the rest off the page. */
function LongList<Item>({ items, most, children }: LongListProps<Item>) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, most);
  return (
    <>
      <ul>{shown.map(children)}</ul>
      {items.length > most && (
        <Button
          variant="quiet"
          size="small"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
          className="mt-2 -ml-2"
        >
          {isWhole ? 'Show fewer' : `Show ${items.length - most} more`}
        </Button>
      )}
    </>
  );
}
