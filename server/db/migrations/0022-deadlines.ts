import { sql, type Kysely } from 'kysely';

/** Deadlines and their history. What belongs to a matter is read through views (decision 28). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createDeadlines(db);
  await createHistory(db);
  await createViews(db);
  await keepScreens(db);
}

async function createDeadlines(db: Kysely<unknown>) {
  await sql`
    create table base.deadlines (
      id uuid primary key default gen_random_uuid(),
      -- Null for a deadline of the firm.
      case_id uuid references base.cases (id) on delete cascade,
      title text not null,
      kind text not null
        check (kind in ('limitation', 'filing', 'response', 'discovery', 'appeal', 'other')),
      hard boolean not null,
      date date not null,
      -- HH:MM; null for the end of the day.
      time text,
      time_zone text not null,
      working_date date,
      owner_id uuid references users (id),
      second_id uuid references users (id),
      author_id uuid references users (id),
      -- Who entered the present date, and does not verify it.
      dated_by uuid references users (id),
      status text not null default 'open' check (status in ('open', 'done', 'vacated')),
      verified_by uuid references users (id),
      verified_at timestamptz(3),
      acknowledged_by uuid references users (id),
      acknowledged_at timestamptz(3),
      -- The change that waits for a decision.
      pending jsonb,
      -- An earlier date that rules until the present one is verified.
      floor_date date,
      -- The date that rules, and its instant: derived by the application, because zones differ between databases.
      effective_date date not null,
      due_at timestamptz(3) not null,
      basis jsonb,
      source jsonb,
      note text not null default '',
      warn_days int[] not null,
      imported boolean not null default false,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp(),
      check (kind <> 'limitation' or (hard and case_id is not null)),
      check (owner_id <> second_id)
    )`.execute(db);
  await sql`
    create unique index deadlines_limitation on base.deadlines (case_id) where kind = 'limitation'`.execute(
    db,
  );
  await sql`create index deadlines_of_case on base.deadlines (case_id)`.execute(db);
  await sql`create index deadlines_listed on base.deadlines (effective_date, id)`.execute(db);
  await sql`create index deadlines_due on base.deadlines (due_at) where status = 'open'`.execute(
    db,
  );
}

/** Append-only, each entry hashed with the one before of the same deadline. */
async function createHistory(db: Kysely<unknown>) {
  await sql`
    create table base.deadline_history (
      id bigint generated always as identity primary key,
      deadline_id uuid not null references base.deadlines (id) on delete cascade,
      case_id uuid,
      at timestamptz(3) not null default clock_timestamp(),
      by_id uuid references users (id),
      action text not null,
      from_state jsonb,
      to_state jsonb,
      reason text not null default '',
      hash bytea not null default ''
    )`.execute(db);
  await sql`
    create index deadline_history_of_deadline on base.deadline_history (deadline_id, id desc)`.execute(
    db,
  );
  await sql`
    create function base.hash_of_deadline_entry(e base.deadline_history, before bytea)
      returns bytea language sql stable as $$
      select sha256(before || convert_to(jsonb_build_array(e.deadline_id, e.case_id,
        (extract(epoch from e.at) * 1000)::bigint, e.by_id, e.action, e.from_state, e.to_state,
        e.reason)::text, 'UTF8'))
    $$`.execute(db);
  // Writers hold the deadline's lock, so that its entries follow each other.
  await sql`
    create function base.chain_deadline_history() returns trigger language plpgsql as $$
      begin
        new.at := clock_timestamp();
        new.hash := base.hash_of_deadline_entry(new, coalesce(
          (select h.hash from base.deadline_history h where h.deadline_id = new.deadline_id
            order by h.id desc limit 1), ''));
        return new;
      end $$`.execute(db);
  await sql`
    create trigger deadline_history_is_chained before insert on base.deadline_history
      for each row execute function base.chain_deadline_history()`.execute(db);
  // Deeper than the trigger itself is the removal of a case with all that belongs to it, which the product never does.
  await sql`
    create function base.keep_deadlines() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and pg_trigger_depth() > 1 then return null; end if;
        raise exception '% is append-only', tg_table_name;
      end $$`.execute(db);
  await sql`
    create trigger deadline_history_is_append_only
      before update or delete or truncate on base.deadline_history
      for each statement execute function base.keep_deadlines()`.execute(db);
  await sql`
    create trigger deadlines_stay before delete or truncate on base.deadlines
      for each statement execute function base.keep_deadlines()`.execute(db);
}

async function createViews(db: Kysely<unknown>) {
  for (const table of ['deadlines', 'deadline_history'])
    await sql`
      create view ${sql.id(table)} as select t.* from base.${sql.id(table)} t
        where (select base.actor()) is not null
          and (t.case_id is null or exists (select from cases c where c.id = t.case_id))
        with local check option`.execute(db);
}

/** As for tasks: no work for a user who is screened from the matter. */
async function keepScreens(db: Kysely<unknown>) {
  await sql`
    create function base.keep_screens_of_deadlines() returns trigger language plpgsql as $$
      declare who text;
      begin
        select u.first_name || ' ' || u.last_name into who
          from base.case_access a join users u on u.id = a.user_id
          where a.case_id = new.case_id and a.user_id in (new.owner_id, new.second_id)
            and a.kind = 'screened' limit 1;
        if who is not null then
          raise exception using errcode = 'MDSCR', message = who || ' is screened from this matter';
        end if;
        return new;
      end $$`.execute(db);
  await sql`
    create trigger deadlines_keep_screens
      before insert or update of owner_id, second_id on base.deadlines
      for each row execute function base.keep_screens_of_deadlines()`.execute(db);
}
