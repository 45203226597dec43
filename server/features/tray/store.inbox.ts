import { type Insertable, sql } from 'kysely';
import type { TrayItemsTable } from '../../db/schema-tray.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';

export type Problem = { name: string; reason: string };

/** Problems on a page; a scanner that fails fails for many files. */
const MOST_PROBLEMS = 100;

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

/** Problems keep the time at which they were first seen. @returns whether any are new, other or over */
export async function replaceProblems(
  trx: Transaction,
  problems: readonly Problem[],
): Promise<boolean> {
  const few = problems.slice(0, MOST_PROBLEMS);
  const [names, reasons] = [few.map(({ name }) => name), few.map(({ reason }) => reason)];
  const { rows } = await sql`
    with said as (
      select * from unnest(${names}::text[], ${reasons}::text[]) as s (name, reason)
    ), over as (
      delete from inbox_problems p where not exists (select from said s where s.name = p.name)
      returning p.name
    ), changed as (
      insert into inbox_problems (name, reason) select name, reason from said
      on conflict (name) do update set reason = excluded.reason, at = clock_timestamp()
        where inbox_problems.reason <> excluded.reason
      returning name
    )
    select name from over union all select name from changed`.execute(trx);
  return rows.length > 0;
}

/** The oldest first. */
export function listProblems(db: Scoped) {
  return db
    .selectFrom('inbox_problems')
    .selectAll()
    .orderBy('at')
    .orderBy('name')
    .limit(MOST_PROBLEMS)
    .execute();
}
