import { sql } from 'kysely';
import type { ContactRef } from '@matterdesk/contract/contacts.ts';
import type { MergeUndoState } from '../../db/schema-contacts.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';

/** Days in which a merge can be undone. */
const UNDO_DAYS = 30;
const isYoung = sql<boolean>`at > statement_timestamp() - make_interval(days => ${sql.lit(UNDO_DAYS)})`;

type Pair = { into: string; from: string };

/** Moves the parties of one contact to another; where both have the same role in a case, the case's own one stays. */
export async function moveParties(
  trx: Transaction,
  { into, from }: Pair,
): Promise<Pick<MergeUndoState, 'parties' | 'dropped'>> {
  const { rows: dropped } = await sql<MergeUndoState['dropped'][number]>`
    delete from parties p using parties q
    where p.contact_id in (${into}::uuid, ${from}::uuid) and q.contact_id in (${into}::uuid, ${from}::uuid)
      and p.contact_id <> q.contact_id and p.case_id = q.case_id and p.role = q.role
      and p.embedded is null and (q.embedded is not null or p.contact_id = ${from}::uuid)
    returning p.id, p.case_id, p.contact_id, p.role, p.note, p.embedded`.execute(trx);
  const moved = await trx
    .updateTable('parties')
    .set({ contact_id: into })
    .where('contact_id', '=', from)
    .returning('id')
    .execute();
  return { parties: moved.map(({ id }) => id), dropped };
}

/** Moves the parties back that are still where they were moved to. */
export async function moveBackParties(
  trx: Transaction,
  { into, from }: Pair,
  { parties, dropped }: Pick<MergeUndoState, 'parties' | 'dropped'>,
): Promise<void> {
  await trx
    .updateTable('parties')
    .set({ contact_id: from })
    .where('id', '=', sql<string>`any(${parties})`)
    .where('contact_id', '=', into)
    .execute();
  if (dropped.length > 0)
    await trx
      .insertInto('parties')
      .values(dropped)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Ids of cases that have the contact as a party. */
export async function listCases(trx: Transaction, contactId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('parties')
    .select('case_id')
    .distinct()
    .where('contact_id', '=', contactId)
    .execute();
  return rows.map(({ case_id: id }) => id);
}

export async function setMergedInto(trx: Transaction, id: string, into: string | null) {
  await trx
    .updateTable('contacts')
    .set({
      merged_into: into,
      updated_at: sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .execute();
}

export async function insertMerge(
  trx: Transaction,
  { into, from, by, moved }: Pair & { by: string; moved: MergeUndoState },
): Promise<void> {
  await trx
    .insertInto('contact_merges')
    .values({
      into_id: into,
      from_id: from,
      by_id: by,
      moved: JSON.stringify(moved),
      undone_at: null,
    })
    .execute();
}

/** The latest merge of the two that was not undone, and whether it still can be. */
export function findMerge(trx: Transaction, { into, from }: Pair) {
  return trx
    .selectFrom('contact_merges')
    .select(['id', 'moved', isYoung.as('isYoung')])
    .where('into_id', '=', into)
    .where('from_id', '=', from)
    .where('undone_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}

export async function markUndone(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('contact_merges')
    .set({ undone_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

/** Whether the merged contact had no matter, or has one that is visible in scope. */
const isMergeVisible = sql<boolean>`(
  m.moved -> 'parties' = '[]' and m.moved -> 'dropped' = '[]'
  or exists (select from parties p where m.moved -> 'parties' ? p.id::text and p.contact_id = m.into_id)
  or exists (select from jsonb_to_recordset(m.moved -> 'dropped') as d (case_id uuid)
    join cases v on v.id = d.case_id))`;

/** Merges into a contact that can still be undone, newest first. */
export async function listUndoable(db: Scoped, into: string) {
  const rows = await db
    .selectFrom('contact_merges as m')
    .innerJoin('contacts as c', 'c.id', 'm.from_id')
    .select('m.at')
    .select(
      sql<ContactRef>`jsonb_build_object('id', c.id, 'kind', c.kind, 'name', c.name)`.as('contact'),
    )
    .where('m.into_id', '=', into)
    .where('m.undone_at', 'is', null)
    .where(isMergeVisible)
    .where(
      sql<boolean>`m.at > statement_timestamp() - make_interval(days => ${sql.lit(UNDO_DAYS)})`,
    )
    .orderBy('m.id', 'desc')
    .execute();
  return rows.map(({ contact, at }) => ({ contact, at: at.toISOString() }));
}
