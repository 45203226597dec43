import { sql, type RawBuilder } from 'kysely';
import type { Scoped } from '../../db/schema.ts';

/** For whom a list is read. */
export type Reader = { id: string; editsCalendar: boolean; isDual: boolean };

export type Condition = RawBuilder<boolean>;

/** Imported ones are silent until someone verifies them. As the indexes say it. */
export const speaks = sql<boolean>`(d.status = 'open' and (not d.imported or d.verified_at is not null))`;
export const overdue = sql<boolean>`(${speaks} and d.due_at <= statement_timestamp())`;

/** No one, or a person who is no longer active. */
const isNoOne = (column: string) =>
  sql<boolean>`(${sql.raw(column)} is null
    or ${sql.raw(column)} = any(array(select u.id from users u where not u.active)))`;

/** What waits for the reader: to verify, to decide, to acknowledge, or to find an owner or a second; an index answers each. */
function waits({ id, editsCalendar: edits, isDual }: Reader): Condition[] {
  const mine = (column: string) => sql<boolean>`${sql.raw(column)} = ${id}`;
  const verify = sql`${speaks} and d.hard and d.verified_at is null
    and d.dated_by is distinct from ${id}`;
  const decide = sql`d.pending is not null and d.pending->>'by' <> ${id}`;
  const own = sql`${speaks} and d.hard and ${mine('d.owner_id')}`;
  const all = [
    sql<boolean>`${verify} and ${mine('d.second_id')}`,
    sql<boolean>`${own} and d.acknowledged_at is null`,
    edits
      ? sql<boolean>`${decide}`
      : sql<boolean>`${decide} and (${mine('d.owner_id')} or ${mine('d.second_id')})`,
  ];
  if (isDual) all.push(sql<boolean>`${own} and ${isNoOne('d.second_id')}`);
  if (edits) all.push(sql<boolean>`${verify} and ${isNoOne('d.second_id')}`);
  if (edits) all.push(sql<boolean>`${speaks} and ${isNoOne('d.owner_id')}`);
  return all;
}

/** Ids of what fulfills any of the conditions. */
function union(conditions: Condition[]) {
  const found = conditions.map((condition) => sql`select d.id from deadlines d where ${condition}`);
  return sql`(${sql.join(found, sql` union `)})`;
}

export function waiting(reader: Reader): Condition {
  return sql<boolean>`d.id in ${union(waits(reader))}`;
}

/** Proposals that wait for the reader. */
export const proposed = ({ id, editsCalendar: edits, isDual }: Reader, cap: number) => sql<number>`(
  select count(*)::int from (select distinct i.proposal_id from deadline_proposal_items i
    join deadline_proposals p on p.id = i.proposal_id join deadlines d on d.id = i.deadline_id
    where i.status = 'open' and (${edits} or d.second_id = ${id})
      and (not d.hard or not ${isDual} or p.by_id is distinct from ${id}) limit ${cap}) waiting)`;

export type Calls = { waiting: number; calls: number };

/** What waits for the reader, and that together with what is overdue of theirs; each once and up to `cap`. */
export async function countCalls(db: Scoped, reader: Reader, cap: number): Promise<Calls> {
  const late = ['d.owner_id', 'd.second_id'].map(
    (column) => sql<boolean>`${overdue} and ${sql.raw(column)} = ${reader.id}`,
  );
  // A second of what is not hard has nothing to do.
  const [own, second] = [late[0] ?? overdue, sql<boolean>`${late[1] ?? overdue} and d.hard`];
  const upTo = (conditions: Condition[]) =>
    sql<number>`(select count(*)::int from (select from ${union(conditions)} found limit ${cap}) capped)`;
  const { rows } = await sql<Calls>`
    with proposed as materialized (select ${proposed(reader, cap)} as n)
    select ${upTo(waits(reader))} + n as waiting,
      ${upTo([...waits(reader), own, second])} + n as calls from proposed`.execute(db);
  return rows[0] ?? { waiting: 0, calls: 0 };
}
