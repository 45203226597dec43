import { sql, type Kysely } from 'kysely';

/** What deadlines count from, and proposals to move them when that moves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await nameTriggers(db);
  await createProposals(db);
  await createViews(db);
}

async function nameTriggers(db: Kysely<unknown>) {
  await sql`
    alter table base.deadlines
      add column trigger_event_id uuid references base.events (id) on delete set null,
      add column trigger_deadline_id uuid references base.deadlines (id) on delete set null,
      -- The step of the rule, and its jurisdiction.
      add column counting jsonb`.execute(db);
  await sql`
    create index deadlines_of_event on base.deadlines (trigger_event_id)
      where trigger_event_id is not null`.execute(db);
  await sql`
    create index deadlines_of_deadline on base.deadlines (trigger_deadline_id)
      where trigger_deadline_id is not null`.execute(db);
  await sql`
    create index deadlines_of_jurisdiction on base.deadlines ((counting->>'jurisdiction'))
      where counting is not null and status = 'open'`.execute(db);
}

async function createProposals(db: Kysely<unknown>) {
  await sql`
    create table base.deadline_proposals (
      id uuid primary key,
      trigger_type text not null check (trigger_type in ('event', 'deadline', 'jurisdiction')),
      trigger_id uuid not null,
      trigger_title text not null,
      by_id uuid references users (id),
      at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`
    create table base.deadline_proposal_items (
      proposal_id uuid not null references base.deadline_proposals (id) on delete cascade,
      deadline_id uuid not null references base.deadlines (id) on delete cascade,
      case_id uuid,
      from_date date not null,
      -- Null when the trigger was canceled.
      to_date date,
      trigger_date date,
      lines jsonb not null,
      status text not null default 'open'
        check (status in ('open', 'accepted', 'kept', 'replaced')),
      decided_by uuid references users (id),
      decided_at timestamptz(3),
      reason text not null default '',
      primary key (proposal_id, deadline_id)
    )`.execute(db);
  await sql`
    create unique index deadline_proposal_items_open on base.deadline_proposal_items (deadline_id)
      where status = 'open'`.execute(db);
}

async function createViews(db: Kysely<unknown>) {
  // Its columns follow the table's.
  await sql`
    create or replace view deadlines as select t.* from base.deadlines t
      where (select base.actor()) is not null
        and (t.case_id is null or exists (select from cases c where c.id = t.case_id))
      with local check option`.execute(db);
  await sql`
    create view deadline_proposal_items as select t.* from base.deadline_proposal_items t
      where (select base.actor()) is not null
        and (t.case_id is null or exists (select from cases c where c.id = t.case_id))
      with local check option`.execute(db);
  // A proposal is seen through its items, which are written after it.
  await sql`
    create view deadline_proposals as select t.* from base.deadline_proposals t
      where exists (select from deadline_proposal_items i where i.proposal_id = t.id)`.execute(db);
}
