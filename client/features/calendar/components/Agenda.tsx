import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { daysBetween, formatDay } from '../../../ui/days.ts';
import type { DayOfItems } from '../rules.ts';
import { AgendaRow } from './AgendaRow.tsx';

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
