import { sql } from 'kysely';
import type { AskedName, MadeDecision } from '@matterdesk/contract/conflicts.ts';
import { sendLater } from '../../../db/connection.ts';
import type { Scoped, Transaction } from '../../../db/schema.ts';
import type { StoredHit } from '../checks/rules.ts';
import type { Subject } from './rules.ts';

type StoredName = Pick<AskedName, 'name' | 'role'>;
export type AlertRow = {
  id: string;
  at: Date;
  case_id: string | null;
  case_name: string | null;
  intake_id: string | null;
  intake_name: string | null;
  name: StoredName;
  hit: StoredHit;
  decision: MadeDecision | null;
};

/** Alerts per list. */
const MAX_SHOWN = 200;

function alerts(db: Scoped) {
  return db
    .selectFrom('conflict_alerts as a')
    .leftJoin('cases as c', 'c.id', 'a.case_id')
    .leftJoin('intakes as i', 'i.id', 'a.intake_id')
    .select(['a.id', 'a.at', 'a.case_id', 'a.intake_id', 'a.name', 'a.hit', 'a.decision'])
    .select(['c.case_name', 'i.name as intake_name']);
}

/** Newest first. @param assigned the user to whom the subjects are assigned; undefined for all alerts */
export function listAlerts(
  db: Scoped,
  { isDecided, assigned }: { isDecided: boolean; assigned: string | undefined },
): Promise<AlertRow[]> {
  return alerts(db)
    .where('a.decision', isDecided ? 'is not' : 'is', null)
    .$if(assigned !== undefined, (query) =>
      query.where(
        sql<boolean>`(i.owner_id = ${assigned} or exists (
          select from case_assignments s where s.case_id = a.case_id and s.user_id = ${assigned}))`,
      ),
    )
    .orderBy('a.at', 'desc')
    .orderBy('a.id')
    .limit(MAX_SHOWN)
    .execute();
}

export function findAlert(db: Scoped, id: string): Promise<AlertRow | undefined> {
  return alerts(db).where('a.id', '=', id).executeTakeFirst();
}

/** @returns false when it was decided before */
export async function decideAlert(
  trx: Transaction,
  id: string,
  decision: MadeDecision,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('conflict_alerts')
    .set({ decision: JSON.stringify(decision) })
    .where('id', '=', id)
    .where('decision', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type NewAlert = Subject & { pair: string; name: StoredName; hit: StoredHit };

/** @returns its id, or undefined for a pair that was reported before */
export async function insertAlert(
  trx: Transaction,
  { pair, caseId, intakeId, name, hit }: NewAlert,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into conflict_alerts (pair, case_id, intake_id, name, hit)
    values (${pair}, ${caseId}, ${intakeId}, ${JSON.stringify(name)}::text::jsonb,
      ${JSON.stringify(hit)}::text::jsonb)
    on conflict (pair) do nothing returning id`.execute(trx);
  return rows[0]?.id;
}

/** People assigned to a case, or the owner of an intake. */
export async function listAssigned(db: Scoped, { caseId, intakeId }: Subject): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select user_id as id from case_assignments where case_id = ${caseId}
    union select owner_id from intakes where id = ${intakeId} and owner_id is not null`.execute(db);
  return rows.map(({ id }) => id);
}

/** Queues a case, with the transaction's next statement. */
export async function insertUncheckedCase(
  trx: Transaction,
  caseId: string,
  by: string,
): Promise<void> {
  const insertion = sql`insert into unchecked_cases (case_id, by_id) values (${caseId}, ${by})`;
  await sendLater(trx, insertion.compile(trx));
}

export type UncheckedCase = { case_id: string; by_id: string | null };

/** Cases that wait for their check, with their openers; newest first, so that one that is opened now need not wait for an import. */
export async function listUncheckedCases(db: Scoped, limit: number): Promise<UncheckedCase[]> {
  const { rows } = await sql<UncheckedCase>`
    select u.case_id, u.by_id from unchecked_cases u join cases c on c.id = u.case_id
    order by c.serial desc limit ${limit}`.execute(db);
  return rows;
}

export async function countUncheckedCases(db: Scoped): Promise<number> {
  const { rows } = await sql<{ counted: number }>`
    select count(*)::int as counted from unchecked_cases`.execute(db);
  return rows[0]?.counted ?? 0;
}

/** @returns false if another process took the case */
export async function removeUncheckedCase(trx: Transaction, caseId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from unchecked_cases where case_id = ${caseId} returning case_id`.execute(trx);
  return rows.length > 0;
}

/** Deletes the alerts of an intake, and those that found it. */
export async function deleteAlertsOfIntake(trx: Transaction, intakeId: string): Promise<void> {
  await sql`
    delete from conflict_alerts where intake_id = ${intakeId}
      or hit -> 'found' -> 'intake' ->> 'id' = ${intakeId}`.execute(trx);
}
