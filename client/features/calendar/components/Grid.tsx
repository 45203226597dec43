import '@fullcalendar/react/skeleton.css';
import FullCalendar, {
  type CalendarOptions,
  type CalendarRef,
  type DayCellInfo,
  type DayHeaderInfo,
  type EventChangeInfo,
} from '@fullcalendar/react';
import dayGridPlugin from '@fullcalendar/react/daygrid';
import interactionPlugin from '@fullcalendar/react/interaction';
import timeGridPlugin from '@fullcalendar/react/timegrid';
import Flag from 'lucide-react/icons/flag';
import {
  type ComponentProps,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { useFirmDay } from '../../../core/use-firm.ts';
import { cx } from '../../../ui/cx.ts';
import { formatDay, localDay } from '../../../ui/days.ts';
import type { Move } from '../hooks/use-moves.ts';
import {
  entryOf,
  gridStyles,
  coveredHour,
  hourOf,
  optionsOf,
  plain,
  viewTypes,
} from '../rules.full-calendar.ts';
import { entriesOf, isOverdue } from '../rules.grid.ts';
import { movedByKey, type Times, timesOfSpan } from '../rules.move.ts';
import { type DayRange, daysOfView, type GridView } from '../rules.views.ts';
import { GridItemsContext, GridEntry } from './GridEntry.tsx';

interface GridProps {
  view: GridView;
  date: string;
  now: Date;
  items: readonly CalendarItem[];
  onOpen: (item: CalendarItem) => void;
  onOpenDay: (day: string) => void;
  onMove: (move: Move) => void;
  /** A span that was drawn. */
  onSpan: (times: Times) => void;
  /** A deadline that was to be moved. */
  onPropose: (item: CalendarItem) => void;
}

const plugins = [dayGridPlugin, timeGridPlugin, interactionPlugin];

/** Render hooks for FullCalendar. */
const contents = {
  eventContent: (info) => <GridEntry {...info} />,
  backgroundEventContent: () => <DeadlineFlag />,
  dayHeaderContent: (info) => (
    <DayName {...info} isNamedOnly={info.view.type === viewTypes.month} />
  ),
  dayCellTopContent: (info) => <DayName {...info} isNumberedOnly />,
} satisfies CalendarOptions;

/**
 * FullCalendar with its options frozen during a drag. If they changed before the drop, it would treat the event as
 * external: it would show the event at the new place without reporting the move.
 */
const HeldCalendar = memo(
  function HeldCalendar({
    isHeld: _isHeld,
    ...options
  }: ComponentProps<typeof FullCalendar> & { isHeld: boolean }) {
    return <FullCalendar {...options} />;
  },
  (_before, { isHeld }) => isHeld,
);

/** Month, week or day, with what is on it. */
export function Grid({ view, date, now, items, onOpen, onOpenDay, ...acts }: GridProps) {
  const { onMove, onSpan, onPropose } = acts;
  const calendar = useRef<CalendarRef>(null);
  const grid = useRef<HTMLDivElement>(null);
  const isMeasured = useMeasured(grid);
  useScrollFocus(grid);
  const { shown, press } = useKeyMoves(items, onMove);
  // A text, so that a minute in which nothing became overdue changes nothing.
  const firmDay = useFirmDay();
  const overdue = items
    .flatMap((item) => (isOverdue(item, { now, firmDay }) ? [item.id] : []))
    .join(',');
  const entries = useMemo(() => {
    const days = daysOfView(view, date);
    return entriesOf(shown, { view, days, overdue: new Set(overdue.split(',')) });
  }, [shown, view, date, overdue]);
  const hourLabel = useHourLabel(daysOfView(view, date), now);
  const drag = useEscapeDrag();
  useEntryKeys({
    grid,
    onArrow: (id, key, isResize) => {
      const entry = entries.find((known) => known.id === id);
      if (entry?.extendedProps.kind !== 'item') return;
      const { item } = entry.extendedProps;
      if (entry.editable) press(item, { key, view, isResize });
      else if (item.type === 'deadline') onPropose(item);
    },
  });
  const drawn = useRef<string>(undefined);
  useEffect(() => {
    const days = `${view} ${date}`;
    // Other days wait until a drag ends; the drag itself redraws none.
    if (drag.isHeld || drawn.current === days) return;
    drawn.current = days;
    calendar.current?.getApi().changeView(viewTypes[view], date);
  }, [view, date, drag.isHeld]);

  const handleChange = ({ event, revert }: EventChangeInfo) => {
    const entry = entryOf(event);
    if (drag.wasCanceled() || entry.kind !== 'item' || !event.start) return revert();
    const { allDay, start, end } = event;
    onMove({ item: entry.item, times: timesOfSpan({ allDay, start, end }), revert });
  };
  return (
    <div ref={grid} className={cx('h-full', !isMeasured && 'invisible')}>
      <GridItemsContext value={items}>
        <HeldCalendar
          isHeld={drag.isHeld}
          {...gridStyles}
          {...plain}
          {...optionsOf(view)}
          ref={calendar}
          plugins={plugins}
          initialView={viewTypes[view]}
          initialDate={date}
          events={entries}
          slotHeaderContent={hourLabel}
          navLinkDayClick={(day) => onOpenDay(localDay(day))}
          moreLinkClick={({ date: day }) => onOpenDay(localDay(day))}
          {...contents}
          eventDidMount={({ el, event }) => {
            el.dataset['entry'] = event.id;
          }}
          eventClick={({ event }) => {
            const entry = entryOf(event);
            if (entry.kind === 'more') onOpenDay(entry.day);
            else onOpen(entry.item);
          }}
          eventDragStart={drag.hold}
          eventDragStop={drag.stop}
          eventDrop={handleChange}
          eventResizeStart={drag.hold}
          eventResizeStop={drag.stop}
          eventResize={handleChange}
          selectAllow={() => {
            drag.begin();
            return true;
          }}
          select={(span) => {
            calendar.current?.getApi().unselect();
            if (!drag.wasCanceled()) onSpan(timesOfSpan(span));
          }}
        />
      </GridItemsContext>
    </div>
  );
}

/** The labels of hours, without one that the label of the present time would cover. */
function useHourLabel({ from, to }: DayRange, now: Date) {
  const today = localDay(now);
  const covered = from <= today && today <= to ? coveredHour(now) : undefined;
  return useCallback(
    ({ date }: { date: Date }) => (date.getHours() === covered ? '' : hourOf(date)),
    [covered],
  );
}

/** Whether FullCalendar, which draws its first frame before it knows its size, has been measured. */
function useMeasured(ref: RefObject<HTMLElement | null>): boolean {
  const [isMeasured, setIsMeasured] = useState(false);
  useLayoutEffect(() => {
    // After FullCalendar's own observers, and so in the same update as theirs.
    const observer = new ResizeObserver(() => setIsMeasured(true));
    if (ref.current) observer.observe(ref.current);
    return () => observer.disconnect();
  }, [ref]);
  return isMeasured;
}

/** Hangs on the line at a hard deadline's time. */
function DeadlineFlag() {
  return (
    <span className="absolute top-0 right-1 grid size-5 place-items-center rounded-b-[5px] bg-ink text-paper">
      <Flag className="size-3" />
    </span>
  );
}

/** Rows that scroll take the focus, so that keys scroll them also where no entry has it. */
function useScrollFocus(grid: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const { current } = grid;
    if (!current) return undefined;
    const observer = new ResizeObserver(() => focusScrolledRows(current));
    observer.observe(current);
    return () => observer.disconnect();
  }, [grid]);
  // FullCalendar draws other rows for other days and entries.
  useLayoutEffect(() => {
    const frame = requestAnimationFrame(() => grid.current && focusScrolledRows(grid.current));
    return () => cancelAnimationFrame(frame);
  });
}

/**
 * ARIA allows only rows inside a grid, so groups of rows take the focus. Those that scroll are found by the inline
 * overflow that FullCalendar writes.
 */
function focusScrolledRows(grid: HTMLElement) {
  const all = grid.querySelectorAll<HTMLElement>('[style*="overflow"] > [role="rowgroup"]');
  for (const rows of all) {
    const { parentElement: part } = rows;
    const isScrolled = part !== null && part.scrollHeight > part.clientHeight;
    if (isScrolled && /auto|scroll/.test(getComputedStyle(part).overflowY)) rows.tabIndex = 0;
    else rows.removeAttribute('tabindex');
  }
}

/** Lets Escape end a drag where it began, and a span that is drawn, which FullCalendar does not know. */
function useEscapeDrag() {
  const drag = useRef<'none' | 'running' | 'canceled'>('none');
  const [isHeld, setIsHeld] = useState(false);
  useLayoutEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || drag.current !== 'running') return;
      event.preventDefault();
      drag.current = 'canceled';
      document.dispatchEvent(new MouseEvent('mouseup'));
    };
    // A span may end where none can be drawn, which nothing reports.
    const settle = () =>
      setTimeout(() => {
        if (drag.current === 'running') drag.current = 'none';
      });
    document.addEventListener('keydown', handle, true);
    document.addEventListener('mouseup', settle);
    return () => {
      document.removeEventListener('keydown', handle, true);
      document.removeEventListener('mouseup', settle);
    };
  }, []);
  const begin = () => {
    drag.current = 'running';
  };
  return {
    /** Whether an event is being dragged. */
    isHeld,
    begin,
    hold: () => {
      begin();
      setIsHeld(true);
    },
    /** Resets here because a drag that moved nothing never asks `wasCanceled`. */
    stop: () => {
      if (drag.current === 'running') drag.current = 'none';
      setIsHeld(false);
    },
    wasCanceled: () => drag.current === 'canceled',
  };
}

type DayNameProps = Pick<DayHeaderInfo | DayCellInfo, 'date' | 'isToday' | 'weekdayText'> & {
  isNamedOnly?: boolean;
  isNumberedOnly?: boolean;
};

/** 'Fri 20 Today' above a day; 'Fri' above a month's column, '20 Today' in its days. */
function DayName({ date, isToday, weekdayText, isNamedOnly, isNumberedOnly }: DayNameProps) {
  const isFirst = isNumberedOnly === true && date.getDate() === 1;
  return (
    <span
      className={cx(
        'flex items-baseline gap-1.5',
        // A column of a phone's week is as wide as its number.
        !isNamedOnly && !isNumberedOnly && 'max-sm:flex-col max-sm:items-center max-sm:gap-0',
        isToday && 'font-strong text-accent-ink',
      )}
    >
      {isNumberedOnly !== true && (
        <span className={cx(isNamedOnly && 'text-ink-3')}>{weekdayText}</span>
      )}
      {isNamedOnly !== true && (
        <span
          className={cx(
            isNumberedOnly !== true && 'text-heading font-strong',
            isToday ? 'rounded-small bg-accent px-1.5 text-on-accent' : 'text-ink',
          )}
        >
          {isFirst && `${formatDay(localDay(date), 'month')} `}
          {date.getDate()}
        </span>
      )}
      {isToday && isNamedOnly !== true && <span className="max-xl:sr-only">Today</span>}
    </span>
  );
}

type KeyMove = {
  item: CalendarItem;
  times: Times;
  /** Items on the screen when it was sent; later ones include the saved event. Null until it is sent. */
  sentWith: readonly CalendarItem[] | null;
};

/**
 * Moves by keys: arrows with Ctrl move an event, with Ctrl and Shift its end. It is shown where it goes while Ctrl is
 * held, and saved once when it is released.
 */
function useKeyMoves(items: readonly CalendarItem[], move: (move: Move) => void) {
  const [held, setHeld] = useState<KeyMove | null>(null);
  const current = useRef<KeyMove>(null);
  const hold = (next: KeyMove | null) => {
    current.current = next;
    setHeld(next);
  };

  const press = (item: CalendarItem, by: { key: string; view: GridView; isResize: boolean }) => {
    const waiting = current.current?.sentWith === null ? current.current : null;
    const before = waiting?.item.id === item.id ? waiting : null;
    const from = before?.item ?? item;
    const times = movedByKey(before?.times ?? from, by);
    if (times) hold({ item: from, times, sentWith: null });
  };

  useEffect(() => {
    const release = (event: KeyboardEvent) => {
      const { current: waiting } = current;
      if (event.key !== 'Control' || waiting?.sentWith !== null) return;
      hold({ ...waiting, sentWith: items });
      move({ ...waiting, revert: () => hold(null) });
    };
    document.addEventListener('keyup', release);
    return () => document.removeEventListener('keyup', release);
  });

  const shown = useMemo(() => {
    if (!held || (held.sentWith !== null && held.sentWith !== items)) return items;
    return items.map((item) => (item.id === held.item.id ? { ...item, ...held.times } : item));
  }, [items, held]);
  return { shown, press };
}

interface EntryKeys {
  grid: RefObject<HTMLElement | null>;
  /** An arrow with Ctrl on an entry; with Shift it changes the end. */
  onArrow: (id: string, key: string, isResize: boolean) => void;
}

/** Keys of the entry with the focus, which it keeps when it is drawn elsewhere. */
function useEntryKeys({ grid, onArrow }: EntryKeys) {
  const focused = useRef<string>(null);

  useLayoutEffect(() => {
    const { current } = grid;
    const note = ({ target }: FocusEvent) => {
      focused.current = idOf(target);
    };
    const handle = (event: KeyboardEvent) => {
      const id = idOf(event.target);
      if (id === null || !event.key.startsWith('Arrow')) return;
      if (event.ctrlKey) onArrow(id, event.key, event.shiftKey);
      else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') focusNeighbor(current, event);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    current?.addEventListener('focusin', note);
    current?.addEventListener('keydown', handle);
    return () => {
      current?.removeEventListener('focusin', note);
      current?.removeEventListener('keydown', handle);
    };
  });

  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const { activeElement } = document;
      const isLost = activeElement === null || activeElement === document.body;
      if (isLost && focused.current !== null) elementOf(grid.current, focused.current)?.focus();
    });
    return () => cancelAnimationFrame(frame);
  });
}

function idOf(target: EventTarget | null): string | null {
  if (!(target instanceof Element)) return null;
  return target.closest('[data-entry]')?.getAttribute('data-entry') ?? null;
}

function elementOf(grid: HTMLElement | null, id: string): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(id)}"]`) ?? null;
}

/** The entry before or after, in the order in which they are drawn. */
function focusNeighbor(grid: HTMLElement | null, { key, target }: KeyboardEvent) {
  const all = [...(grid?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])];
  const at = all.findIndex((entry) => entry === target);
  all[at + (key === 'ArrowDown' ? 1 : -1)]?.focus();
}
