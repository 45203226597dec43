import { Temporal } from 'temporal-polyfill';
import { columnIds, columnTitles, type ColumnId } from '@matterdesk/contract/columns.ts';
import type { Board, Task, TaskPatch } from '@matterdesk/contract/tasks.ts';

/** Groups tasks by column, keeping their order. */
export function arrangeBoard(tasks: Task[]): Board {
  const column = <Id extends ColumnId>(id: Id) => ({
    id,
    title: columnTitles[id],
    items: tasks.filter((task) => task.type === id),
  });
  return {
    columns: {
      intake: column('intake'),
      demandOfInsurance: column('demandOfInsurance'),
      finalLawsuit: column('finalLawsuit'),
      discovery: column('discovery'),
      adr: column('adr'),
    },
    columnOrder: [...columnIds],
  };
}

/** Action of the audit entry. */
export function nameOfChange(before: Task, after: Task) {
  if (before.type !== after.type) return 'moved';
  if ((before.doneAt === null) === (after.doneAt === null)) return 'updated';
  return after.doneAt === null ? 'reopened' : 'completed';
}

/** True if every user may make the change: it only moves the card, or only marks it done or not. */
export function isOpenToAll(patch: TaskPatch): boolean {
  const [member, ...others] = Object.keys(patch);
  return others.length === 0 && (member === 'type' || member === 'done');
}

/** The reader's day, and the end of the seven days from it. */
export type DayBounds = { now: Date; tomorrow: Date; weekEnds: Date };

export function daysOf(now: Date, timeZone: string): DayBounds {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .startOfDay();
  const after = (days: number) => new Date(today.add({ days }).startOfDay().epochMilliseconds);
  return { now, tomorrow: after(1), weekEnds: after(7) };
}
