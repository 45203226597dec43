import { sql, type Selectable, type Updateable } from 'kysely';
import type { FormField, IntakeForm } from '@matterdesk/contract/intake-forms.ts';
import type { IntakeFormsTable } from '../../../db/schema-intakes.ts';
import type { Executor, Scoped, Transaction } from '../../../db/schema.ts';

/** Hours until a page expires, and one to spare. */
const STAMP_HOURS = 25;

type Row = Selectable<IntakeFormsTable>;

function toForm(row: Row): IntakeForm {
  const { id, slug, name, type, intro, notice, thanks, origins, owners, active } = row;
  const fields = row.fields as FormField[];
  return { id, slug, name, type, intro, fields, notice, thanks, origins, owners, active };
}

export async function listForms(db: Executor): Promise<IntakeForm[]> {
  const rows = await db.selectFrom('intake_forms').selectAll().orderBy('name').execute();
  return rows.map(toForm);
}

export async function findActive(db: Executor, slug: string): Promise<IntakeForm | undefined> {
  const row = await db
    .selectFrom('intake_forms')
    .selectAll()
    .where('slug', '=', slug)
    .where('active', '=', true)
    .executeTakeFirst();
  return row && toForm(row);
}

export async function lockForm(trx: Transaction, id: string): Promise<IntakeForm | undefined> {
  const row = await trx
    .selectFrom('intake_forms')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && toForm(row);
}

function toColumns({ fields, ...form }: Omit<IntakeForm, 'id'>) {
  return { ...form, fields: JSON.stringify(fields) };
}

export async function insertForm(trx: Transaction, form: Omit<IntakeForm, 'id'>) {
  const added = trx.insertInto('intake_forms').values(toColumns(form)).returningAll();
  return toForm(await added.executeTakeFirstOrThrow());
}

export async function updateForm(trx: Transaction, { id, ...form }: IntakeForm) {
  const change: Updateable<IntakeFormsTable> = toColumns(form);
  const changed = trx
    .updateTable('intake_forms')
    .set({ ...change, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .returningAll();
  return toForm(await changed.executeTakeFirstOrThrow());
}

/** The next owner among a form's active people; null without any. */
export async function takeTurn(trx: Transaction, formId: string): Promise<string | null> {
  const { owners, turn } = await trx
    .updateTable('intake_forms')
    .set({ turn: sql<number>`(turn + 1) % 1000000` })
    .where('id', '=', formId)
    .returning(['owners', 'turn'])
    .executeTakeFirstOrThrow();
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('active', '=', true)
    .where('id', '=', sql<string>`any(${owners}::uuid[])`)
    .execute();
  const active = owners.filter((owner) => rows.some(({ id }) => id === owner));
  return active[(turn - 1) % active.length] ?? null;
}

/** @returns false for a stamp that was used before */
export async function useStamp(trx: Transaction, stamp: string): Promise<boolean> {
  const used = await trx
    .insertInto('used_stamps')
    .values({ stamp })
    .onConflict((conflict) => conflict.doNothing())
    .returning('stamp')
    .executeTakeFirst();
  return used !== undefined;
}

export async function purgeStamps(db: Executor): Promise<void> {
  await db
    .deleteFrom('used_stamps')
    .where(
      'used_at',
      '<',
      sql<Date>`statement_timestamp() - make_interval(hours => ${STAMP_HOURS})`,
    )
    .execute();
}

/** Total bytes of files received with forms. */
export async function sumUploads(db: Scoped): Promise<number> {
  const { bytes } = await db
    .selectFrom('intake_files')
    .select(sql<number>`coalesce(sum(size), 0)::float8`.as('bytes'))
    .where('uploaded_by', 'is', null)
    .executeTakeFirstOrThrow();
  return bytes;
}
