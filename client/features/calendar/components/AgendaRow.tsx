import { Link } from 'react-router';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { paths } from '../../../core/paths.ts';
import { cx } from '../../../ui/cx.ts';
import { namesOf, timeOf } from '../rules.ts';
import { KindTile } from './KindTile.tsx';

interface AgendaRowProps {
  item: CalendarItem;
  day: string;
  onOpen: (id: string) => void;
}

const FRAME =
  'flex min-h-11 w-full items-start gap-3 border-t border-line py-2.5 text-left hover:bg-hover';

/** An item on a day: an event opens its card, a task its board, a date its matter. */
export function AgendaRow({ item, day, onOpen }: AgendaRowProps) {
  const content = <Content item={item} day={day} />;
  if (item.type === 'event')
    return (
      <button type="button" className={FRAME} onClick={() => onOpen(item.id)}>
        {content}
      </button>
    );
  const caseId = item.case?.id ?? '';
  return (
    <Link
      className={FRAME}
      to={item.type === 'task' ? paths.tasksOf(caseId) : paths.caseDetails(caseId)}
    >
      {content}
    </Link>
  );
}

function Content({ item, day }: { item: CalendarItem; day: string }) {
  const { main, note } = timeOf(item, day);
  const second = [item.case?.caseName, namesOf(item.people)].filter(Boolean).join(' · ');
  return (
    <>
      <span className="w-[4.5rem] flex-none text-right tabular-nums">
        <span className="block">{main}</span>
        <span className="block text-note text-ink-3">{note}</span>
      </span>
      <KindTile item={item} />
      <span className="min-w-0 grow">
        <span
          className={cx(
            'block font-book wrap-anywhere',
            item.cancelled && 'text-ink-3 line-through',
          )}
        >
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
