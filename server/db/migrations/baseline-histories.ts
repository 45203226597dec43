import { sql, type RawBuilder } from 'kysely';

const all = [
  'access_history',
  'intake_access_history',
  'deadline_history',
  'intake_entries',
  'conflict_checks',
  'conflict_entries',
  'intake_erasures',
];
/** Tables whose entries are deleted with an erased intake. */
const erasable = ['intake_access_history', 'intake_entries'];

/** Entries of histories are added, timed by the database, and never changed, as in the audit log (decision 53). */
export const histories: RawBuilder<unknown>[] = [
  sql`
    create function base.stamp_entry() returns trigger language plpgsql
      set search_path = pg_catalog, pg_temp as $$
      begin new.at := clock_timestamp(); return new; end $$`,
  ...['intake_access_history', 'intake_entries', 'intake_erasures'].map(
    (table) => sql`
      create trigger ${sql.id(`${table}_is_stamped`)} before insert on base.${sql.id(table)}
        for each row execute function base.stamp_entry()`,
  ),
  ...erasable.map(
    (table) => sql`
      create trigger ${sql.id(`${table}_stay`)} before update or delete on base.${sql.id(table)}
        for each row execute function base.keep_unless_erased()`,
  ),
  ...all.flatMap((table) => keep(table, erasable.includes(table))),
];

/**
 * Updates are left to the trigger: without that right no row could be referenced or looked up by a foreign key. The keys
 * do not cascade, since that would run with the rights of the table's owner.
 */
function keep(table: string, isErasable: boolean): RawBuilder<unknown>[] {
  const events = isErasable ? 'truncate' : 'update or delete or truncate';
  const rights = isErasable ? 'truncate' : 'delete, truncate';
  return [
    sql`
    create trigger ${sql.id(`${table}_is_append_only`)} before ${sql.raw(events)}
      on base.${sql.id(table)} for each statement execute function refuse_change()`,
    sql`revoke ${sql.raw(rights)} on base.${sql.id(table)} from current_user`,
  ];
}
