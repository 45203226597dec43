import Clock from 'lucide-react/icons/clock-alert';
import { useState } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { localDay } from '../../../ui/days.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { taskList } from '../api.ts';
import { type Group, groupAside } from '../rules.lists.ts';
import type { TaskQuery } from '../slice.ts';
import { TaskRow } from './TaskRow.tsx';

/** Milliseconds during which changes are combined into one fetch. */
const GATHER = 300;
const MORE = 50;
const MOST = 200;

interface TaskGroupProps extends Group {
  filter: Omit<TaskQuery, 'due' | 'limit'>;
  now: Date;
}

/** The tasks of one due time. Empty groups are hidden, except for today's. */
export function TaskGroup({ due, title, most, filter, now }: TaskGroupProps) {
  const [limit, setLimit] = useState(most);
  const query = { ...filter, due, limit };
  const { data, failure, status, refresh } = useResource(taskList, query, { gather: GATHER });
  const isEmpty = data?.tasks.length === 0;
  if (isEmpty && (due !== 'today' || filter.search !== '')) return null;
  const id = `tasks-${due}`;
  const left = (data?.total ?? 0) - (data?.tasks.length ?? 0);
  const isWaiting = !data && !failure;
  return (
    <section
      aria-labelledby={id}
      aria-busy={status === 'loading'}
      data-waiting={isWaiting || undefined}
      // Below a group whose length is not known yet, nothing is shown that it would push away.
      className="peer mt-5 peer-data-waiting:hidden"
    >
      <div className="flex items-baseline justify-between gap-4 border-b border-line pb-2">
        <h2 id={id} className={cx('text-heading font-semibold', due === 'late' && 'text-red')}>
          {due === 'late' && <Clock className="mr-2 inline-block align-[-3px]" />}
          {title}{' '}
          <span className="ml-1 text-base font-normal text-ink-3 tabular-nums">{data?.total}</span>
        </h2>
        <p className="text-sm text-ink-3">{groupAside(due, localDay(now))}</p>
      </div>
      {data ? (
        <ul>
          {data.tasks.map((task) => (
            <TaskRow key={task.id} task={task} now={now} />
          ))}
        </ul>
      ) : (
        <Waiting failed={failure !== null} onRetry={refresh} />
      )}
      {isEmpty && <p className="py-3 text-ink-2">Nothing due today</p>}
      {left > 0 && limit < MOST && (
        <Button
          variant="quiet"
          size="small"
          className="mt-2 -ml-2"
          onClick={() => setLimit(Math.min(limit + MORE, MOST))}
        >
          {`Show ${Math.min(left, MORE)} more`}
        </Button>
      )}
      {left > 0 && limit >= MOST && (
        <p className="mt-2 text-sm text-ink-3">{`The first ${MOST} are shown; search for others.`}</p>
      )}
    </section>
  );
}

function Waiting({ failed, onRetry }: { failed: boolean; onRetry: () => void }) {
  if (!failed)
    return (
      <div className="flex h-[46px] animate-delayed items-center border-b border-line">
        <Skeleton className="h-3.5 w-1/2" />
      </div>
    );
  return (
    <p role="alert" className="flex items-center gap-3 py-2 text-ink-2">
      Couldn’t load these tasks.
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}
