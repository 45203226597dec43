import type { DayCellInfo, DayHeaderInfo } from '@fullcalendar/react';
import { cx } from '../../../ui/cx.ts';
import { formatDay, localDay } from '../../../ui/days.ts';

type DayNameProps = Pick<DayHeaderInfo | DayCellInfo, 'date' | 'isToday' | 'weekdayText'> & {
  isNamedOnly?: boolean;
  isNumberedOnly?: boolean;
};

/** 'Fri 20 Today' above a day; 'Fri' above a month's column, '20 Today' in its days. */
export function DayName({ date, isToday, weekdayText, isNamedOnly, isNumberedOnly }: DayNameProps) {
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
