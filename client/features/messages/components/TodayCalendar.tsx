import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { buttonClass } from '../../../ui/button-class.ts';
import { cx } from '../../../ui/cx.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { type Entry, timeOf } from '../rules.ts';

/** @param entries undefined while loading; null after a failure */
export function TodayCalendar({ entries }: { entries: readonly Entry[] | null | undefined }) {
  return (
    <section aria-labelledby="today-title">
      <h2 id="today-title" className="mb-2 font-semibold">
        Today’s calendar
      </h2>
      {entries === undefined ? (
        <Loading />
      ) : entries === null ? (
        <p className="text-sm text-ink-2">Couldn’t load today’s dates. Try again.</p>
      ) : entries.length === 0 ? (
        <p className="text-sm text-ink-2">Nothing is due today.</p>
      ) : (
        <ol className="flex flex-col gap-2.5">
          {entries.map((entry) => (
            <li key={entry.id}>
              <TodayEntry entry={entry} />
            </li>
          ))}
        </ol>
      )}
      <Link to={paths.calendar} className={cx(buttonClass(), 'mt-3.5 w-full')}>
        Full Calendar
      </Link>
    </section>
  );
}

function TodayEntry({ entry }: { entry: Entry }) {
  return (
    <Link to={entry.to} className="group flex gap-2.5 rounded-small">
      <span className="w-15 flex-none text-sm/5 text-ink-2 tabular-nums">
        {entry.at === null ? 'All day' : timeOf(new Date(entry.at))}
      </span>
      <span
        className={cx(
          'min-w-0 grow border-l-2 pl-2.5',
          entry.isUrgent ? 'border-red' : 'border-accent',
        )}
      >
        <span className="line-clamp-2 text-sm/5 font-book group-hover:underline">
          {entry.title}
        </span>
        <span className="block truncate text-note text-ink-2">{entry.note}</span>
      </span>
    </Link>
  );
}

function Loading() {
  return (
    <div aria-busy="true" className="flex flex-col gap-2.5">
      <span className="sr-only">Loading today’s dates</span>
      {['w-32', 'w-28', 'w-36'].map((width) => (
        <div key={width} className="flex h-9 items-center gap-3">
          <Skeleton className="h-3.5 w-12" />
          <Skeleton className={`h-3.5 ${width}`} />
        </div>
      ))}
    </div>
  );
}
