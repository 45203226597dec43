import type { ColumnId } from '@matterdesk/contract/columns.ts';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import type { ListedTask } from '@matterdesk/contract/task-lists.ts';
import {
  type Board,
  END_BEFORE_START,
  TASKS_PER_CASE_MAX,
  type NewTask,
  type Task,
  type TaskPatch,
} from '@matterdesk/contract/tasks.ts';
import { type ActorContext, asActor, write } from '../../context.ts';
import { type Actor, allow } from '../../core/actor.ts';
import type { IdempotencyKey } from '../../core/idempotency-key.ts';
import { ID, isId } from '../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { cutPage, describeTotal, INSTANT, type PageQuery, readCursor } from '../../http/paging.ts';
import { requireAssignable } from '../accounts/service.ts';
import { caseExists } from '../cases/service.ts';
import { readFirm } from '../firm/service.ts';
import { requireSource } from '../stream/service.entries.ts';
import * as rules from './rules.ts';
import { daysOf } from './rules.ts';
import * as store from './store.ts';

const PAGE = 50;

type Query = store.TaskFilter & PageQuery & { timeZone?: string | undefined };

/** @throws Refusal notFound for an unknown case */
export async function readBoard(context: ActorContext, caseId: string): Promise<Board> {
  const db = asActor(context);
  const rows = isId(caseId) ? await store.listTasks(db, caseId) : [];
  // A case with tasks exists.
  if (rows.length === 0 && !(await caseExists(db, caseId))) throw notFound('Case');
  return rules.arrangeBoard(rows.map(store.toTask));
}

/** @throws Refusal notPermitted, invalidInput for an unknown case or user */
export async function addTask(
  context: ActorContext,
  input: NewTask,
  once?: IdempotencyKey,
): Promise<Task> {
  allow(context.actor, 'editTasks');
  if (input.assignee !== undefined && input.assignee !== context.actor.id)
    throw invalidField('assignee', 'Assignee must be your own id');
  return write(
    context,
    (unit) => insertTask(unit, context.actor, input),
    once && {
      ...once,
      requireVisible: (trx, { id }) => findVisibleTask(trx, id),
    },
  );
}

/** The same as a part of another write. */
export async function addTaskIn(unit: Unit, actor: Actor, input: NewTask): Promise<Task> {
  allow(actor, 'editTasks');
  return insertTask(unit, actor, input);
}

/** Deletes a task that an undone write had added. One that the caller does not see stays. */
export async function takeTaskBack(unit: Unit, id: string): Promise<void> {
  const row = await store.lockTask(unit.trx, id);
  if (row) await hideTask(unit, store.toTask(row));
}

/**
 * Moves a card or marks it as done, as every user may, or changes its fields.
 * @throws Refusal notPermitted, notFound, invalidInput
 */
export async function changeTask(
  context: ActorContext,
  id: string,
  patch: TaskPatch,
): Promise<Task> {
  if (!rules.isOpenToAll(patch)) allow(context.actor, 'editTasks');
  const { type, ...others } = patch;
  return write(context, (unit) =>
    type === undefined || Object.keys(others).length > 0
      ? applyTaskChange(unit, id, patch)
      : applyMove(unit, id, type),
  );
}

/** Hides the task; the row is removed later. */
export async function deleteTask(context: ActorContext, id: string): Promise<void> {
  allow(context.actor, 'editTasks');
  await write(context, async (unit) => hideTask(unit, await lockTask(unit, id)));
}

async function hideTask(unit: Unit, before: Task): Promise<void> {
  const { id } = before;
  const change = { deleted_at: new Date() };
  const at = await store.updateTask(unit.trx, id, { change, isMoved: false });
  await unit.record({ ...about(before), action: 'deleted', before });
  unit.emit('task.deleted', { id, case: before.case }, { at: at.toISOString() });
}

/** The user's tasks in active cases, by due time. */
export async function listOwnTasks(context: ActorContext, limit: number) {
  const [rows, total] = await Promise.all([
    store.listTasksOf(asActor(context), context.actor.id, limit),
    store.countTasksOf(asActor(context), context.actor.id),
  ]);
  return { tasks: rows.map(toOwnTask), total };
}

/** The user's tasks in active cases that touch a time span. */
export async function listOwnTasksDuring(
  context: ActorContext,
  span: { from: Date; to: Date; limit: number },
) {
  const rows = await store.listTasksDuring(asActor(context), context.actor.id, span);
  return rows.map(toOwnTask);
}

/** One page by the end, with the counts of what is due when. */
export async function listTasks(
  context: ActorContext,
  { limit = PAGE, cursor, timeZone, ...asked }: Query,
) {
  const db = asActor(context);
  const after = cursor ? readCursor(cursor, [INSTANT, ID]) : undefined;
  const filter = { ...asked, ...(asked.assignedTo === 'me' && { assignedTo: context.actor.id }) };
  const days = daysOf(new Date(), timeZone ?? (await readFirm(context)).timeZone);
  const [rows, { total, ...counts }] = await Promise.all([
    store.listTasksAcrossCases(db, { filter, days, limit: limit + 1, after }),
    store.countTasksAcrossCases(db, { filter, days, cap: TOTAL_CAP + 1 }),
  ]);
  const keyOf = (row: store.ListedRow) => [row.end_time.toISOString(), row.id];
  const { page, nextCursor } = cutPage(rows, limit, keyOf);
  return {
    tasks: page.map(toListed),
    counts: capCounts(counts),
    nextCursor,
    ...describeTotal(total),
  };
}

async function insertTask(unit: Unit, actor: Actor, input: NewTask): Promise<Task> {
  const row = {
    case_id: input.case,
    name: input.name,
    description: input.description,
    start_time: new Date(input.startTime),
    end_time: new Date(input.endTime),
    type: input.type,
    assigned_to: input.assignedTo,
    created_by: actor.id,
    entry_id: input.source?.id ?? null,
  };
  if (input.source) await requireTaskSource(unit, input);
  const isPossible = isId(input.case) && isId(input.assignedTo);
  const first = isPossible ? await store.addTask(unit.trx, row) : undefined;
  if (!first) await requireTaskPlace(unit, input);
  // The missing row may have been added meanwhile.
  const added = first ?? (await store.addTask(unit.trx, row));
  if (!added) throw new Refusal('unavailable');
  const task = store.toTask(added);
  await unit.record({ ...about(task), action: 'created', after: task });
  unit.emit('task.created', task);
  return task;
}

/** @throws Refusal invalidInput for an unknown case, or an entry of another one */
async function requireTaskSource({ trx }: Unit, input: NewTask): Promise<void> {
  await requireTaskCase(trx, input.case);
  await requireSource(trx, { caseId: input.case, source: input.source });
}

/** Says why a task cannot be added. */
async function requireTaskPlace({ trx }: Unit, input: NewTask): Promise<void> {
  await requireTaskCase(trx, input.case);
  const assignees = { ids: [input.assignedTo], path: 'assignedTo' };
  await requireAssignable(trx, assignees);
  await requireRoom(trx, input.case);
}

async function applyMove(unit: Unit, id: string, type: ColumnId): Promise<Task> {
  const moved = isId(id) ? await store.moveTask(unit.trx, id, type) : undefined;
  if (!moved) throw notFound('Task');
  const [before, after] = [store.toTask(moved.before), store.toTask(moved.after)];
  await unit.record({
    ...about(after),
    action: rules.nameOfChange(before, after),
    before,
    after,
  });
  unit.emit('task.updated', after);
  return after;
}

async function applyTaskChange(unit: Unit, id: string, patch: TaskPatch): Promise<Task> {
  const before = await lockTask(unit, id);
  const times = {
    start: patch.startTime ?? before.startTime,
    end: patch.endTime ?? before.endTime,
  };
  if (times.end < times.start) throw invalidField('endTime', END_BEFORE_START);
  if (patch.case !== undefined) await requireTaskCase(unit.trx, patch.case);
  if (patch.assignedTo !== undefined) {
    const already = [before.assignedTo.id];
    const assignees = { ids: [patch.assignedTo], path: 'assignedTo', already };
    await requireAssignable(unit.trx, assignees);
  }
  const isElsewhere = patch.case !== undefined && patch.case !== before.case;
  if (isElsewhere) await requireRoom(unit.trx, patch.case ?? '');
  const isMoved = isElsewhere || (patch.type !== undefined && patch.type !== before.type);
  const change = toColumns(patch);
  await store.updateTask(unit.trx, id, { change, isMoved, isDone: patch.done });
  const after = await findVisibleTask(unit.trx, id);
  const entry = { ...about(after), action: rules.nameOfChange(before, after), before, after };
  // Both cases' audit logs record the move.
  await unit.recordAll(isElsewhere ? [{ ...entry, caseId: before.case }, entry] : [entry]);
  if (isElsewhere) {
    unit.emit('task.deleted', { id, case: before.case }, { at: after.updatedAt });
    unit.emit('task.created', after);
  } else unit.emit('task.updated', after);
  return after;
}

async function findVisibleTask(db: Scoped, id: string): Promise<Task> {
  const row = await store.findTask(db, id);
  if (!row) throw notFound('Task');
  return store.toTask(row);
}

async function lockTask(unit: Unit, id: string): Promise<Task> {
  const row = isId(id) ? await store.lockTask(unit.trx, id) : undefined;
  if (!row) throw notFound('Task');
  return store.toTask(row);
}

async function requireTaskCase(db: Scoped, id: string): Promise<void> {
  if (!(await caseExists(db, id))) throw invalidField('case', 'Please select any case');
}

async function requireRoom(db: Scoped, caseId: string): Promise<void> {
  if ((await store.countTasks(db, caseId)) >= TASKS_PER_CASE_MAX)
    throw new Refusal('boardFull', `A case can have at most ${TASKS_PER_CASE_MAX} tasks`);
}

/** Fields of every audit entry about a task. */
export function about(task: Pick<Task, 'id' | 'case'>) {
  return { entity: 'task', entityId: task.id, caseId: task.case } as const;
}

function toColumns(patch: TaskPatch) {
  return {
    ...(patch.name !== undefined && { name: patch.name }),
    ...(patch.description !== undefined && { description: patch.description }),
    ...(patch.startTime !== undefined && { start_time: new Date(patch.startTime) }),
    ...(patch.endTime !== undefined && { end_time: new Date(patch.endTime) }),
    ...(patch.type !== undefined && { type: patch.type }),
    ...(patch.case !== undefined && { case_id: patch.case }),
    ...(patch.assignedTo !== undefined && { assigned_to: patch.assignedTo }),
  };
}

function toOwnTask(row: Awaited<ReturnType<typeof store.listTasksOf>>[number]) {
  const { case: caseId, ...task } = store.toTask(row);
  return { ...task, case: { id: caseId, caseName: row.case_name } };
}

function capCounts<Counts extends Record<string, number>>(counts: Counts): Counts {
  const capped = Object.entries(counts).map(([due, n]) => [due, Math.min(n, TOTAL_CAP)]);
  return Object.fromEntries(capped) as Counts;
}

function toListed(row: store.ListedRow): ListedTask {
  return { ...store.toTask(row), caseName: row.case_name, caseNo: row.case_no };
}
