import { sql, type Insertable } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { CountLine } from '@matterdesk/contract/court-rules.ts';
import type {
  DeadlineHistoryTable,
  ProposalItemsTable,
  ProposalsTable,
} from '../../../db/schema-deadlines.ts';
import type { Scoped, Transaction } from '../../../db/schema.ts';
import { insertMany, personJsonb } from '../../../db/statements.ts';
import type { Dependent, ItemRow, ProposalRow } from './rules.ts';

/** The present day of a deadline's trigger; null when it was canceled or left the matter. */
const triggerDate = sql<string | null>`case
  when d.trigger_event_id is not null then (select left(e.wall_start, 10) from events e
    where e.id = d.trigger_event_id and e.case_id = d.case_id and e.cancelled_at is null)
  when d.trigger_deadline_id is not null then (select t.date::text from deadlines t
    where t.id = d.trigger_deadline_id and t.status <> 'vacated')
  else d.basis->'trigger'->>'date' end`;

type DependentRow = Dependent & { case_id: string | null };

/** Counts the deadlines above a deadline. Locks follow this order, as a move locks a deadline before what counts from it. */
const depth = sql<number>`(with recursive above (id, steps) as (
    select d.trigger_deadline_id, 0
    union all select t.trigger_deadline_id, a.steps + 1 from deadlines t join above a on t.id = a.id
  ) select max(steps) from above)`;

/** Locks deadlines in the common order. */
export async function lockInOrder(trx: Transaction, ids: string[]): Promise<void> {
  await sql`select from deadlines d where d.id = any(${ids}::uuid[])
    order by ${depth}, d.id for update of d`.execute(trx);
}

/** Locks open deadlines and those that count from them in turn. */
export async function lockChain(trx: Transaction, roots: string[]): Promise<DependentRow[]> {
  const { rows } = await sql<DependentRow>`
    with recursive chain (id) as (
      select d.id from deadlines d where d.id = any(${roots}::uuid[]) and d.status = 'open'
      union
      select d.id from deadlines d join chain c on d.trigger_deadline_id = c.id
        where d.status = 'open'
    )
    select d.id, d.case_id, d.date, d.counting, d.trigger_deadline_id,
      d.basis->'trigger'->>'title' as trigger_title, ${triggerDate} as trigger_date,
      exists (select from deadline_proposal_items i
        where i.deadline_id = d.id and i.status = 'open') as is_proposed
    from deadlines d where d.id in (select id from chain) and d.counting is not null
    order by ${depth}, d.id for update of d`.execute(trx);
  return rows;
}

/** Ids of open deadlines that count from these events. */
export async function listDependentsOfEvents(trx: Transaction, ids: string[]): Promise<string[]> {
  const rows = await trx
    .selectFrom('deadlines')
    .select('id')
    .where('status', '=', 'open')
    .where('trigger_event_id', '=', sql<string>`any(${ids})`)
    .execute();
  return rows.map(({ id }) => id);
}

/** Ids of open deadlines that count from a deadline. */
export async function listDependentsOfDeadline(trx: Transaction, id: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('deadlines')
    .select('id')
    .where('status', '=', 'open')
    .where('trigger_deadline_id', '=', id)
    .execute();
  return rows.map((row) => row.id);
}

/** A batch of the open deadlines that count by a jurisdiction's calendar, in order of id. */
export async function listDependentsOfJurisdiction(
  trx: Transaction,
  { id, after, limit }: { id: string; after: string; limit: number },
) {
  type Counted = Pick<Dependent, 'id' | 'counting' | 'trigger_date'>;
  const { rows } = await sql<Counted>`
    select d.id, d.counting, ${triggerDate} as trigger_date from deadlines d
    where d.status = 'open' and d.counting->>'jurisdiction' = ${id} and d.id > ${after}
    order by d.id limit ${limit}`.execute(trx);
  return rows;
}

export async function insertProposal(
  trx: Transaction,
  proposal: Insertable<ProposalsTable>,
  items: Omit<NewItem, 'proposal_id'>[],
): Promise<void> {
  await trx.insertInto('deadline_proposals').values(proposal).execute();
  const rows = items.map((item) => ({ ...item, proposal_id: proposal.id }));
  await insertMany(trx, 'deadline_proposal_items', rows);
}

type NewItem = Pick<
  Insertable<ProposalItemsTable>,
  'proposal_id' | 'deadline_id' | 'case_id' | 'from_date' | 'to_date' | 'trigger_date'
> & { lines: CountLine[] };

type NewEntry = Pick<
  Insertable<DeadlineHistoryTable>,
  'deadline_id' | 'case_id' | 'by_id' | 'action' | 'reason'
> & { from_state: object; to_state: object };

/** Appends to the history of locked deadlines. */
export function insertEntries(trx: Transaction, entries: NewEntry[]): Promise<void> {
  return insertMany(trx, 'deadline_history', entries);
}

/** Closes these deadlines' items of earlier proposals. @returns ids of those proposals */
export async function replaceItems(trx: Transaction, deadlineIds: string[]): Promise<string[]> {
  const rows = await trx
    .updateTable('deadline_proposal_items')
    .set({ status: 'replaced' })
    .where('deadline_id', '=', sql<string>`any(${deadlineIds})`)
    .where('status', '=', 'open')
    .returning('proposal_id')
    .execute();
  return [...new Set(rows.map((row) => row.proposal_id))];
}

/** Compares the open item of a changed deadline with its new date. */
export async function adjustItem(
  trx: Transaction,
  { id, date, isOpen }: { id: string; date: string; isOpen: boolean },
): Promise<void> {
  await sql`
    update deadline_proposal_items set from_date = ${date}::date,
      status = case when ${isOpen} and to_date is distinct from ${date}::date then 'open' else 'replaced' end
    where deadline_id = ${id} and status = 'open'`.execute(trx);
}

export async function decideItem(
  trx: Transaction,
  { proposalId, deadlineId }: { proposalId: string; deadlineId: string },
  { by, isAccepted, reason }: { by: string; isAccepted: boolean; reason: string },
): Promise<void> {
  const status = isAccepted ? 'accepted' : 'kept';
  await trx
    .updateTable('deadline_proposal_items')
    .set({ status, decided_by: by, decided_at: sql<Date>`clock_timestamp()`, reason })
    .where('proposal_id', '=', proposalId)
    .where('deadline_id', '=', deadlineId)
    .execute();
}

const personOf = (column: string) => sql<Person | null>`(
  select ${personJsonb('u')}
  from users u where u.id = ${sql.raw(column)})`;

function proposals(db: Scoped) {
  return db
    .selectFrom('deadline_proposals as p')
    .select(['p.id', 'p.trigger_type', 'p.trigger_id', 'p.trigger_title', 'p.at'])
    .select(personOf('p.by_id').as('by'))
    .select(
      sql<ItemRow[]>`(
        select jsonb_agg(jsonb_build_object('deadline_id', d.id, 'title', d.title, 'kind', d.kind,
          'hard', d.hard, 'case_id', d.case_id, 'case_name', c.case_name,
          'owner', ${personOf('d.owner_id')}, 'second', ${personOf('d.second_id')},
          'from_date', i.from_date, 'to_date', i.to_date, 'trigger_date', i.trigger_date,
          'lines', i.lines, 'status', i.status, 'reason', i.reason)
          order by c.case_name, i.from_date, d.id)
        from deadline_proposal_items i join deadlines d on d.id = i.deadline_id
          left join cases c on c.id = d.case_id where i.proposal_id = p.id)`.as('items'),
    );
}

/** Open proposals, newest first. */
export function listOpenProposals(db: Scoped, limit: number): Promise<ProposalRow[]> {
  return proposals(db)
    .where(
      sql<boolean>`exists (select from deadline_proposal_items o
        where o.proposal_id = p.id and o.status = 'open')`,
    )
    .orderBy('p.at', 'desc')
    .orderBy('p.id')
    .limit(limit)
    .execute();
}

export function findProposal(db: Scoped, id: string): Promise<ProposalRow | undefined> {
  return proposals(db).where('p.id', '=', id).executeTakeFirst();
}
