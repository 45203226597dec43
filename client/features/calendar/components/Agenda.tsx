import { Link } from 'react-router';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { useFirmDay } from '../../../core/use-firm.ts';
import { cx } from '../../../ui/cx.ts';
import { daysBetween, formatDay } from '../../../ui/days.ts';
import { isOverdue } from '../rules.grid.ts';
import { addressOf, type DayOfItems, isClosed, namesOf, timeOf, titleOf } from '../rules.ts';
import { KindTile } from './KindTile.tsx';

interface AgendaProps {
  days: readonly DayOfItems[];
  today: string;
  now: Date;
  onOpen: (item: CalendarItem) => void;
}

function nameOf(day: string, today: string): string {
  const days = daysBetween(today, day);
  if (days === 0) return 'Today';
  return days === 1 ? 'Tomorrow' : formatDay(day, 'long');
}

/** The browser lays out a day when it comes into view, so that thousands of rows scroll as smoothly as ten. */
const DAY =
  'break-inside-avoid [contain-intrinsic-size:auto_12rem] [content-visibility:auto] print:[content-visibility:visible]';

/** A list of days, each with what is on it. */
export function Agenda({ days, today, now, onOpen }: AgendaProps) {
  return (
    <div className="grid max-w-4xl gap-6 px-4 pt-4 pb-12 sm:px-9 print:max-w-none">
      {days.map(({ day, items }) => (
        <section key={day} aria-labelledby={`day-${day}`} className={DAY}>
          <div className="flex items-baseline justify-between gap-4 pb-2">
            <h2 id={`day-${day}`} className="text-heading font-strong">
              {nameOf(day, today)}
            </h2>
            {daysBetween(today, day) <= 1 && today <= day && (
              <span className="text-note text-ink-3">{formatDay(day, 'weekday')}</span>
            )}
          </div>
          <ul>
            {items.map((item) => (
              <li key={`${item.type}-${item.id}`}>
                <AgendaRow item={item} day={day} now={now} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface AgendaRowProps {
  item: CalendarItem;
  day: string;
  now: Date;
  onOpen: (item: CalendarItem) => void;
}

const FRAME =
  'flex min-h-11 w-full items-start gap-3 border-t border-line py-2.5 text-left hover:bg-hover';

/** An item on a day: an event opens its card, all others are where they are at home. */
function AgendaRow({ item, day, now, onOpen }: AgendaRowProps) {
  const firmDay = useFirmDay();
  const content = <Content item={item} day={day} isPast={isOverdue(item, { now, firmDay })} />;
  const address = addressOf(item);
  return address === null ? (
    <button type="button" className={FRAME} onClick={() => onOpen(item)}>
      {content}
    </button>
  ) : (
    <Link className={FRAME} to={address}>
      {content}
    </Link>
  );
}

function Content({ item, day, isPast }: { item: CalendarItem; day: string; isPast: boolean }) {
  const { main, note } = timeOf(item, day);
  const second = [item.case?.caseName, namesOf(item.people)].filter(Boolean).join(' · ');
  const isOver = isClosed(item);
  return (
    <>
      <span className="w-[4.5rem] flex-none text-right tabular-nums">
        <span className="block">{main}</span>
        <span className="block text-note text-ink-3">{note}</span>
      </span>
      <KindTile item={item} isOverdue={isPast} />
      <span className="min-w-0 grow">
        <span className={cx('block font-book wrap-anywhere', isOver && 'text-ink-3 line-through')}>
          {titleOf(item)}
        </span>
        <span className="block text-note text-ink-2 wrap-anywhere">
          {item.cancelled && 'Canceled · '}
          {second}
        </span>
      </span>
    </>
  );
}
