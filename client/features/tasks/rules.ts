import {
  columnIds,
  type ColumnId,
  type Task,
  type TaskForm,
  type TaskPatch,
} from '@matterdesk/contract/tasks.ts';

/**
 * One state of a card that we were told of: when it came to be, in which column, and the key that sorts
 * the card in that column if it came into it with this state.
 */
export type Version = { at: string; type: ColumnId; since: string };

/** Ids of a case's cards as one person has arranged them; the rest of a column follows in its own order. */
export type OwnOrder = Partial<Record<ColumnId, string[]>>;

export type Columns = Record<ColumnId, string[]>;

const VERSIONS_KEPT = 50;

/** The state of a card as a board held it; it stands before everything that comes in later. */
export function loadedVersion({ updatedAt, type }: Task, index: number): Version {
  return { at: updatedAt, type, since: String(index).padStart(7, '0') };
}

/**
 * The states of a card in the order in which they came to be, whatever the order in which they were
 * heard. What is older than the loaded state is in it already.
 */
export function withVersion(versions: readonly Version[], { updatedAt, type }: Task): Version[] {
  const [first] = versions;
  const isLoaded = first !== undefined && first.since !== first.at;
  const isOld = isLoaded && updatedAt <= first.at;
  if (isOld || versions.some(({ at }) => at === updatedAt)) return [...versions];
  const heard = { at: updatedAt, type, since: updatedAt };
  return [...versions, heard].toSorted((a, b) => compare(a.at, b.at)).slice(-VERSIONS_KEPT);
}

/** The key of the moment in which a card came into the column where it is. */
export function sinceOf(versions: readonly Version[]): string {
  const type = versions.at(-1)?.type;
  const before = versions.findLastIndex((version) => version.type !== type);
  return versions[before + 1]?.since ?? '';
}

/** The cards of each column: by when they came into it, then as the person has arranged them. */
export function arrange(
  tasks: readonly Task[],
  versions: Readonly<Record<string, readonly Version[]>>,
  own: OwnOrder = {},
): Columns {
  const keys = new Map(tasks.map(({ id }) => [id, sinceOf(versions[id] ?? [])]));
  const sorted = tasks.toSorted(
    (a, b) => compare(keys.get(a.id) ?? '', keys.get(b.id) ?? '') || compare(a.id, b.id),
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

/** Cards that the person has arranged stand first, as arranged; those that are new to it follow. */
export function withOwnOrder(ids: readonly string[], own: readonly string[] = []): string[] {
  const here = new Set(ids);
  const arranged = own.filter((id) => here.has(id));
  const known = new Set(arranged);
  return [...arranged, ...ids.filter((id) => !known.has(id))];
}

/** The column with a card put before another one; `null`, or a card that is gone, means the end. */
export function place(ids: readonly string[], id: string, before: string | null): string[] {
  const others = ids.filter((one) => one !== id);
  const at = before === null ? -1 : others.indexOf(before);
  return others.toSpliced(at < 0 ? others.length : at, 0, id);
}

/** The least that must be kept of an arrangement: what follows stands in the column's own order anyway. */
export function ownPart(arranged: readonly string[], ids: readonly string[]): string[] {
  const rank = new Map(ids.map((id, index) => [id, index]));
  const rankAt = (index: number) => rank.get(arranged[index] ?? '') ?? -1;
  let end = arranged.length - 1;
  while (end > 0 && rankAt(end - 1) < rankAt(end)) end -= 1;
  return arranged.slice(0, Math.max(end, 0));
}

/** The id before which a card is dropped that is let go over another one. */
export function dropBefore(
  ids: readonly string[],
  target: string,
  edge: 'top' | 'bottom',
): string | null {
  return edge === 'top' ? target : (ids[ids.indexOf(target) + 1] ?? null);
}

/** Whether a card that is put there stays where it is. */
export function isInPlace(ids: readonly string[], id: string, before: string | null): boolean {
  const at = ids.indexOf(id);
  return at >= 0 && (before === id || before === (ids[at + 1] ?? null));
}

/** The column beside another one, if there is one. */
export function columnBeside(column: ColumnId, step: -1 | 1): ColumnId | undefined {
  return columnIds[columnIds.indexOf(column) + step];
}

/** What a form changes about a task: others may have changed the rest meanwhile. */
export function changesOf(task: Task, form: TaskForm): TaskPatch {
  const before: TaskForm = { ...task, assignedTo: task.assignedTo.id };
  const members = Object.keys(form) as (keyof TaskForm)[];
  return Object.fromEntries(
    members.filter((name) => form[name] !== before[name]).map((name) => [name, form[name]]),
  );
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
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });

/** The day of an instant where the reader is, as written there. */
export function formatDay(instant: string): string {
  return day.format(new Date(instant));
}

/** The day and the time of it. */
export function formatMoment(instant: string): string {
  return moment.format(new Date(instant));
}

/** An instant as a `datetime-local` input shows it where the reader is: hours and minutes. */
export function toLocalInput(instant: string): string {
  const date = new Date(instant);
  const two = (number: number) => String(number).padStart(2, '0');
  const year = String(date.getFullYear()).padStart(4, '0');
  const monthAndDay = `${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${year}-${monthAndDay}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/**
 * The instant that is meant by what stands in such an input. What was not touched stays the instant it
 * was: the minute alone does not tell seconds, nor which of the two hours when the clocks go back.
 */
export function toInstant(text: string, untouched?: string): string {
  if (untouched !== undefined && text === toLocalInput(untouched)) return untouched;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}
