import '@fullcalendar/react/skeleton.css';
import FullCalendar, {
  type CalendarOptions,
  type CalendarRef,
  type EventChangeInfo,
} from '@fullcalendar/react';
import dayGridPlugin from '@fullcalendar/react/daygrid';
import interactionPlugin from '@fullcalendar/react/interaction';
import timeGridPlugin from '@fullcalendar/react/timegrid';
import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { cx } from '../../../ui/cx.ts';
import { localDay } from '../../../ui/days.ts';
import { entriesOf, isOverdue } from '../rules.grid.ts';
import { type Times, timesOfSpan } from '../rules.move.ts';
import { type Days, daysOfView, type GridView } from '../rules.views.ts';
import { ShownItems } from './DragLabel.tsx';
import { DayName } from './DayName.tsx';
import { DeadlineFlag } from './DeadlineFlag.tsx';
import { GridEntry } from './GridEntry.tsx';
import { entryOf, look } from '../rules.look.ts';
import { coveredHour, hourOf, optionsOf, plain, viewTypes } from '../rules.options.ts';
import { useEntryKeys } from './use-entry-keys.ts';
import { useEscapeDrag } from './use-escape-drag.ts';
import { useKeyMoves } from './use-key-moves.ts';
import type { Move } from './use-moves.ts';
import { useScrollFocus } from './use-scroll-focus.ts';

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

/** What FullCalendar asks for while it renders. */
const contents = {
  eventContent: (info) => <GridEntry {...info} />,
  backgroundEventContent: () => <DeadlineFlag />,
  dayHeaderContent: (info) => (
    <DayName {...info} isNamedOnly={info.view.type === viewTypes.month} />
  ),
  dayCellTopContent: (info) => <DayName {...info} isNumberedOnly />,
} satisfies CalendarOptions;

/** Month, week or day, with what is on it. */
export function Grid({ view, date, now, items, onOpen, onOpenDay, ...acts }: GridProps) {
  const { onMove, onSpan, onPropose } = acts;
  const calendar = useRef<CalendarRef>(null);
  const grid = useRef<HTMLDivElement>(null);
  const isMeasured = useMeasured(grid);
  useScrollFocus(grid);
  const { shown, press } = useKeyMoves(items, onMove);
  // A text, so that a minute in which nothing became overdue changes nothing.
  const overdue = items.flatMap((item) => (isOverdue(item, now) ? [item.id] : [])).join(',');
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
  useEffect(() => {
    calendar.current?.getApi().changeView(viewTypes[view], date);
  }, [view, date]);

  const handleChange = ({ event, revert }: EventChangeInfo) => {
    const entry = entryOf(event);
    if (drag.wasCanceled() || entry.kind !== 'item' || !event.start) return revert();
    const { allDay, start, end } = event;
    onMove({ item: entry.item, times: timesOfSpan({ allDay, start, end }), revert });
  };
  return (
    <div ref={grid} className={cx('h-full', !isMeasured && 'invisible')}>
      <ShownItems value={items}>
        <FullCalendar
          {...look}
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
          eventDragStart={drag.begin}
          eventDragStop={drag.stop}
          eventDrop={handleChange}
          eventResizeStart={drag.begin}
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
      </ShownItems>
    </div>
  );
}

/** The labels of hours, without one that the label of the present time would cover. */
function useHourLabel({ from, to }: Days, now: Date) {
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
