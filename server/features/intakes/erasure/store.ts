import { sql } from 'kysely';
import type { Executor, Transaction } from '../../../db/schema.ts';
import { searchText } from '../../../db/search.ts';

type DueErasure = { id: string; isSpam: boolean };

/** Days after which spam is erased, from its last change: an older intake may have been marked just now. */
const SPAM_DAYS = 30;
/** Intakes erased in one transaction. */
const BATCH = 50;

/** Expired intakes and spam; locked. */
export async function takeDue(trx: Transaction, keepMonths: number): Promise<DueErasure[]> {
  const { rows } = await sql<DueErasure>`
    select id, is_spam as "isSpam" from intakes
    where (is_spam and updated_at < statement_timestamp() - make_interval(days => ${SPAM_DAYS}))
      or (not is_spam and erased_at is null and stage in ('declined', 'referred')
        and closed_at < statement_timestamp() - make_interval(months => ${keepMonths}))
    order by number limit ${BATCH} for update skip locked`.execute(trx);
  return rows;
}

/** Leaves number, names, roles, email, phone, dates and the reason. */
export async function eraseIntake(
  trx: Transaction,
  row: { id: string; name: string; email: string | null; phone_number: string | null },
): Promise<void> {
  await eraseHistory(trx, row.id, { isWhole: false });
  await trx.deleteFrom('intake_origins').where('intake_id', '=', row.id).execute();
  await trx
    .updateTable('intake_access')
    .set({ reason: '' })
    .where('intake_id', '=', row.id)
    .execute();
  // Titles of notices repeat the reasons.
  await trx.deleteFrom('notices').where('intake_id', '=', row.id).execute();
  const searched = [row.name, row.email, row.phone_number].filter((text) => text !== null);
  await trx
    .updateTable('intakes')
    .set({
      type: null,
      form_id: null,
      contact_id: null,
      referred_to: null,
      address: null,
      description: '',
      source: null,
      answers: '[]',
      next_step: '',
      due_at: null,
      reason_note: null,
      text_consent: null,
      search_text: searchText(searched),
      erased_at: sql<Date>`clock_timestamp()`,
      updated_at: sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', row.id)
    .execute();
}

/** Deletes spam entirely. */
export async function deleteIntake(trx: Transaction, id: string): Promise<void> {
  await eraseHistory(trx, id, { isWhole: true });
  await trx.deleteFrom('notices').where('intake_id', '=', id).execute();
  await trx.deleteFrom('intakes').where('id', '=', id).execute();
}

/**
 * Deletes the activity and the reasons of the access history (`isWhole`: the whole history) and records that: the only way
 * to remove anything from a history.
 */
async function eraseHistory(
  trx: Transaction,
  intakeId: string,
  { isWhole }: { isWhole: boolean },
): Promise<void> {
  await sql`select base.erase_history_of_intake(${intakeId}::uuid, ${isWhole})`.execute(trx);
}

const rewrittenTables = [
  ...(['base.intakes', 'base.intake_entries', 'base.intake_files'] as const),
  ...(['base.intake_access', 'base.intake_access_history', 'intake_origins'] as const),
  'base.notices' as const,
  ...(['base.names', 'name_words'] as const),
];
/** Holds samples of what the columns say. */
const STATISTICS = 'pg_catalog.pg_statistic';

/**
 * Writes the tables anew, since an updated or deleted row stays in the file until its place is used again, and a backup
 * copies files. @param db without a scope, because this takes no transaction
 */
export async function rewriteTables(db: Executor): Promise<void> {
  for (const table of rewrittenTables)
    await sql`vacuum (full, analyze) ${sql.table(table)}`.execute(db);
  // A user that does not own the database is warned and goes on.
  await sql`vacuum (full) ${sql.table(STATISTICS)}`.execute(db);
}
