import { randomUUID } from 'node:crypto';
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Deadline, DeadlineEntry } from '@matterdesk/contract/deadlines.ts';
import { isId } from '../../core/ids.ts';
import { sendLater } from '../../db/connection.ts';
import type { DeadlinesTable } from '../../db/schema-deadlines.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';
import { insertMany, personJsonb } from '../../db/statements.ts';

type People = Record<'owner' | 'second' | 'verifier' | 'acknowledger' | 'proposer', Person | null>;
export type DeadlineRow = Selectable<DeadlinesTable> & People & { case_name: string | null };

const person = (column: string) => sql<Person | null>`(
  select ${personJsonb('p')}
  from users p where p.id = ${sql.raw(column)})`;

/** Selects deadlines with the names that a reply needs. */
export function named(db: Scoped) {
  return db
    .selectFrom('deadlines as d')
    .selectAll('d')
    .select([
      person('d.owner_id').as('owner'),
      person('d.second_id').as('second'),
      person('d.verified_by').as('verifier'),
      person('d.acknowledged_by').as('acknowledger'),
      person(`(d.pending->>'by')::uuid`).as('proposer'),
      sql<string | null>`(select c.case_name from cases c where c.id = d.case_id)`.as('case_name'),
    ]);
}

function stamp(by: Person | null, at: Date | null) {
  return at && { by, at: at.toISOString() };
}

export function toDeadline(row: DeadlineRow): Deadline {
  const { pending, proposer } = row;
  return {
    id: row.id,
    title: row.title,
    kind: row.kind,
    hard: row.hard,
    date: row.date,
    time: row.time,
    timeZone: row.time_zone,
    enteredBy: row.dated_by,
    workingDate: row.working_date,
    case: row.case_id === null ? null : { id: row.case_id, caseName: row.case_name ?? '' },
    owner: row.owner,
    second: row.second,
    status: row.status,
    verified: stamp(row.verifier, row.verified_at),
    acknowledged: stamp(row.acknowledger, row.acknowledged_at),
    pending: pending && proposer && { ...pending, by: proposer },
    effectiveDate: row.effective_date,
    basis: row.basis,
    source: row.source,
    note: row.note,
    warnDays: row.warn_days,
    imported: row.imported,
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Name and number of a case that the reader may see. */
export async function findMatter(
  db: Scoped,
  id: string,
): Promise<{ caseName: string; caseNo: string | null } | undefined> {
  if (!isId(id)) return undefined;
  return db
    .selectFrom('cases')
    .select(['case_name as caseName', 'case_no as caseNo'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export function findDeadline(db: Scoped, id: string): Promise<DeadlineRow | undefined> {
  return named(db).where('d.id', '=', id).executeTakeFirst();
}

/** Locks a deadline; the case of a limitation first, as changes of cases do. */
export async function lockDeadline(trx: Transaction, id: string): Promise<DeadlineRow | undefined> {
  await sql`select from cases where id = (
    select case_id from deadlines where id = ${id} and kind = 'limitation') for update`.execute(
    trx,
  );
  return named(trx).where('d.id', '=', id).forUpdate('d').executeTakeFirst();
}

export function lockLimitation(trx: Transaction, caseId: string): Promise<DeadlineRow | undefined> {
  return named(trx)
    .where('d.case_id', '=', caseId)
    .where('d.kind', '=', 'limitation')
    .forUpdate('d')
    .executeTakeFirst();
}

export async function insertDeadline(
  trx: Transaction,
  row: Insertable<DeadlinesTable>,
): Promise<DeadlineRow> {
  const id = randomUUID();
  await addDeadline(trx, { ...row, id });
  return named(trx).where('d.id', '=', id).executeTakeFirstOrThrow();
}

/** Inserts it with the transaction's next statement. */
export async function addDeadline(
  trx: Transaction,
  row: Insertable<DeadlinesTable> & { id: string },
): Promise<void> {
  await sendLater(trx, trx.insertInto('deadlines').values(row).compile());
}

/** Everything but the rule that a deadline was counted by, which never changes, and its case's state. */
type DeadlineChange = Omit<Partial<Selectable<DeadlinesTable>>, 'counting' | 'is_active'>;

/** Updates a locked row. */
export async function updateDeadline(
  trx: Transaction,
  id: string,
  { pending, source, basis, ...change }: DeadlineChange,
): Promise<DeadlineRow> {
  await trx
    .updateTable('deadlines')
    .set({
      ...change,
      ...(pending !== undefined && { pending: pending && JSON.stringify(pending) }),
      ...(source !== undefined && { source: source && JSON.stringify(source) }),
      ...(basis !== undefined && { basis: basis && JSON.stringify(basis) }),
      updated_at: sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .execute();
  return named(trx).where('d.id', '=', id).executeTakeFirstOrThrow();
}

export type NewEntry = {
  by: string | null;
  action: string;
  from?: object | undefined;
  to?: object | undefined;
  reason?: string | undefined;
};

type EntryOf = { row: Pick<DeadlineRow, 'id' | 'case_id'>; entry: NewEntry };

/** Appends to the history of a locked deadline; the database sets its time and its hash. */
export function insertEntry(trx: Transaction, row: EntryOf['row'], entry: NewEntry): Promise<void> {
  return insertEntries(trx, [{ row, entry }]);
}

/** Appends to the histories of locked deadlines. */
export async function insertEntries(trx: Transaction, entries: EntryOf[]): Promise<void> {
  const rows = entries.map(({ row, entry: { by, action, from, to, reason = '' } }) => ({
    deadline_id: row.id,
    case_id: row.case_id,
    by_id: by,
    action,
    from_state: from ?? null,
    to_state: to ?? null,
    reason,
  }));
  await insertMany(trx, 'deadline_history', rows);
}

/** Newest first. */
export async function listHistory(db: Scoped, id: string): Promise<DeadlineEntry[]> {
  const rows = await db
    .selectFrom('deadline_history as h')
    .select(['h.at', 'h.action', 'h.from_state', 'h.to_state', 'h.reason', 'h.hash'])
    .select(person('h.by_id').as('by'))
    .where('h.deadline_id', '=', id)
    .orderBy('h.id', 'desc')
    .execute();
  return rows.map((row) => ({
    at: row.at.toISOString(),
    by: row.by,
    action: row.action,
    from: row.from_state,
    to: row.to_state,
    reason: row.reason,
    hash: row.hash.toString('hex'),
  }));
}

/** Which of some matters have a deadline with a history, which stays for good. */
export async function casesWithHistory(db: Scoped, caseIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('deadline_history')
    .select('case_id')
    .distinct()
    .where('case_id', '=', sql<string>`any(${[...caseIds]}::uuid[])`)
    .execute();
  return rows.flatMap(({ case_id: id }) => (id === null ? [] : [id]));
}

/** Whether a person has opened a deadline since anything else happened to it. */
export async function hasSeen(db: Scoped, id: string, userId: string): Promise<boolean> {
  const { rows } = await sql<{ seen: boolean }>`
    select exists (select from deadline_history h where h.deadline_id = ${id} and h.by_id = ${userId}
      and h.action = 'seen' and h.id > coalesce((select max(o.id) from deadline_history o
        where o.deadline_id = ${id} and o.action <> 'seen'), 0)) as seen`.execute(db);
  return rows[0]?.seen ?? false;
}

/** Counts users who can sign in. */
export async function countActivePeople(db: Scoped): Promise<number> {
  const { counted } = await db
    .selectFrom('users')
    .select(sql<number>`count(*)::int`.as('counted'))
    .where('active', '=', true)
    .executeTakeFirstOrThrow();
  return counted;
}

type CaseWithoutLimitation = { id: string; SOL: string; assignedUsers: { id: string }[] };

const lacksLimitation = sql<boolean>`(c.sol is not null
  and not exists (select from deadlines d where d.case_id = c.id and d.kind = 'limitation'))`;

/** Includes cases that another transaction has locked. */
export async function hasCasesWithoutLimitation(db: Executor): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from cases c where ${lacksLimitation}) as found`.execute(db);
  return rows[0]?.found === true;
}

/** Cases without a limitation, locked, so that no SOL changes meanwhile; without those that another transaction holds. */
export async function listCasesWithoutLimitation(
  trx: Transaction,
  limit: number,
): Promise<CaseWithoutLimitation[]> {
  const { rows } = await sql<{ id: string; sol: string; owner: string | null }>`
    select c.id, c.sol, (select a.user_id from case_assignments a join users u on u.id = a.user_id
        where a.case_id = c.id and u.active and not exists (select from case_access s
          where s.case_id = c.id and s.user_id = a.user_id and s.kind = 'screened')
        order by a.position limit 1) as owner
    from cases c
    where ${lacksLimitation}
    order by c.serial limit ${limit} for no key update of c skip locked`.execute(trx);
  return rows.map(({ id, sol, owner }) => ({
    id,
    SOL: sol,
    assignedUsers: owner === null ? [] : [{ id: owner }],
  }));
}

type ImportedLimitation = { id: string; case_id: string; date: string; time: null };

/** Inserts limitations of cases that have none. */
export async function insertImportedLimitations(
  trx: Transaction,
  rows: ImportedLimitation[],
): Promise<void> {
  await insertMany(trx, 'deadlines', rows);
}

/** First entries of their histories. */
export async function insertImportedEntries(
  trx: Transaction,
  rows: ImportedLimitation[],
): Promise<void> {
  const entries = rows.map(({ id, case_id, date, time }) => ({
    deadline_id: id,
    case_id,
    by_id: null,
    action: 'imported',
    from_state: null,
    to_state: { date, time },
    reason: '',
  }));
  await insertMany(trx, 'deadline_history', entries);
}

/** Deadlines of a matter in order of date. */
export function listDeadlinesOfCase(
  db: Scoped,
  caseId: string,
  limit: number,
): Promise<DeadlineRow[]> {
  return named(db)
    .where('d.case_id', '=', caseId)
    .orderBy('d.date')
    .orderBy('d.id')
    .limit(limit)
    .execute();
}

/** A history entry, and whether its hash matches the entry and the preceding hash. */
export type ProvenEntry = DeadlineEntry & { isSound: boolean };

type ProvenRow = {
  at: Date;
  by: Person | null;
  action: string;
  from_state: object | null;
  to_state: object | null;
  reason: string;
  hash: Buffer;
  is_sound: boolean;
};

/** The history of a deadline, oldest first. Each hash is computed again from its entry and the hash before. */
export async function listProvenHistory(
  db: Scoped,
  id: string,
  limit: number,
): Promise<ProvenEntry[]> {
  const { rows } = await sql<ProvenRow>`
    select h.at, h.action, h.from_state, h.to_state, h.reason, h.hash,
      (select ${personJsonb('u')}
        from users u where u.id = h.by_id) as by,
      h.hash = base.hash_of_deadline_entry(row(h.id, h.deadline_id, h.case_id, h.at, h.by_id,
        h.action, h.from_state, h.to_state, h.reason, h.hash)::base.deadline_history,
        coalesce(lag(h.hash) over (order by h.id), '')) as is_sound
    from deadline_history h where h.deadline_id = ${id} order by h.id limit ${limit}`.execute(db);
  return rows.map(({ at, from_state: from, to_state: to, hash, is_sound: isSound, ...row }) => ({
    ...row,
    at: at.toISOString(),
    from,
    to,
    hash: hash.toString('hex'),
    isSound,
  }));
}
