import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Case } from '@matterdesk/contract/cases.ts';
import { insertAudits, insertPastAudits, type AuditEntry } from '@matterdesk/server/db/audit.ts';
import { transact } from '@matterdesk/server/db/connect.ts';
import type { Scoped, Transaction } from '@matterdesk/server/db/schema.ts';
import { fold } from '@matterdesk/server/db/search.ts';
import { insertMany } from '@matterdesk/server/db/statements.ts';
import { hashPassword } from '@matterdesk/server/features/accounts/passwords/service.ts';
import { permissionsOf } from '@matterdesk/server/features/accounts/rules.ts';
import * as accounts from '@matterdesk/server/features/accounts/store.ts';
import { type FilledRow, toRow } from '@matterdesk/server/features/cases/rules.ts';
import * as cases from '@matterdesk/server/features/cases/store.ts';
import { toTask } from '@matterdesk/server/features/tasks/store.ts';
import { CommandError, count, type Say } from '@matterdesk/server/operations/command.ts';
import { Random } from '@matterdesk/server/testing/random.ts';
import {
  inventTask,
  inventMatter,
  type Colleague,
  layOut,
  type InventedTask,
  type Matter,
} from './matters.ts';
import type { SeedOptions } from './options.ts';
import { DOMAIN, inventPerson } from './people.ts';

/** Its cases are of New York. */
const TIME_ZONE = 'America/New_York';
const BATCH = 1000;
/** From this many cases on, indexes are rebuilt. */
const MANY = 5000;

type SeedRun = { options: SeedOptions & { password: string }; now: Date; say: Say };

/**
 * Adds a sample firm to the data, all or nothing.
 * @returns the people that it made
 * @throws CommandError in an installation that has other accounts
 */
export async function seedFirm(db: Scoped, seeding: SeedRun): Promise<accounts.UserRow[]> {
  const { options, say } = seeding;
  return transact(db, async (trx) => {
    await accounts.lockAdmins(trx);
    await requireSampleFirm(trx);
    const existing = await countCases(trx);
    // A repeated seed would duplicate every person.
    const random = new Random(options.seed + existing);
    await setUpFirm(trx);
    const { made, colleagues } = await seedPeople(trx, random, seeding);
    if (colleagues.length === 0 && options.cases > 0)
      throw new CommandError('Cases need people who work on them: --users takes at least 1 here');
    const load = () => seedCases(trx, random, { ...seeding, existing, colleagues });
    if (options.cases < MANY) await load();
    else await withoutIndexes(trx, load, (name) => say(`Building the index ${name}`));
    await hastenRounds(trx);
    return made;
  });
}

/** Makes the waiting rounds due, since they complete what is seeded. */
async function hastenRounds(trx: Transaction): Promise<void> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('jobs.job') is not null as exists`.execute(trx);
  if (rows[0]?.exists)
    await sql`
      update jobs.job set start_after = now() where state < 'active' and data ? 'schema'`.execute(
      trx,
    );
}

/** The people of a firm must not find colleagues whom they never hired, among them admins. */
async function requireSampleFirm(trx: Transaction): Promise<void> {
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('email_key', 'not like', `%@${DOMAIN}`)
    .limit(1)
    .executeTakeFirst();
  if (other)
    throw new CommandError(
      'This installation has accounts that npm run seed did not make: seed an empty DATA_DIR instead',
    );
}

/** An admin of a sample firm is not asked for its settings. */
async function setUpFirm(trx: Transaction): Promise<void> {
  await sql`
    update firm set set_up = true, time_zone = coalesce(time_zone, ${TIME_ZONE})`.execute(trx);
}

async function countCases(trx: Transaction): Promise<number> {
  const found = await sql<{ n: number }>`select count(*)::int as n from cases`.execute(trx);
  return found.rows[0]?.n ?? 0;
}

async function seedPeople(
  trx: Transaction,
  random: Random,
  { options: { users, password }, say }: SeedRun,
): Promise<{ made: accounts.UserRow[]; colleagues: Colleague[] }> {
  const passwordHash = await hashPassword(password);
  const made = [];
  for (let index = 0; index < users; index += 1)
    made.push(await plantPerson(trx, random, { index, passwordHash }));
  if (users > 0) say(`People ${count(users)} of ${count(users)}`);
  const everybody = await accounts.listUsers(trx, { withWaiting: false }, { limit: 100_000 });
  const active = everybody.filter((row) => row.active).map(accounts.toUser);
  // The first people get the most work, so they must not be alphabetical.
  return { made, colleagues: random.shuffled(active) };
}

type CasesToSeed = SeedRun & { existing: number; colleagues: Colleague[] };

async function seedCases(
  trx: Transaction,
  random: Random,
  { options, now, say, existing, colleagues }: CasesToSeed,
): Promise<void> {
  const dockets = new Dockets(existing);
  const progress = new Progress(options.cases, say);
  let planting = Promise.resolve();
  let done = 0;
  for (const batch of inBatches(layOut(random, { ...options, now }))) {
    // While the database plants the batch before.
    const invented = batch.map((slot) => {
      const matter = inventMatter(random, { ...slot, now, colleagues });
      const tasks = Array.from({ length: slot.tasks }, () => inventTask(random, matter, now));
      return { matter, tasks };
    });
    await planting;
    progress.report(done);
    done += batch.length;
    const matters = invented.map(({ matter }) => matter);
    planting = dockets.number(trx, matters).then(() => plantMatters(trx, invented));
  }
  await planting;
  progress.report(done);
}

function* inBatches<T>(items: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const INTERVAL_MS = 10_000;

/** Says how many cases are planted, at the end and every ten seconds, with the time left. */
class Progress {
  readonly #all: number;
  readonly #say: Say;
  readonly #begun = performance.now();
  #said = this.#begun;

  constructor(all: number, say: Say) {
    this.#all = all;
    this.#say = say;
  }

  report(done: number): void {
    const now = performance.now();
    const isLast = done === this.#all;
    if (!isLast && now < this.#said + INTERVAL_MS) return;
    this.#said = now;
    const left = ((now - this.#begun) / Math.max(1, done)) * (this.#all - done);
    const rest = isLast ? '' : `, about ${describe(left)} left`;
    this.#say(`Cases ${count(done)} of ${count(this.#all)}, with their tasks${rest}`);
  }
}

function describe(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

/** A user with or without a permission; namesakes get a number in their address. */
async function plantPerson(
  trx: Transaction,
  random: Random,
  { index, passwordHash }: { index: number; passwordHash: string },
): Promise<accounts.UserRow> {
  for (let attempt = 0; ; attempt += 1) {
    const { firstName, lastName, email, role, phoneNumber } = inventPerson(random, index, attempt);
    const row = await accounts.insertUser(trx, {
      first_name: firstName,
      last_name: lastName,
      phone_number: phoneNumber,
      password_hash: passwordHash,
      email,
      role,
      active: true,
      approved: true,
    });
    if (row) return grantPermissions(trx, random, row);
  }
}

async function grantPermissions(trx: Transaction, random: Random, row: accounts.UserRow) {
  const granted = { createCases: random.isLucky(0.5), editTasks: random.isLucky(0.7) };
  const permitted = await accounts.updateUser(trx, row, { permissions: JSON.stringify(granted) });
  const after = { ...accounts.toUser(permitted), permissions: permissionsOf(row.role, granted) };
  const entry = { entity: 'user', entityId: row.id, actorId: row.id } as const;
  await insertAudits(trx, null, [{ ...entry, action: 'created', after }]);
  return permitted;
}

type PlantedMatter = { matter: Matter; tasks: InventedTask[] };

/** Assigns unused case numbers: `2026-CV-00418`. */
class Dockets {
  readonly #last = new Map<string, number>();
  readonly #start: number;

  /** @param start no number up to this one was assigned before */
  constructor(start: number) {
    this.#start = start;
  }

  async number(trx: Transaction, matters: Matter[]): Promise<void> {
    let open = matters;
    while (open.length > 0) {
      for (const { input, docket } of open) input.caseNo = this.#next(input.dateOfOpening, docket);
      const numbers = open.map(({ input }) => input.caseNo);
      const taken = await cases.takenCaseNumbers(trx, numbers);
      open = open.filter(({ input }) => taken.has(fold(input.caseNo)));
    }
  }

  #next(day: string, docket: string): string {
    const series = `${day.slice(0, 4)}-${docket}`;
    const number = (this.#last.get(series) ?? this.#start) + 1;
    this.#last.set(series, number);
    return `${series}-${String(number).padStart(5, '0')}`;
  }
}

/** Numbered matters with their users, tasks and history. */
async function plantMatters(trx: Transaction, batch: PlantedMatter[]): Promise<void> {
  const planted = batch.map(({ matter, tasks }) => {
    const row = { ...toCaseRow(matter), people: matter.team.map(({ id }) => id) };
    const placed = tasks.map((task) => ({ task, row: toTaskRow(task, row.id) }));
    return { matter, row, placed };
  });
  await cases.insertManyCases(
    trx,
    planted.map(({ row }) => row),
  );
  const assignments = planted.flatMap(({ matter: { team }, row }) =>
    team.map(({ id }, position) => ({ case_id: row.id, user_id: id, position })),
  );
  await insertMany(trx, 'case_assignments', assignments);
  const rows = planted.flatMap(({ placed }) => placed.map(({ row }) => row));
  await insertMany(trx, 'tasks', rows);
  const past = planted.flatMap(({ matter, row, placed }) => [
    ...pastOf(matter, row),
    ...placed.flatMap(({ task, row }) => pastOfTask(task, row)),
  ]);
  // The audit log is in chronological order.
  past.sort((a, b) => a.at.getTime() - b.at.getTime());
  await insertPastAudits(trx, past);
}

type PastEntry = AuditEntry & { at: Date };

function toCaseRow({ input, openedAt, closedAt }: Matter): PlantedCase {
  const touched = closedAt ?? openedAt;
  const times = { created_at: openedAt, updated_at: touched };
  return { ...toRow(input, touched), id: randomUUID(), ...times };
}

type PlantedCase = FilledRow & {
  id: string;
  created_at: Date;
  updated_at: Date;
};

function pastOf({ team, openedAt, closedAt }: Matter, row: PlantedCase): PastEntry[] {
  const after = cases.toCase({
    ...row,
    archived_at: row.archived_at ?? null,
    days_open_since: row.days_open_since ?? row.updated_at,
    serial: '',
    access: 'open',
    is_walled: false,
    assigned: team.map((person) => ({ ...person, email: '' })),
    newest_files: [],
    file_count: 0,
    waiting: null,
    incomplete: [],
    no_statute: null,
  });
  const actor = team[0] ? { actorId: team[0].id } : {};
  const entry = { ...actor, entity: 'case', entityId: after.id, caseId: after.id } as const;
  const before: Case = { ...after, statusType: 'Active' };
  const opened = { ...entry, action: 'created', at: openedAt, after: before };
  return closedAt
    ? [opened, { ...entry, action: 'archived', at: closedAt, before, after }]
    : [opened];
}

type PlantedTask = ReturnType<typeof toTaskRow>;

function toTaskRow(task: InventedTask, caseId: string) {
  return {
    id: randomUUID(),
    case_id: caseId,
    name: task.name,
    description: task.description,
    start_time: task.startTime,
    end_time: task.endTime,
    type: task.type,
    assigned_to: task.assignedTo.id,
    created_by: task.createdBy.id,
    done_at: null,
    deleted_at: null,
    created_at: task.createdAt,
    updated_at: task.movedAt ?? task.createdAt,
    in_column_since: task.movedAt ?? task.createdAt,
  };
}

function pastOfTask(task: InventedTask, row: PlantedTask): PastEntry[] {
  const after = toTask({ ...row, ...nameOf(task.assignedTo) });
  const entry = { entity: 'task', entityId: row.id, caseId: row.case_id } as const;
  const before = { ...after, type: 'intake', updatedAt: after.createdAt };
  const by = { actorId: row.created_by };
  const added = { ...entry, ...by, action: 'created', at: task.createdAt, after: before };
  if (!task.movedAt) return [added];
  const mover = { actorId: task.assignedTo.id };
  return [added, { ...entry, ...mover, action: 'moved', at: task.movedAt, before, after }];
}

function nameOf({ firstName, lastName }: Colleague) {
  return { first_name: firstName, last_name: lastName };
}

const TABLES = ['cases', 'case_assignments', 'tasks', 'audit_log'];
/** Index that each added task reads, to keep what lies ahead of its case. */
const KEPT = ['tasks_of_board'];

/**
 * Loads many cases without the indexes of their tables, except those of keys and of what is read meanwhile, and rebuilds these afterwards, which
 * takes a fraction of the time. One transaction, so that a failed load leaves the indexes as they were.
 */
async function withoutIndexes(
  trx: Transaction,
  load: () => Promise<void>,
  onRebuild: (name: string) => void,
): Promise<void> {
  const { rows } = await sql<{ schema: string; name: string; definition: string }>`
    select schemaname as schema, indexname as name, indexdef as definition from pg_indexes
    where schemaname in (current_schema, 'base') and tablename = any(${TABLES})
      and not exists (select from pg_constraint where conname = indexname)
      and not indexname = any(${KEPT})
  `.execute(trx);
  for (const { schema, name } of rows) await sql`drop index ${sql.id(schema, name)}`.execute(trx);
  await load();
  await sql`set local maintenance_work_mem = '512MB'`.execute(trx);
  for (const { name, definition } of rows) {
    onRebuild(name);
    await sql.raw(definition).execute(trx);
  }
}
