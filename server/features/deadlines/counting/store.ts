import { sql, type Selectable, type Updateable } from 'kysely';
import type { Jurisdiction, Rule } from '@matterdesk/contract/court-rules.ts';
import type { JurisdictionsTable, RulesTable } from '../../../db/schema-deadlines.ts';
import type { Executor, Transaction } from '../../../db/schema.ts';

const later = sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`;

function toJurisdiction(row: Selectable<JurisdictionsTable>): Jurisdiction {
  const { id, name, time_zone: timeZone, weekend, holidays } = row;
  return { id, name, timeZone, weekend, holidays, updatedAt: row.updated_at.toISOString() };
}

function toRule(row: Selectable<RulesTable>): Rule {
  const { id, name, trigger, steps, reviewed, version } = row;
  const updatedAt = row.updated_at.toISOString();
  return {
    id,
    name,
    jurisdiction: row.jurisdiction_id,
    trigger,
    steps,
    reviewed,
    version,
    updatedAt,
  };
}

export async function listJurisdictions(db: Executor): Promise<Jurisdiction[]> {
  const rows = await db
    .selectFrom('jurisdictions')
    .selectAll()
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(toJurisdiction);
}

export async function findJurisdiction(
  db: Executor,
  id: string,
): Promise<Jurisdiction | undefined> {
  const query = db.selectFrom('jurisdictions').selectAll().where('id', '=', id);
  const row = await query.executeTakeFirst();
  return row && toJurisdiction(row);
}

export async function lockJurisdiction(trx: Transaction, id: string) {
  const query = trx.selectFrom('jurisdictions').selectAll().where('id', '=', id).forUpdate();
  const row = await query.executeTakeFirst();
  return row && toJurisdiction(row);
}

type JurisdictionInput = Omit<Jurisdiction, 'id' | 'updatedAt'>;

function toColumns({ name, timeZone, weekend, holidays }: JurisdictionInput) {
  return { name, time_zone: timeZone, weekend, holidays: JSON.stringify(holidays) };
}

export async function insertJurisdiction(
  trx: Transaction,
  input: JurisdictionInput,
): Promise<Jurisdiction> {
  const row = await trx
    .insertInto('jurisdictions')
    .values(toColumns(input))
    .returningAll()
    .executeTakeFirstOrThrow();
  return toJurisdiction(row);
}

export async function updateJurisdiction(
  trx: Transaction,
  id: string,
  input: JurisdictionInput,
): Promise<Jurisdiction> {
  const row = await trx
    .updateTable('jurisdictions')
    .set({ ...toColumns(input), updated_at: later })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toJurisdiction(row);
}

/** The latest version of each. */
export async function listRules(db: Executor): Promise<Rule[]> {
  const rows = await db
    .selectFrom('rules')
    .selectAll()
    .where('is_latest', '=', true)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(toRule);
}

/** The latest version, locked. */
export async function lockRule(trx: Transaction, id: string): Promise<Rule | undefined> {
  const row = await trx
    .selectFrom('rules')
    .selectAll()
    .where('id', '=', id)
    .where('is_latest', '=', true)
    .forUpdate()
    .executeTakeFirst();
  return row && toRule(row);
}

type RuleInput = Omit<Rule, 'id' | 'updatedAt'>;

/** Adds a version, which becomes the latest; without an id, a new rule. */
export async function insertRule(
  trx: Transaction,
  input: RuleInput,
  { id, reviewedBy }: { id?: string; reviewedBy: string | null },
): Promise<Rule> {
  const { jurisdiction, steps, ...others } = input;
  if (id !== undefined) await changeVersion(trx, { id, change: { is_latest: false } });
  const row = await trx
    .insertInto('rules')
    .values({
      ...(id !== undefined && { id }),
      ...others,
      jurisdiction_id: jurisdiction,
      steps: JSON.stringify(steps),
      reviewed_by: reviewedBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toRule(row);
}

/** Signs the latest version as reviewed, or takes that back. */
export async function signRule(
  trx: Transaction,
  id: string,
  reviewedBy: string | null,
): Promise<Rule> {
  const change = { reviewed: reviewedBy !== null, reviewed_by: reviewedBy, updated_at: later };
  return toRule(await changeVersion(trx, { id, change }));
}

function changeVersion(
  trx: Transaction,
  { id, change }: { id: string; change: Updateable<RulesTable> | { updated_at: typeof later } },
) {
  return trx
    .updateTable('rules')
    .set(change)
    .where('id', '=', id)
    .where('is_latest', '=', true)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Title and day of a matter's event that was not canceled. */
export async function findTriggerEvent(
  trx: Transaction,
  { id, caseId }: { id: string; caseId: string },
): Promise<{ title: string; date: string } | undefined> {
  const { rows } = await sql<{ title: string; date: string }>`
    select e.title, left(e.wall_start, 10) as date from events e
    where e.id = ${id} and e.case_id = ${caseId} and e.cancelled_at is null
    for share of e`.execute(trx);
  return rows[0];
}
