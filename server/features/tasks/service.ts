import { END_BEFORE_START, MAX_TASKS_PER_CASE } from '@matterdesk/contract/tasks.ts';
import type { ColumnId } from '@matterdesk/contract/columns.ts';
import type { Board, NewTask, Task, TaskPatch } from '@matterdesk/contract/tasks.ts';
import type { Once } from '../../core/once.ts';
import type { Database, Scoped } from '../../db/schema.ts';
import type { Unit, Writer } from '../../db/unit-of-work.ts';
import { allow, type Actor } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import type { AccountService } from '../accounts/service.ts';
import type { CaseService } from '../cases/service.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

type Neighbours = { accounts: AccountService; cases: CaseService };

export class TaskService {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #neighbours: Neighbours;

  constructor(db: Database, writer: Writer, neighbours: Neighbours) {
    this.#db = db;
    this.#writer = writer;
    this.#neighbours = neighbours;
  }

  /** @throws Refusal notFound for an unknown case */
  async readBoard(actor: Actor, caseId: string): Promise<Board> {
    const db = this.#db.as(actor);
    const rows = isId(caseId) ? await store.listTasks(db, caseId) : [];
    // A case with tasks exists.
    if (rows.length === 0 && !(await this.#neighbours.cases.exists(db, caseId)))
      throw notFound('Case');
    return rules.arrangeBoard(rows.map(store.toTask));
  }

  /** @throws Refusal notPermitted, invalidInput for an unknown case or user */
  async addTask(actor: Actor, input: NewTask, once?: Once): Promise<Task> {
    allow(actor, 'editTasks');
    if (input.assignee !== undefined && input.assignee !== actor.id)
      throw invalidField('assignee', 'Assignee must be your own id');
    return this.#writer.run(
      actor,
      (unit) => this.#add(unit, actor, input),
      once && {
        ...once,
        again: (trx, { id }) => this.#find(trx, id),
      },
    );
  }

  async #add(unit: Unit, actor: Actor, input: NewTask): Promise<Task> {
    const row = {
      case_id: input.case,
      name: input.name,
      description: input.description,
      start_time: new Date(input.startTime),
      end_time: new Date(input.endTime),
      type: input.type,
      assigned_to: input.assignedTo,
      created_by: actor.id,
    };
    const isPossible = isId(input.case) && isId(input.assignedTo);
    const first = isPossible ? await store.addTask(unit.trx, row) : undefined;
    if (!first) await this.#requirePlace(unit, input);
    // What was missing may have come since.
    const added = first ?? (await store.addTask(unit.trx, row));
    if (!added) throw new Refusal('unavailable');
    const task = store.toTask(added);
    await unit.record({ ...about(task), action: 'created', after: task });
    unit.emit('task.created', task);
    return task;
  }

  /** Says why a task cannot be added. */
  async #requirePlace({ trx }: Unit, input: NewTask): Promise<void> {
    await this.#requireCase(trx, input.case);
    const assignees = { ids: [input.assignedTo], path: 'assignedTo' };
    await this.#neighbours.accounts.requireAssignable(trx, assignees);
    await requireRoom(trx, input.case);
  }

  /**
   * Moves a card or marks it as done, as every user may, or changes its fields.
   * @throws Refusal notPermitted, notFound, invalidInput
   */
  async changeTask(actor: Actor, id: string, patch: TaskPatch): Promise<Task> {
    if (!rules.isOpenToAll(patch)) allow(actor, 'editTasks');
    const { type, ...others } = patch;
    return this.#writer.run(actor, (unit) =>
      type === undefined || Object.keys(others).length > 0
        ? this.#change(unit, id, patch)
        : this.#move(unit, id, type),
    );
  }

  async #move(unit: Unit, id: string, type: ColumnId): Promise<Task> {
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

  async #change(unit: Unit, id: string, patch: TaskPatch): Promise<Task> {
    const before = await this.#lock(unit, id);
    const times = {
      start: patch.startTime ?? before.startTime,
      end: patch.endTime ?? before.endTime,
    };
    if (times.end < times.start) throw invalidField('endTime', END_BEFORE_START);
    if (patch.case !== undefined) await this.#requireCase(unit.trx, patch.case);
    if (patch.assignedTo !== undefined) {
      const already = [before.assignedTo.id];
      const assignees = { ids: [patch.assignedTo], path: 'assignedTo', already };
      await this.#neighbours.accounts.requireAssignable(unit.trx, assignees);
    }
    const isElsewhere = patch.case !== undefined && patch.case !== before.case;
    if (isElsewhere) await requireRoom(unit.trx, patch.case ?? '');
    const isMoved = isElsewhere || (patch.type !== undefined && patch.type !== before.type);
    const change = toColumns(patch);
    await store.updateTask(unit.trx, id, { change, isMoved, isDone: patch.done });
    const after = await this.#find(unit.trx, id);
    const entry = { ...about(after), action: rules.nameOfChange(before, after), before, after };
    // Both cases' audit logs record the move.
    await unit.recordAll(isElsewhere ? [{ ...entry, caseId: before.case }, entry] : [entry]);
    if (isElsewhere) {
      unit.emit('task.deleted', { id, case: before.case }, { at: after.updatedAt });
      unit.emit('task.created', after);
    } else unit.emit('task.updated', after);
    return after;
  }

  /** Hides the task; the row is removed later. */
  async deleteTask(actor: Actor, id: string): Promise<void> {
    allow(actor, 'editTasks');
    await this.#writer.run(actor, async (unit) => {
      const before = await this.#lock(unit, id);
      const change = { deleted_at: new Date() };
      const at = await store.updateTask(unit.trx, id, { change, isMoved: false });
      await unit.record({ ...about(before), action: 'deleted', before });
      unit.emit('task.deleted', { id, case: before.case }, { at: at.toISOString() });
    });
  }

  /** The user's tasks in active cases, by due time. */
  async listOwn(actor: Actor, limit: number) {
    const [rows, total] = await Promise.all([
      store.listTasksOf(this.#db.as(actor), actor.id, limit),
      store.countTasksOf(this.#db.as(actor), actor.id),
    ]);
    return { tasks: rows.map(toOwnTask), total };
  }

  /** The user's tasks in active cases that touch a time span. */
  async listOwnDuring(actor: Actor, span: { from: Date; to: Date; limit: number }) {
    const rows = await store.listTasksDuring(this.#db.as(actor), actor.id, span);
    return rows.map(toOwnTask);
  }

  async #find(db: Scoped, id: string): Promise<Task> {
    const row = await store.findTask(db, id);
    if (!row) throw notFound('Task');
    return store.toTask(row);
  }

  async #lock(unit: Unit, id: string): Promise<Task> {
    const row = isId(id) ? await store.lockTask(unit.trx, id) : undefined;
    if (!row) throw notFound('Task');
    return store.toTask(row);
  }

  async #requireCase(db: Scoped, id: string): Promise<void> {
    if (!(await this.#neighbours.cases.exists(db, id)))
      throw invalidField('case', 'Please select any case');
  }
}

async function requireRoom(db: Scoped, caseId: string): Promise<void> {
  if ((await store.countTasks(db, caseId)) >= MAX_TASKS_PER_CASE)
    throw new Refusal('boardFull', `A case can have at most ${MAX_TASKS_PER_CASE} tasks`);
}

function about(task: Task) {
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
