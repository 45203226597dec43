import { type Insertable, sql } from 'kysely';
import type { TrayItemsTable } from '../../db/schema-tray.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';

export type Problem = { name: string; reason: string };

/** Problems that are kept; a scanner that fails fails for many files. */
export const MAX_PROBLEMS = 100;

export async function isTaken(db: Executor, origin: string): Promise<boolean> {
  const found = await db
    .selectFrom('tray_items')
    .select('id')
    .where('origin', '=', origin)
    .executeTakeFirst();
  return found !== undefined;
}

export async function insertScan(
  trx: Transaction,
  row: Insertable<TrayItemsTable>,
): Promise<string> {
  const { id } = await trx
    .insertInto('tray_items')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Problems keep the time at which they were first seen. */
export async function replaceProblems(
  trx: Transaction,
  problems: readonly Problem[],
): Promise<void> {
  const [names, reasons] = [problems.map(({ name }) => name), problems.map(({ reason }) => reason)];
  await sql`delete from inbox_problems where name <> all(${names}::text[])`.execute(trx);
  await sql`
    insert into inbox_problems (name, reason)
    select * from unnest(${names}::text[], ${reasons}::text[])
    on conflict (name) do update set reason = excluded.reason, at = clock_timestamp()
      where inbox_problems.reason <> excluded.reason`.execute(trx);
}

/** The oldest first. */
export function listProblems(db: Scoped) {
  return db
    .selectFrom('inbox_problems')
    .selectAll()
    .orderBy('at')
    .orderBy('name')
    .limit(MAX_PROBLEMS)
    .execute();
}
