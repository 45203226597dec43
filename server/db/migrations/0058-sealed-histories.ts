import { sql, type Kysely } from 'kysely';

/**
 * Histories are kept as the audit log is (decision 53): their entries are added, timed by the database, never changed, and
 * sealed in the same chain. Only the activity of an erased intake leaves, and what was erased stays on record.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sealMore(db);
  await nameCopies(db);
  await recordErasures(db);
  await stampEntries(db);
  await chainWithoutDetours(db);
  await keepEntries(db);
}

const histories = [
  'access_history',
  'intake_access_history',
  'deadline_history',
  'intake_entries',
  'conflict_checks',
  'conflict_entries',
  'intake_erasures',
];
/** Of these, what was erased with its intake is deleted. */
const erasable = ['intake_access_history', 'intake_entries'];

/** A seal is over entries of one table. */
async function sealMore(db: Kysely<unknown>) {
  await sql`alter table audit_seals add column source text not null default 'audit_log'`.execute(
    db,
  );
  await sql`drop index audit_seals_by_time`.execute(db);
  await sql`create index audit_seals_by_time on audit_seals (source, at)`.execute(db);
  await sql`
    alter table audit_checks
      alter column up_to type jsonb using jsonb_build_object('audit_log', up_to::text),
      -- The table of the entry that did not fit.
      add column broken_in text`.execute(db);
  await sql`update audit_checks set broken_in = 'audit_log' where broken is not null`.execute(db);
}

/** The history of an intake's wall goes along to its matter, with its times: what a copy says is read from the original. */
async function nameCopies(db: Kysely<unknown>) {
  await sql`alter table base.access_history add column copied_from bigint unique`.execute(db);
  await sql`
    create function base.stamp_access_entry() returns trigger language plpgsql
      set search_path = pg_catalog, pg_temp as $$
      begin
        if new.copied_from is null then
          new.at := clock_timestamp();
        else
          select h.at, h.by_id, h.action, h.people, h.reason
            into strict new.at, new.by_id, new.action, new.people, new.reason
            from base.intake_access_history h join base.intakes i on i.id = h.intake_id
            where h.id = new.copied_from and i.case_id = new.case_id;
        end if;
        return new;
      end $$`.execute(db);
  await sql`
    create trigger access_history_is_stamped before insert on base.access_history
      for each row execute function base.stamp_access_entry()`.execute(db);
}

async function recordErasures(db: Kysely<unknown>) {
  await sql`
    create table base.intake_erasures (
      id bigint generated always as identity primary key,
      at timestamptz(3) not null default clock_timestamp(),
      intake_id uuid not null,
      -- Ids of the erased activity, and of the access history that lost its reasons or was deleted.
      entries int8multirange not null,
      walls int8multirange not null
    )`.execute(db);
  await sql`create index intake_erasures_of_intake on base.intake_erasures (intake_id)`.execute(db);
  for (const column of ['entries', 'walls'])
    await sql`
      create index ${sql.id(`intake_erasures_by_${column}`)}
        on base.intake_erasures using gist (${sql.id(column)})`.execute(db);
  // Without the salt, the seal over a short text does not give away the text.
  await sql`alter table base.intake_entries add column salt uuid default gen_random_uuid()`.execute(
    db,
  );
  await sql`
    alter table base.intake_access_history
      add column salt uuid default gen_random_uuid(),
      -- Of an erased reason, so that the rest of the entry still fits its seal.
      add column reason_hash bytea`.execute(db);
  await allowErasing(db);
  await eraseAll(db);
}

/** Whatever a role may do: no row leaves without its record. */
async function allowErasing(db: Kysely<unknown>) {
  await sql`
    create function base.keep_unless_erased() returns trigger language plpgsql
      set search_path = pg_catalog, pg_temp as $$
      begin
        if tg_table_name = 'intake_entries' then
          if tg_op = 'DELETE' and exists (select from base.intake_erasures e
              where e.intake_id = old.intake_id and e.entries @> old.id) then return old; end if;
        elsif exists (select from base.intake_erasures e
            where e.intake_id = old.intake_id and e.walls @> old.id) then
          if tg_op = 'DELETE' then return old; end if;
          if new.reason = '' and new.salt is null
            and new.reason_hash = sha256(convert_to(old.salt::text || old.reason, 'UTF8'))
            and to_jsonb(new) - '{reason,salt,reason_hash}'::text[]
              = to_jsonb(old) - '{reason,salt,reason_hash}'::text[] then return new; end if;
        end if;
        raise exception '% is append-only', tg_table_name;
      end $$`.execute(db);
  for (const table of erasable)
    await sql`
      create trigger ${sql.id(`${table}_stay`)} before update or delete on base.${sql.id(table)}
        for each row execute function base.keep_unless_erased()`.execute(db);
}

/** All or nothing of one intake: with its owner's rights, since the application has none. */
async function eraseAll(db: Kysely<unknown>) {
  await sql`
    create function base.erase_history_of_intake(intake uuid, wholly boolean) returns void
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
      begin
        insert into base.intake_erasures (intake_id, entries, walls) values (intake,
          coalesce((select range_agg(int8range(e.id, e.id, '[]')) from base.intake_entries e
            where e.intake_id = intake), '{}'),
          coalesce((select range_agg(int8range(h.id, h.id, '[]')) from base.intake_access_history h
            where h.intake_id = intake and (wholly or h.salt is not null)), '{}'));
        delete from base.intake_entries e where e.intake_id = intake;
        if wholly then
          delete from base.intake_access_history h where h.intake_id = intake;
        else
          update base.intake_access_history h set reason = '', salt = null,
              reason_hash = sha256(convert_to(h.salt::text || h.reason, 'UTF8'))
            where h.intake_id = intake and h.salt is not null;
        end if;
      end $$`.execute(db);
}

/** Whatever time a writer sends. */
async function stampEntries(db: Kysely<unknown>) {
  await sql`
    create function base.stamp_entry() returns trigger language plpgsql
      set search_path = pg_catalog, pg_temp as $$
      begin new.at := clock_timestamp(); return new; end $$`.execute(db);
  for (const table of ['intake_access_history', 'intake_entries', 'intake_erasures'])
    await sql`
      create trigger ${sql.id(`${table}_is_stamped`)} before insert on base.${sql.id(table)}
        for each row execute function base.stamp_entry()`.execute(db);
}

/** A function that names no schema could be made to call the caller's own `clock_timestamp`. */
async function chainWithoutDetours(db: Kysely<unknown>) {
  await sql`
    create or replace function base.number_conflict_check() returns trigger language plpgsql
      set search_path = pg_catalog, pg_temp as $$
      begin
        -- Until the transaction ends, so that numbers have no gaps and entries follow each other.
        perform pg_advisory_xact_lock(hashtext('matterdesk.conflicts'));
        new.at := clock_timestamp();
        select coalesce(max(number), 0) + 1 into new.number from base.conflict_checks;
        return new;
      end $$`.execute(db);
  for (const name of ['chain_conflict_entries', 'chain_deadline_history'])
    await sql`
      alter function base.${sql.id(name)}() set search_path = pg_catalog, pg_temp`.execute(db);
}

/** A cascade would run with the rights of the table's owner. */
async function keepEntries(db: Kysely<unknown>) {
  for (const [table, column, whole] of [
    ['intake_entries', 'intake_id', 'intakes'],
    ['intake_access_history', 'intake_id', 'intakes'],
    ['deadline_history', 'deadline_id', 'deadlines'],
  ] as const) {
    const name = sql.id(`${table}_${column}_fkey`);
    await sql`
      alter table base.${sql.id(table)} drop constraint ${name},
        add constraint ${name} foreign key (${sql.id(column)}) references base.${sql.id(whole)} (id)`.execute(
      db,
    );
  }
  await sql`drop trigger deadline_history_is_append_only on base.deadline_history`.execute(db);
  for (const table of ['conflict_checks', 'conflict_entries'])
    await sql`drop trigger ${sql.id(`${table}_stay`)} on base.${sql.id(table)}`.execute(db);
  await sql`drop function base.keep_conflict_records()`.execute(db);
  for (const table of histories) {
    const events = erasable.includes(table) ? 'truncate' : 'update or delete or truncate';
    await sql`
      create trigger ${sql.id(`${table}_is_append_only`)} before ${sql.raw(events)}
        on base.${sql.id(table)} for each statement execute function refuse_change()`.execute(db);
    // Updates are left to the trigger: without that right no row could be referenced or looked up by a foreign key.
    const rights = erasable.includes(table) ? 'truncate' : 'delete, truncate';
    await sql`
      revoke ${sql.raw(rights)} on base.${sql.id(table)} from current_user`.execute(db);
  }
}
