// Tasks of an import.

import { columnIds } from '@matterdesk/contract/columns.ts';
import { mapInSlices } from '../../core/time-slices.ts';
import type { SourceRow } from '../../integrations/exports/source.ts';
import {
  changeImportedTasks,
  findSameTasks,
  findViewers,
  type ImportedTask,
  importTasks,
  readImportedTasks,
  removeImportedTasks,
  type TaskChange,
} from '../tasks/service.imports.ts';
import * as texts from './rules.cells.ts';
import * as rules from './rules.tasks.ts';
import { textOf } from './rules.ts';
import type { Draft, Kind, RefusedRow, Run, Values } from './service.kinds.ts';
import { type FindPerson, findMatters, findPeople, withoutMatter } from './service.references.ts';

const MAX_DESCRIPTION_LENGTH = 4000;
const TOO_LONG = `A task takes a description of ${MAX_DESCRIPTION_LENGTH} characters`;

type Assignee = { id: string | undefined; isActive: boolean };
type TaskReferences = {
  matters: ReadonlyMap<SourceRow, string>;
  assigned: ReadonlyMap<SourceRow, Assignee>;
};

async function draftTasks(run: Run, rows: readonly SourceRow[]): Promise<(Draft | RefusedRow)[]> {
  const matters = await findMatters(run, rows);
  const person = await findPeople(run, rows, 'assignedTo');
  const assigned = await findAssigned(run, rows, { matters, person });
  return mapInSlices(rows, (row) => draftTask(run, row, { matters, assigned }));
}

/** Users who see the matter of their task. */
async function findAssigned(
  { context }: Run,
  rows: readonly SourceRow[],
  { matters, person }: { matters: TaskReferences['matters']; person: FindPerson },
): Promise<Map<SourceRow, Assignee>> {
  const asked = rows.flatMap((row) => {
    const [caseId, userId] = [matters.get(row), person(row.cells['assignedTo'])];
    return caseId === undefined || userId === undefined ? [] : [{ row, caseId, userId }];
  });
  const seeing = await findViewers(context.db.asSystem('a task needs someone who sees it'), asked);
  return new Map(
    asked.map(({ row, userId }, at) => {
      const { active = false, sees = false } = seeing[at] ?? {};
      return [row, { id: sees ? userId : undefined, isActive: active }];
    }),
  );
}

type TaskTimes = Record<'start' | 'due' | 'doneAt', Date | null>;

function readTimes(run: Run, row: SourceRow): TaskTimes | RefusedRow {
  const read: TaskTimes = { start: null, due: null, doneAt: null };
  for (const field of ['start', 'due', 'doneAt'] as const) {
    const written = row.cells[field];
    if (!written) continue;
    const at = (field === 'due' ? rules.endOf : rules.startOf)(written, run);
    if (!at) return { row, field, message: texts.notADate(written) };
    read[field] = at;
  }
  return read;
}

function draftTask(run: Run, row: SourceRow, found: TaskReferences): Draft | RefusedRow {
  const { cells } = row;
  const { now, system } = run;
  const caseId = found.matters.get(row);
  if (caseId === undefined) return withoutMatter(row);
  const name = texts.plainLine(cells['name'], row.isPlain);
  if (name === '') return { row, field: 'name', message: 'Name is required' };
  const read = readTimes(run, row);
  if ('message' in read) return read;
  const { title, whole } = texts.titleOf(name);
  const said = rules.isDone(cells['done']);
  const isDone = said ?? read.doneAt !== null;
  const written = cells['start'] ?? '';
  const ends = { ...read, doneAt: isDone ? read.doneAt : null };
  const times = rules.timesOf(ends, { clock: run, now, system, written });
  const { startTime, endTime } = times;
  const assigned = assignedTo(run, row, { found, isDone });
  const status =
    cells['done'] && said === undefined
      ? `Status in ${system}: ${texts.plainLine(cells['done'])}`
      : null;
  const own = texts.joinLines([whole, texts.paragraphsOf(cells['text'], row.isPlain)]);
  const below = texts.joinLines([assigned.line, status, ...times.lines]);
  const described = [own, below].filter((part) => part !== '').join('\n\n');
  const description = texts.withRest(described, row, system);
  if (description.length > MAX_DESCRIPTION_LENGTH) return { row, field: 'text', message: TOO_LONG };
  const happened = read.doneAt ?? (endTime < now ? endTime : now);
  const task: ImportedTask = {
    caseId,
    name: title,
    description,
    startTime,
    endTime,
    assignedTo: assigned.id,
    column: columnIds.find((column) => column === cells['column']) ?? 'intake',
    doneAt: isDone ? (happened > now ? now : happened) : null,
  };
  return { row, key: cells['id'] ?? null, name: title, values: valuesOf(task), extra: task };
}

/** Open tasks belong to someone who is here; those of others to the user who imports, and say whose they were. */
function assignedTo(
  { context, system }: Run,
  row: SourceRow,
  { found, isDone }: { found: TaskReferences; isDone: boolean },
): { id: string; line: string | null } {
  const word = row.cells['assignedTo'];
  const known = found.assigned.get(row);
  if (known?.id !== undefined && (known.isActive || isDone)) return { id: known.id, line: null };
  const line = word ? `Assigned to ${texts.plainLine(word)} in ${system}` : null;
  return { id: context.actor.id, line };
}

function valuesOf(task: ImportedTask): Values {
  return {
    name: task.name,
    text: task.description,
    start: task.startTime.toISOString(),
    due: task.endTime.toISOString(),
    assignedTo: task.assignedTo,
    doneAt: task.doneAt?.toISOString() ?? null,
  };
}

function taskIn({ extra }: Draft): ImportedTask {
  return extra as ImportedTask;
}

function changeOf(id: string, values: Values): TaskChange {
  const [name, description] = [textOf(values['name']), textOf(values['text'])];
  const [start, due] = [textOf(values['start']), textOf(values['due'])];
  const [assigned, doneAt] = [textOf(values['assignedTo']), textOf(values['doneAt'])];
  return {
    id,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(start !== undefined && { startTime: new Date(start) }),
    ...(due !== undefined && { endTime: new Date(due) }),
    ...(assigned !== undefined && { assignedTo: assigned }),
    ...(doneAt !== undefined && { doneAt: new Date(doneAt) }),
  };
}

export const taskKind: Kind = {
  kind: 'tasks',
  draft: draftTasks,
  match: (_run, db, drafts) => findSameTasks(db, drafts.map(taskIn)),
  async current(trx, ids) {
    const found = await readImportedTasks(trx, ids);
    return new Map([...found].map(([id, task]) => [id, valuesOf(task)]));
  },
  insert: ({ context }, unit, drafts) => importTasks(unit, context.actor.id, drafts.map(taskIn)),
  update: (_run, unit, changes) =>
    changeImportedTasks(
      unit,
      changes.map(({ id, values }) => changeOf(id, values)),
    ),
  async remove(_run, unit, ids) {
    await removeImportedTasks(unit, ids);
    return new Map();
  },
};
