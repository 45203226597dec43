import type { EventDisplayInfo } from '@fullcalendar/react';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { memo, createContext, use } from 'react';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { formatTime } from '../../../core/words.ts';
import { cx } from '../../../ui/cx.ts';
import { entryOf, SLOT, viewTypes } from '../rules.full-calendar.ts';
import { timesOfSpan, clashInWords, type Times } from '../rules.move.ts';
import { groupOf, isClosed, namesOf, titleOf, type Group } from '../rules.ts';
import { iconOf, icons } from './KindTile.tsx';

/** The time as a line of a month has it: '9a', '10:30a'. */
function shortTime(at: Date): string {
  const [hours, minutes] = [at.getHours() % 12 || 12, at.getMinutes()];
  const rest = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`;
  return `${hours}${rest}${at.getHours() < 12 ? 'a' : 'p'}`;
}

const inks: Partial<Record<Group, string>> = { court: 'text-blue', adr: 'text-teal' };

/** The start of a line of a day: its time, or a word in its place. */
function leadOf(item: CalendarItem, isOverdue: boolean): string {
  if (isOverdue) return 'Late:';
  if (item.allDay) return '';
  return shortTime(new Date(item.type === 'event' ? item.start : item.end));
}

interface LineProps {
  item: CalendarItem;
  isOverdue: boolean;
  isNarrow: boolean;
}

/** One line: icon, time, title, matter; on a phone the title alone. Kept, since each step of a drag renders them all. */
const Line = memo(function Line({ item, isOverdue, isNarrow }: LineProps) {
  const Icon = icons[iconOf(item)];
  const lead = leadOf(item, isOverdue);
  const isOver = isClosed(item);
  const isFilled = item.type === 'deadline';
  if (isNarrow)
    return (
      <span
        className={cx('block truncate px-1 text-[0.6875rem]', !isFilled && inks[groupOf(item)])}
      >
        <span className={cx(isOver && 'line-through')}>{titleOf(item)}</span>
        {item.cancelled && <span className="sr-only">Canceled</span>}
      </span>
    );
  return (
    <span className="flex min-w-0 items-center gap-1.5 px-1.5 py-0.5">
      <Icon className={cx('size-3', !isFilled && (inks[groupOf(item)] ?? 'text-ink-2'))} />
      <span className="truncate">
        {lead !== '' && <span className={cx('pr-1', !isFilled && 'text-ink-3')}>{lead}</span>}
        <span className={cx(isOver && 'line-through')}>{titleOf(item)}</span>
        {item.case && (
          <span className={cx(!isFilled && 'text-ink-3')}>{` · ${item.case.caseName}`}</span>
        )}
      </span>
      {item.cancelled && <span className="sr-only">Canceled</span>}
    </span>
  );
});

interface BlockProps {
  item: CalendarItem;
  /** When it begins here, as it is dragged too; a text, which stays the same while the entry does. */
  start: string;
  minutes: number;
  isShort: boolean;
}

/** Pixels of a line of text, and of a block's padding. */
const [LINE, PADDING] = [15, 6];

/** A block among the hours: title, matter and time, and its icon in the corner. */
const Block = memo(function Block({ item, start, minutes, isShort }: BlockProps) {
  // As high as whole lines, so that none is cut in half; the title leaves one of them for the time.
  const height = (minutes / SLOT.minutes) * SLOT.height;
  const lines = Math.max(1, Math.floor((height - PADDING) / LINE));
  const Icon = icons[iconOf(item)];
  const group = groupOf(item);
  const where = item.case?.caseName ?? (item.private ? namesOf(item.people) : '');
  const time = formatTime(start);
  return (
    <span
      className={cx('flex flex-col py-[3px] pr-1.5 pl-[9px]', isShort && 'py-px')}
      style={{ maxHeight: lines * LINE + PADDING }}
    >
      <span
        className={cx(
          'min-w-0 shrink-0 font-strong',
          lines < 3 ? 'truncate' : 'line-clamp-2 @max-[4.5rem]:truncate',
          item.cancelled && 'text-ink-3 line-through',
          item.private && 'text-ink-2',
        )}
        style={{ WebkitLineClamp: lines - 1 }}
      >
        {item.title}
      </span>
      {!isShort && (
        <span
          className={cx(
            'overflow-hidden text-ink-2',
            lines < 4 ? 'shrink-0 truncate pr-4' : '@max-[4.5rem]:truncate',
          )}
        >
          {item.cancelled && 'Canceled · '}
          {[time, where].filter(Boolean).join(' · ')}
        </span>
      )}
      <Icon
        className={cx(
          'absolute right-1.5 bottom-1 size-3',
          isShort && 'hidden',
          inks[group] ?? 'text-ink-2',
        )}
      />
    </span>
  );
});

/** Content of a grid entry. */
export function GridEntry({ event, view, isShort, isNarrow, isMirror }: EventDisplayInfo) {
  const entry = entryOf(event);
  if (entry.kind === 'more' && entry.isOfTasks)
    return (
      <span className="flex min-w-0 items-center gap-1.5 px-1.5 text-ink-2">
        <icons.task className="size-3" />
        <span className="truncate">{isNarrow ? entry.count : event.title}</span>
      </span>
    );
  if (entry.kind === 'more')
    return <span className="truncate px-1.5">{`${entry.count}${isNarrow ? '+' : ' more'}`}</span>;
  if (!event.start) return null;
  const { allDay, start, end } = event;
  // The span that is being drawn has no item yet.
  const item = entry.kind === 'item' ? entry.item : null;
  const isLine = allDay || view.type === viewTypes.month;
  return (
    <>
      {item && isLine && <Line item={item} isOverdue={entry.isOverdue} isNarrow={isNarrow} />}
      {item && !isLine && (
        <Block
          item={item}
          start={start.toISOString()}
          minutes={end ? (end.getTime() - start.getTime()) / 60_000 : 60}
          isShort={isShort}
        />
      )}
      {isMirror && !isLine && <DragLabel item={item} times={timesOfSpan({ allDay, start, end })} />}
    </>
  );
}

/** Everything that is shown, among which a dragged event may clash. */
export const GridItemsContext = createContext<readonly CalendarItem[]>([]);

interface DragLabelProps {
  /** The dragged event; null for a span that is drawn. */
  item: CalendarItem | null;
  times: Times;
}

/** The times of what is dragged, and beside it who would be elsewhere. */
function DragLabel({ item, times }: DragLabelProps) {
  const items = use(GridItemsContext);
  const clash = item && clashInWords(items, item, times);
  // The last days of a week have their note on the left.
  const isAtEnd = new Date(times.start).getDay() > 3;
  if (times.allDay) return null;
  return (
    <>
      <span
        data-drag-label
        className="absolute -top-7 right-0 rounded-full bg-accent px-2.5 py-1 text-sm whitespace-nowrap text-on-accent"
      >
        {`${formatTime(times.start)} – ${formatTime(times.end)}`}
      </span>
      {clash !== null && (
        <span
          className={cx(
            'absolute top-0 z-20 grid w-40 gap-1 rounded-lane border border-line-strong bg-surface p-2.5 text-sm font-normal text-ink-2 shadow-float',
            isAtEnd ? 'right-full mr-2' : 'left-full ml-2',
          )}
        >
          <span className="flex gap-2 text-amber">
            <TriangleAlert className="mt-0.5 size-3.5" />
            {clash}
          </span>
          You can still drop it here.
        </span>
      )}
    </>
  );
}
