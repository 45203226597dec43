import { sql } from 'kysely';
import type { Attention, DeadlineCounts, DeadlineStatus } from '@matterdesk/contract/deadlines.ts';
import type { DeadlineKind } from '@matterdesk/contract/court-rules.ts';
import type { Scoped } from '../../db/schema.ts';
import { countIdle } from './idle/store.ts';
import { named, type DeadlineRow } from './store.ts';
import {
  overdue,
  proposed,
  speaks,
  waiting,
  type Condition,
  type Reader,
} from './store.waiting.ts';

export type DeadlineFilter = {
  status?: DeadlineStatus | undefined;
  attention?: Attention | 'mine' | undefined;
  owner?: string | undefined;
  case?: string | undefined;
  kind?: DeadlineKind | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

const isActive = (column: string) =>
  sql<boolean>`exists (select from users u where u.id = ${sql.raw(column)} and u.active)`;
const open = sql<boolean>`d.status = 'open'`;
const next30 = sql<boolean>`(${open} and d.kind <> 'limitation' and d.due_at > statement_timestamp()
  and d.due_at <= statement_timestamp() + interval '30 days')`;
const limitation = sql<boolean>`(${open} and d.kind = 'limitation')`;

const conditions: Record<Attention, Condition> = {
  unverified: sql<boolean>`(${open} and d.hard and d.verified_at is null)`,
  unacknowledged: sql<boolean>`(${speaks} and d.hard and d.acknowledged_at is null)`,
  pending: sql<boolean>`d.pending is not null`,
  noOwner: sql<boolean>`(${open} and not ${isActive('d.owner_id')})`,
  noSecond: sql<boolean>`(${open} and d.hard and not ${isActive('d.second_id')})`,
  overdue,
};

function matching(filter: DeadlineFilter, reader: Reader): Condition {
  const { status, attention, owner, kind, from, to } = filter;
  const all: Condition[] = [sql<boolean>`true`];
  if (status) all.push(sql<boolean>`d.status = ${status}`);
  if (attention) all.push(attention === 'mine' ? waiting(reader) : conditions[attention]);
  if (owner !== undefined) all.push(sql<boolean>`d.owner_id::text = ${owner}`);
  if (filter.case !== undefined) all.push(sql<boolean>`d.case_id::text = ${filter.case}`);
  if (kind) all.push(sql<boolean>`d.kind = ${kind}`);
  if (from !== undefined) all.push(sql<boolean>`d.effective_date >= ${from}::date`);
  if (to !== undefined) all.push(sql<boolean>`d.effective_date <= ${to}::date`);
  return sql<boolean>`(${sql.join(all, sql` and `)})`;
}

/** By the date that rules, after the cursor's. */
export function listDeadlines(
  db: Scoped,
  { filter, reader, limit, after }: Listing,
): Promise<DeadlineRow[]> {
  return named(db)
    .where(matching(filter, reader))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(d.effective_date, d.id) > (${after?.[0]}::date, ${after?.[1]}::uuid)`,
      ),
    )
    .orderBy('d.effective_date')
    .orderBy('d.id')
    .limit(limit)
    .execute();
}

export type Listing = {
  filter: DeadlineFilter;
  reader: Reader;
  limit: number;
  after?: string[] | undefined;
};

/** Counts up to `cap`. */
export async function countDeadlines(
  db: Scoped,
  { filter, reader, cap }: { filter: DeadlineFilter; reader: Reader; cap: number },
): Promise<number> {
  const { rows } = await sql<{ counted: number }>`
    select ${upTo(cap, matching(filter, reader))} as counted`.execute(db);
  return rows[0]?.counted ?? 0;
}

function upTo(cap: number, condition: Condition) {
  return sql<number>`(select count(*)::int from (
    select from deadlines d where ${condition} limit ${cap}) counted)`;
}

/** The counts of the sections, each up to `cap`. */
export async function countSections(
  db: Scoped,
  reader: Reader,
  cap: number,
): Promise<DeadlineCounts> {
  const { rows } = await sql<DeadlineCounts>`
    select ${upTo(cap, waiting(reader))} + ${proposed(reader, cap)} as waiting, ${upTo(cap, overdue)} as overdue,
      ${upTo(cap, next30)} as next30, ${upTo(cap, limitation)} as limitation,
      ${countIdle(cap)} as "noNextDate"`.execute(db);
  return rows[0] ?? { waiting: 0, overdue: 0, next30: 0, limitation: 0, noNextDate: 0 };
}
