import type { NewCase } from '@matterdesk/contract/cases.ts';
import { columnIds } from '@matterdesk/contract/columns.ts';
import type { NewTask, Task } from '@matterdesk/contract/tasks.ts';
import { insertAudits } from '@matterdesk/server/db/audit.ts';
import { transact } from '@matterdesk/server/db/connect.ts';
import type { Transaction } from '@matterdesk/server/db/schema.ts';
import { toRow } from '@matterdesk/server/features/cases/rules.ts';
import { openCase } from '@matterdesk/server/features/cases/service.ts';
import { insertCase } from '@matterdesk/server/features/cases/store.ts';
import {
  findTask,
  insertTasks,
  toTask,
  updateTask,
} from '@matterdesk/server/features/tasks/store.ts';
import { Random } from '@matterdesk/server/testing/random.ts';
import { inventMatter } from '../seed/matters.ts';
import { findAdmin } from './admin.ts';
import { type BareDatabase, type Statement, FIRST_ID } from './bare-database.ts';
import { activeCases, type Scenario } from './scenarios.ts';

const MANY = 2000;

/** Writes; bare, one transaction of the changed row and its audit entry, as durable. */
export async function writingScenarios(database: BareDatabase): Promise<Scenario[]> {
  const [first, whole] = [await createCase(database), await createWholeCase(database)];
  return [first, whole, await createTask(database), await moveCard(database)];
}

async function createCase(database: BareDatabase): Promise<Scenario> {
  const mark = Date.now().toString(36);
  const number = `${mark}-bare`;
  const input = newCase(number);
  const statements = await captureWrite(database, async (trx) => {
    const entityId = (await insertCase(trx, toRow(input, new Date()), []))?.id ?? '';
    const entry = { entity: 'case', action: 'created', entityId, caseId: entityId } as const;
    await insertAudits(trx, null, [{ ...entry, after: input }]);
  });
  return {
    name: 'create a case',
    isWrite: true,
    request: (n) => ({ method: 'POST', path: '/api/v1/cases', json: newCase(`${mark}-${n}`, n) }),
    bare: (n) =>
      swapParameters(statements, (value) => (value === number ? `${number}-${n}` : value)),
  };
}

/** The same request, beside all rows that the product writes for it. */
async function createWholeCase(database: BareDatabase): Promise<Scenario> {
  const mark = `${Date.now().toString(36)}-whole`;
  const number = `${mark}-bare`;
  const input = newCase(number, 1 + COUNSEL);
  const statements = await captureOpening(database, newCase(`${mark}-known`), input);
  return {
    name: 'create a case, beside all its rows',
    isWrite: true,
    request: (n) => ({ method: 'POST', path: '/api/v1/cases', json: newCase(`${mark}-${n}`, n) }),
    bare: (n) => ({
      statements: statements(n, (text) => text.replaceAll(number, `${number}-${n}`)),
      isWrite: true,
    }),
  };
}

/** Counsel that a firm meets again and again. */
const COUNSEL = 200;

/**
 * A matter as the seed invents them, of a client who is new to the firm: cases of one and the same client would wait for
 * each other.
 */
export function newCase(caseNo: string, seed = 1): NewCase {
  const { clientInfo, ...matter } = invent(seed);
  const { opposingCounselInfo } = invent(seed % COUNSEL);
  // The seed's few fictional numbers would make clients of one name the same person.
  const own = {
    email: `${caseNo}@example.org`,
    phoneNumber: `+1212${2_000_000 + (seed % 8_000_000)}`,
  };
  return { ...matter, caseNo, clientInfo: { ...clientInfo, ...own }, opposingCounselInfo };
}

function invent(seed: number): NewCase {
  const now = new Date();
  const colleagues = [{ id: '', firstName: 'Rune', lastName: 'Lindqvist' }];
  const circumstances = { now, openedAt: now, isActive: true, colleagues };
  return { ...inventMatter(new Random(seed), circumstances).input, assignedUsers: [] };
}

/** Spread over many cases, whose boards are bounded. */
async function createTask(database: BareDatabase): Promise<Scenario> {
  const ids = await activeCases(database, MANY);
  const [user] = await database.read<{ id: string }>('select id from users where active limit 1');
  const pick = (n: number) => ids[n % ids.length] ?? '';
  const input = newTask(pick(0), user?.id ?? '');
  const statements = await captureWrite(database, async (trx) => {
    const [entityId = ''] = await insertTasks(trx, [toTaskRow(input)]);
    const entry = { entity: 'task', action: 'created', entityId, caseId: input.case } as const;
    await insertAudits(trx, null, [{ ...entry, after: input }]);
  });
  return {
    name: 'create a task',
    isWrite: true,
    request: (n) => ({
      method: 'POST',
      path: '/api/v1/tasks',
      json: { ...input, case: pick(n) },
    }),
    bare: (n) => swapParameters(statements, (value) => (value === input.case ? pick(n) : value)),
  };
}

function newTask(caseId: string, userId: string): NewTask {
  return {
    name: 'Prepare for deposition',
    description: 'Exhibits, witness list and room',
    startTime: '2026-11-23T14:00:00.000Z',
    endTime: '2026-11-23T16:00:00.000Z',
    case: caseId,
    assignedTo: userId,
    type: 'intake',
  };
}

function toTaskRow(task: NewTask) {
  return {
    case_id: task.case,
    name: task.name,
    description: task.description,
    start_time: new Date(task.startTime),
    end_time: new Date(task.endTime),
    type: task.type,
    assigned_to: task.assignedTo,
    created_by: task.assignedTo,
    deleted_at: null,
  };
}

/** To the next column. */
async function moveCard(database: BareDatabase): Promise<Scenario> {
  const rows = await database.read<{ id: string; type: Task['type'] }>(
    'select id, type from tasks where deleted_at is null order by created_at desc limit $1',
    [MANY],
  );
  const pick = (n: number) => rows[n % rows.length];
  const next = (n: number) => {
    const start = columnIds.indexOf(pick(n)?.type ?? 'intake');
    return columnIds[(start + 1 + Math.floor(n / rows.length)) % columnIds.length] ?? 'intake';
  };
  const first = pick(0)?.id ?? '';
  const statements = await captureWrite(database, async (trx) => {
    const before = await findTask(trx, first);
    if (!before) throw new Error('The task to move is missing');
    await updateTask(trx, first, { change: { type: 'adr' }, isMoved: true });
    const entry = {
      entity: 'task',
      action: 'moved',
      entityId: first,
      caseId: before.case_id,
    } as const;
    const task = toTask(before);
    await insertAudits(trx, null, [{ ...entry, before: task, after: task }]);
  });
  const swap = (n: number) => (value: unknown) =>
    value === 'adr' ? next(n) : value === first ? pick(n)?.id : value;
  return {
    name: 'move a card',
    isWrite: true,
    request: (n) => ({
      method: 'PATCH',
      path: `/api/v1/tasks/${pick(n)?.id}`,
      json: { type: next(n) },
    }),
    bare: (n) => swapParameters(statements, swap(n)),
  };
}

/** The writing statements of a transaction. */
async function captureWrite(
  database: BareDatabase,
  work: (trx: Transaction) => Promise<unknown>,
): Promise<Statement[]> {
  const seen = await database.capture((db) => transact(db, work));
  return seen.filter(({ text }) => /^\s*(insert|update)/.test(text));
}

function swapParameters(statements: Statement[], swap: (value: unknown) => unknown) {
  const swapped = statements.map((one) => ({ ...one, values: one.values.map(swap) }));
  return { statements: swapped, isWrite: true };
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const WRITING = /^\s*(?:insert|update|with given)/;

/** Statements of one transaction, made anew for each number: ids differ, and what `swap` changes. */
type Repeatable = (n: number, swap: (text: string) => string) => Statement[];

/**
 * All that the product writes for a new case: its row, limitation, contacts, parties, names, audit entries and check.
 * @param known opened before, with the same counsel, whom the firm then knows
 */
async function captureOpening(
  database: BareDatabase,
  known: NewCase,
  input: NewCase,
): Promise<Repeatable> {
  const { contextOf } = await findAdmin(database);
  await database.captureServices((db) => openCase(contextOf(db), known));
  const [start] = await database.read<{ at: Date }>('select clock_timestamp() as at');
  let caseId = '';
  const seen = await database.captureServices(async (db) => {
    caseId = (await openCase(contextOf(db), input)).id;
  });
  const writes = seen.filter(({ text }) => WRITING.test(text));
  const found = [...JSON.stringify(writes).matchAll(UUID)].map(([id]) => id);
  const before = await database.read<{ id: string }>(
    `select id from users where id = any($1) union
      select id from contacts where id = any($1) and created_at < $2`,
    [found, start?.at],
  );
  const old = new Set(before.map(({ id }) => id));
  const added = new Set(found.filter((id) => !old.has(id) && id !== caseId));
  const another = (id: string, n: number) => id.slice(0, -12) + n.toString(16).padStart(12, '0');
  return (n, swap) =>
    writes.map(({ text, values }) => ({
      text,
      values: values.map((value) =>
        typeof value === 'string'
          ? swap(value)
              .replaceAll(caseId, FIRST_ID)
              .replace(UUID, (id) => (added.has(id) ? another(id, n) : id))
          : value,
      ),
    }));
}
