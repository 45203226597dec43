import Plus from 'lucide-react/icons/plus';
import { Link } from 'react-router';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { paths } from '../../../core/paths.ts';
import { Pending } from '../../../core/Pending.tsx';
import { cx } from '../../../ui/cx.ts';
import { formatDay } from '../../../ui/days.ts';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import { SectionHeading } from '../../../ui/SectionHeading.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useNextDates } from '../hooks/use-next-dates.ts';
import { addressOf } from '../rules.address.ts';
import { shownDay } from '../rules.next.ts';
import { timeOf, titleOf } from '../rules.ts';
import { KindTile } from './KindTile.tsx';

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
  const isOverdue = item.type === 'deadline' && day < today;
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
        {day === today ? 'Today' : formatDay(day, isOverdue ? 'list' : 'weekday')}
        {time}
      </span>
    </Link>
  );
}
