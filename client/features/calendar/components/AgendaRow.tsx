import { Link } from 'react-router';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { cx } from '../../../ui/cx.ts';
import { isOverdue } from '../rules.grid.ts';
import { isClosed, namesOf, timeOf } from '../rules.ts';
import { addressOf } from '../rules.address.ts';
import { KindTile } from './KindTile.tsx';

interface AgendaRowProps {
  item: CalendarItem;
  day: string;
  now: Date;
  onOpen: (item: CalendarItem) => void;
}

const FRAME =
  'flex min-h-11 w-full items-start gap-3 border-t border-line py-2.5 text-left hover:bg-hover';

/** An item on a day: an event opens its card, all others are where they are at home. */
export function AgendaRow({ item, day, now, onOpen }: AgendaRowProps) {
  const content = <Content item={item} day={day} isPast={isOverdue(item, now)} />;
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
          {item.title}
        </span>
        <span className="block text-note text-ink-2 wrap-anywhere">
          {item.cancelled && 'Canceled · '}
          {second}
        </span>
      </span>
    </>
  );
}
