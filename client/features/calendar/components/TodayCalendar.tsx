import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { Pending } from '../../../core/Pending.tsx';
import { useAppSelector } from '../../../core/store.ts';
import { BATCH_MS, useResource } from '../../../core/use-resource.ts';
import { buttonClass } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { useToday } from '../../../ui/days.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { entriesOfDay, type DayEntry } from '../rules.agenda.ts';
import { addressOf } from '../rules.ts';
import { calendarWindow } from '../slice.ts';

/** The reader's day, plus the firm's limitations that run out on it. */
export function TodayCalendar() {
  const today = useToday();
  const own = useAppSelector(({ user }) => user.current?.id);
  const day = { from: today, to: today };
  const mine = useResource(calendarWindow, own ? { ...day, people: own } : null, {
    batchMs: BATCH_MS,
  });
  const firm = useResource(calendarWindow, { ...day, kinds: 'deadline' }, { batchMs: BATCH_MS });
  const isKnown = mine.data !== null && firm.data !== null;
  const entries = entriesOfDay(
    { own: mine.data?.items ?? [], deadlines: firm.data?.items ?? [] },
    today,
  );
  return (
    <section aria-labelledby="today-title">
      <h2 id="today-title" className="mb-2 font-semibold">
        Today’s calendar
      </h2>
      {isKnown ? (
        <Entries entries={entries} today={today} />
      ) : (
        <Pending of={mine.failure ? mine : firm} what="today’s dates" isPart>
          <Loading />
        </Pending>
      )}
      <Link to={paths.calendar} className={cx(buttonClass(), 'mt-3.5 w-full')}>
        Full Calendar
      </Link>
    </section>
  );
}

function Entries({ entries, today }: { entries: readonly DayEntry[]; today: string }) {
  if (entries.length === 0) return <p className="text-sm text-ink-2">Nothing is due today.</p>;
  return (
    <ol className="flex flex-col gap-2.5">
      {entries.map((entry) => (
        <li key={`${entry.item.type}-${entry.item.id}`}>
          <TodayEntry entry={entry} today={today} />
        </li>
      ))}
    </ol>
  );
}

function TodayEntry({ entry, today }: { entry: DayEntry; today: string }) {
  const { item, time, note, isHard } = entry;
  return (
    <Link
      to={addressOf(item) ?? paths.event(item.id, today)}
      className="group flex gap-2.5 rounded-small"
    >
      <span className="w-15 flex-none text-sm/5 text-ink-2 tabular-nums">{time}</span>
      <span
        className={cx('min-w-0 grow border-l-2 pl-2.5', isHard ? 'border-ink' : 'border-accent')}
      >
        <span className="line-clamp-2 text-sm/5 font-book group-hover:underline">{item.title}</span>
        <span className="block truncate text-note text-ink-2">{note}</span>
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
