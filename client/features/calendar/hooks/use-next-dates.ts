import { useState } from 'react';
import { keyOf } from '../../../core/resource.ts';
import { useAppSelector } from '../../../core/store.ts';
import { BATCH_MS, useResource } from '../../../core/use-resource.ts';
import { addDays, useToday, useNow } from '../../../ui/days.ts';
import { inShownOrder, nextDates, stillOverdue } from '../rules.agenda.ts';
import { calendarWindow, type CalendarQuery } from '../slice.ts';

/** Days back and ahead. */
const DAYS_BACK = 30;
const DAYS_AHEAD = 365;
/** Days before `DAYS_BACK` that are searched for deadlines still overdue. */
const LONG_BACK = 395;

/** Upcoming dates of a matter, overdue deadlines first; none until all of them are known. */
export function useNextDates(caseId: string) {
  const today = useToday();
  const now = useNow();
  const { current, earlier } = queriesOf(caseId, today);
  const { data, failure, status, refresh } = useResource(calendarWindow, current, {
    batchMs: BATCH_MS,
  });
  const before = useResource(calendarWindow, earlier);
  // Overdue deadlines that arrive last would push the others away.
  const isWaiting = (!data && !failure) || (!before.data && !before.failure);
  const overdue = stillOverdue(before.data?.items ?? []);
  const items = isWaiting
    ? []
    : inShownOrder([...overdue, ...nextDates(data?.items ?? [], now)], today);
  const retry = () => {
    refresh();
    if (before.failure) before.refresh();
  };
  const isFailed = data === null && !isWaiting;
  return { items, today, isWaiting, isFailed, failure, status, refresh: retry };
}

/** Number of deadlines and events of a matter that are ahead or overdue; undefined until it is known. */
export function useDateCount(caseId: string): number | undefined {
  const today = useToday();
  const now = useNow();
  const { current, earlier } = queriesOf(caseId, today);
  // A failure is left to the list of the dates, which says so and asks again.
  const [hasFailed, setHasFailed] = useState(false);
  const { failure } = useResource(calendarWindow, hasFailed ? null : current, {
    batchMs: BATCH_MS,
  });
  const { failure: lost } = useResource(calendarWindow, hasFailed ? null : earlier);
  if ((failure ?? lost) && !hasFailed) setHasFailed(true);
  const held = useAppSelector((state) => calendarWindow.read(state, keyOf(current))?.data);
  const before = useAppSelector((state) => calendarWindow.read(state, keyOf(earlier))?.data);
  if (!held || !before) return undefined;
  const dates = nextDates(held.items, now).filter(({ type }) => type !== 'task');
  return dates.length + stillOverdue(before.items).length;
}

function queriesOf(
  caseId: string,
  today: string,
): { current: CalendarQuery; earlier: CalendarQuery } {
  const from = addDays(today, -DAYS_BACK);
  return {
    current: { from, to: addDays(today, DAYS_AHEAD), case: caseId },
    earlier: {
      from: addDays(from, -LONG_BACK),
      to: addDays(from, -1),
      case: caseId,
      kinds: 'deadline',
    },
  };
}
