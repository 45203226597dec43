import CalendarPlus from 'lucide-react/icons/calendar-plus';
import CalendarRange from 'lucide-react/icons/calendar-range';
import Flag from 'lucide-react/icons/flag';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Link } from 'react-router';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { paths } from '../../../core/paths.ts';
import { Pending } from '../../../core/Pending.tsx';
import { useFirmDay } from '../../../core/use-firm.ts';
import { distanceInWords, weekdayOf } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { daysBetween, useNow } from '../../../ui/days.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { MenuButton } from '../../../ui/Menu.tsx';
import { SectionHeading } from '../../../ui/SectionHeading.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useNextDates } from '../hooks/use-next-dates.ts';
import { shownDay } from '../rules.agenda.ts';
import { isOverdue } from '../rules.grid.ts';
import { addressOf, kindLabels, namesOf, timeOf, titleOf } from '../rules.ts';
import { KindTile } from './KindTile.tsx';

/** Rows that are shown at first, and more each time. */
const ROWS_SHOWN = 20;
/** In place of a date that the reader is to verify, as in the list of deadlines. */
const HIDDEN = 'Hidden until verified';
/** Days up to which a row says how far away it is. */
const NEAR_DAYS = 14;

interface CaseDatesProps {
  caseId: string;
  onAdd: (what: 'event' | 'deadline') => void;
}

/** Deadlines and events of a matter, overdue deadlines first, on the matter's own page. */
export function CaseDates({ caseId, onAdd }: CaseDatesProps) {
  const { items: known, today, isWaiting, isFailed, ...pending } = useNextDates(caseId);
  const [most, setMost] = useState(ROWS_SHOWN);
  const items = known.filter(({ type }) => type !== 'task');
  const rest = items.length - most;
  const add = (
    <span className="flex flex-wrap gap-2 print:hidden">
      <Button icon={CalendarPlus} onClick={() => onAdd('event')}>
        New event
      </Button>
      <Button icon={Flag} onClick={() => onAdd('deadline')}>
        New deadline
      </Button>
    </span>
  );
  return (
    <section aria-labelledby="dates-title" aria-busy={isWaiting || undefined}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="dates-title" className="text-heading font-semibold">
          Dates
        </h2>
        {add}
      </div>
      {isWaiting && <Loading />}
      {isFailed && <Pending of={pending} what="the dates" />}
      {!isFailed && !isWaiting && items.length === 0 && (
        <EmptyState icon={CalendarRange} title="No date in the next 12 months">
          Deadlines and events of this matter appear here.
        </EmptyState>
      )}
      <ul>
        {items.slice(0, most).map((item) => (
          <DateRow key={`${item.type}-${item.id}-${item.start}`} item={item} today={today} />
        ))}
      </ul>
      {rest > 0 && (
        <Button variant="quiet" size="small" onClick={() => setMost(most + ROWS_SHOWN)}>
          {`Show ${Math.min(rest, ROWS_SHOWN)} more`}
        </Button>
      )}
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-note text-ink-2 print:hidden">
        {items.length > 0 && 'Up to 12 months ahead'}
        <Link to={`${paths.calendar}?view=deadlines&case=${caseId}`} className="link">
          All deadlines
        </Link>
        <Link to={`${paths.calendar}?case=${caseId}`} className="link">
          Calendar of this matter
        </Link>
      </p>
    </section>
  );
}

/** A date with its kind and its people, which leads to where it is changed. */
function DateRow({ item, today }: { item: CalendarItem; today: string }) {
  const day = shownDay(item, today);
  const { countsFrom, isOverdue } = useDateState(item, today);
  const left = daysBetween(countsFrom, day);
  const time = item.allDay ? '' : `, ${timeOf(item, day).main}`;
  const isTimed = item.type === 'event';
  const note = [kindInWords(item), namesOf(item.people)].filter(Boolean).join(' · ');
  return (
    <li className="border-b border-line hover:bg-hover">
      <Link
        to={addressOf(item) ?? paths.event(item.id, day)}
        className="flex min-h-[46px] items-center gap-2 py-1"
      >
        <KindTile item={item} isOverdue={isOverdue} />
        <span className="min-w-0 grow">
          <span dir="auto" className="block truncate font-medium">
            {titleOf(item)}
          </span>
          <span className="block truncate text-note text-ink-2">{note}</span>
        </span>
        <span className="text-right whitespace-nowrap tabular-nums">
          {item.toVerify ? (
            <span className="block text-note text-ink-3">{HIDDEN}</span>
          ) : (
            <span className="block">
              {left === 0 ? 'Today' : weekdayOf(day, today)}
              {isTimed && time}
            </span>
          )}
          {!item.toVerify && (isOverdue || (left > 0 && left <= NEAR_DAYS)) && (
            <span
              className={
                isOverdue ? 'block text-note font-medium text-red' : 'block text-note text-ink-2'
              }
            >
              {distanceInWords(left)}
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}

/** The firm's day, from which deadlines count, or the reader's, and whether a deadline has passed that is not hidden. */
function useDateState(item: CalendarItem, today: string) {
  const firmDay = useFirmDay();
  const now = useNow();
  const countsFrom = item.type === 'deadline' && item.allDay ? firmDay : today;
  return { countsFrom, isOverdue: !item.toVerify && isOverdue(item, { now, firmDay }) };
}

function kindInWords({ type, kind, hard }: CalendarItem): string {
  if (type !== 'event') return hard ? 'Hard deadline' : 'Deadline';
  return Object.entries(kindLabels).find(([name]) => name === kind)?.[1] ?? 'Event';
}

function Loading() {
  return (
    <div>
      <span className="sr-only">Loading the dates</span>
      {['w-40', 'w-28', 'w-32'].map((width) => (
        <div key={width} className="flex min-h-[46px] items-center border-b border-line">
          <Skeleton className={`h-4 ${width}`} />
        </div>
      ))}
    </div>
  );
}

const MAX_NEXT_DATES = 5;

interface NextDatesProps {
  caseId: string;
  onAdd: (what: 'event' | 'deadline') => void;
}

/** Upcoming dates of a matter, overdue deadlines first. */
export function NextDates({ caseId, onAdd }: NextDatesProps) {
  const { items: known, today, isWaiting, isFailed, ...pending } = useNextDates(caseId);
  const items = known.slice(0, MAX_NEXT_DATES);
  return (
    <section
      aria-label="Next dates"
      aria-busy={isWaiting || undefined}
      className="min-h-24 min-w-0"
    >
      <SectionHeading
        aside={
          <MenuButton
            label="Add a date"
            icon={Plus}
            variant="quiet"
            size="small"
            className="-my-1"
            entries={[
              { label: 'New event', onSelect: () => onAdd('event') },
              { label: 'New deadline', onSelect: () => onAdd('deadline') },
            ]}
          />
        }
      >
        Next dates
      </SectionHeading>
      {!isFailed && !isWaiting && items.length === 0 && (
        <p className="text-sm text-ink-2">No date in the next 12 months</p>
      )}
      {isWaiting && <Skeleton className="h-10 w-full" />}
      <ul className="grid gap-2.5">
        {items.map((item) => (
          <li key={`${item.type}-${item.id}`}>
            <NextDate item={item} today={today} />
          </li>
        ))}
      </ul>
      {isFailed && <Pending of={pending} what="the next dates" isPart />}
    </section>
  );
}

function NextDate({ item, today }: { item: CalendarItem; today: string }) {
  const day = shownDay(item, today);
  const { countsFrom, isOverdue } = useDateState(item, today);
  const time = item.type === 'event' && !item.allDay ? `, ${timeOf(item, day).main}` : '';
  return (
    <Link
      to={addressOf(item) ?? paths.event(item.id, day)}
      className="group flex items-center gap-2 text-sm/5"
    >
      <KindTile item={item} isOverdue={isOverdue} />
      <span title={titleOf(item)} className="min-w-0 grow truncate group-hover:underline">
        {titleOf(item)}
      </span>
      <span className={cx('flex-none text-xs tabular-nums', isOverdue ? 'text-red' : 'text-ink-3')}>
        {isOverdue && <span className="sr-only">Overdue since </span>}
        {item.toVerify ? HIDDEN : day === countsFrom ? 'Today' : weekdayOf(day, today)}
        {time}
      </span>
    </Link>
  );
}
