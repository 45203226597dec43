import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { createContext, use } from 'react';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { formatTime } from '../../../core/words.ts';
import { cx } from '../../../ui/cx.ts';
import { clashInWords, type Times } from '../rules.move.ts';

/** Everything that is shown, among which a dragged event may clash. */
export const ShownItems = createContext<readonly CalendarItem[]>([]);

interface DragLabelProps {
  /** The dragged event; null for a span that is drawn. */
  item: CalendarItem | null;
  times: Times;
}

/** The times of what is dragged, and beside it who would be elsewhere. */
export function DragLabel({ item, times }: DragLabelProps) {
  const items = use(ShownItems);
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
