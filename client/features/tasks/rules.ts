import { columnIds, type ColumnId } from '@matterdesk/contract/columns.ts';
import type { Task, TaskForm, TaskPatch } from '@matterdesk/contract/tasks.ts';
import { changedMembers } from '../../core/changed-members.ts';
import { toLocalInput } from '../../ui/local-input.ts';

/** Ids of a case's cards as one user has arranged them; the rest of a column follows in its own order. */
export type OwnOrder = Partial<Record<ColumnId, string[]>>;

export type Columns = Record<ColumnId, string[]>;

/** The cards of each column: in the order in which they entered it, then as the user has arranged them. */
export function arrange(tasks: readonly Task[], own: OwnOrder = {}): Columns {
  const sorted = tasks.toSorted(
    (a, b) => compare(a.columnSince, b.columnSince) || compare(a.id, b.id),
  );
  const columns: Columns = {
    intake: [],
    demandOfInsurance: [],
    finalLawsuit: [],
    discovery: [],
    adr: [],
  };
  for (const { id, type } of sorted) columns[type].push(id);
  for (const id of columnIds) columns[id] = withOwnOrder(columns[id], own[id]);
  return columns;
}

/** Cards that the user has arranged come first, as arranged; new ones follow. */
export function withOwnOrder(ids: readonly string[], own: readonly string[] = []): string[] {
  const here = new Set(ids);
  const arranged = own.filter((id) => here.has(id));
  const known = new Set(arranged);
  return [...arranged, ...ids.filter((id) => !known.has(id))];
}

/** The column with a card put before another; `null`, or a card that is not in it, means the end. */
export function placeBefore(ids: readonly string[], id: string, before: string | null): string[] {
  const others = ids.filter((other) => other !== id);
  const at = before === null ? -1 : others.indexOf(before);
  return others.toSpliced(at < 0 ? others.length : at, 0, id);
}

/** The shortest part of an arrangement that restores it: what follows is in the column's own order. */
export function minimalOrder(arranged: readonly string[], ids: readonly string[]): string[] {
  const rank = new Map(ids.map((id, index) => [id, index]));
  const rankAt = (index: number) => rank.get(arranged[index] ?? '') ?? -1;
  let end = arranged.length - 1;
  while (end > 0 && rankAt(end - 1) < rankAt(end)) end -= 1;
  return arranged.slice(0, Math.max(end, 0));
}

/** The id before which a card goes that is dropped over another. */
export function dropBefore(
  ids: readonly string[],
  target: string,
  edge: 'top' | 'bottom',
): string | null {
  return edge === 'top' ? target : (ids[ids.indexOf(target) + 1] ?? null);
}

/** Whether a card put there stays where it is. */
export function isInPlace(ids: readonly string[], id: string, before: string | null): boolean {
  const at = ids.indexOf(id);
  return at >= 0 && (before === id || before === (ids[at + 1] ?? null));
}

/** The neighboring column, if there is one. */
export function columnBeside(column: ColumnId, step: -1 | 1): ColumnId | undefined {
  return columnIds[columnIds.indexOf(column) + step];
}

/** Only the fields that a form changes, since others may have changed the rest meanwhile. */
export function changesOf(task: Task, form: TaskForm): TaskPatch {
  return changedMembers<TaskForm>({ ...task, assignedTo: task.assignedTo.id }, form);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const day = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** The day of an instant where the reader is, as written there. */
export function formatDay(instant: string): string {
  return day.format(new Date(instant));
}

/** The next half hour, and the end of the working day a week later, as such inputs show them. */
export function proposedTimes(now: Date): { startTime: string; endTime: string } {
  const start = new Date(now);
  start.setMinutes(start.getMinutes() < 30 ? 30 : 60, 0, 0);
  const end = new Date(start);
  end.setDate(end.getDate() + 7);
  end.setHours(17, 0, 0, 0);
  return { startTime: toLocalInput(start.toISOString()), endTime: toLocalInput(end.toISOString()) };
}

/**
 * The instant that a `datetime-local` input means. An untouched input keeps its instant: the minute alone leaves out
 * the seconds, and which of the two hours it is when the clocks go back.
 */
export function toInstant(text: string, untouched?: string): string {
  if (untouched !== undefined && text === toLocalInput(untouched)) return untouched;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}
