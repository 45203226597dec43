import { type RawBuilder, sql } from 'kysely';
import type { CaseType, Person } from '@matterdesk/contract/cases.ts';
import type { MissingField, TemplatePatch } from '@matterdesk/contract/templates.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';
import { everyWord, holdsWord } from '../../db/search.ts';
import { countUpToCap, lockName, personJson } from '../../db/statements.ts';
import type { TemplateRow, VersionRow } from './rules.ts';

/** Listed templates, which are not in pages. */
const MAX_LISTED = 1000;

/** Without the files. */
const versions = sql<VersionRow[]>`(
  select json_agg(json_build_object('n', v.n, 'at', to_char(v.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'by', case when u.id is not null then ${personJson('u')} end,
    'sha256', encode(v.sha256, 'hex'), 'problems', v.problems, 'fields', v.fields, 'questions', v.questions,
    'usesLists', v.uses_lists) order by v.n desc)
  from template_versions v left join users u on u.id = v.by_id where v.template_id = t.id)`;

type TemplateQuery = {
  type?: CaseType | undefined;
  search?: string | undefined;
  withInactive: boolean;
};

/** Sorted by name. */
export function listTemplates(
  db: Executor,
  { type, search = '', withInactive }: TemplateQuery,
): Promise<TemplateRow[]> {
  const conditions: RawBuilder<boolean>[] = [sql`true`];
  if (!withInactive) conditions.push(sql`t.active`);
  if (type) conditions.push(sql`(t.types = '{}' or ${type} = any(t.types))`);
  if (search !== '') conditions.push(everyWord(search, (word) => holdsWord(sql`t.name`, word)));
  return select(db, sql`${sql.join(conditions, sql` and `)}`);
}

export async function findTemplate(db: Executor, id: string): Promise<TemplateRow | undefined> {
  const [row] = await select(db, sql`t.id = ${id}`);
  return row;
}

async function select(db: Executor, condition: RawBuilder<unknown>): Promise<TemplateRow[]> {
  const { rows } = await sql<TemplateRow>`
    select t.id, t.name, t.types, t.active, t.updated_at, coalesce(${versions}, '[]') as versions
    from templates t where ${condition}
    order by lower(t.name), t.id limit ${sql.lit(MAX_LISTED)}`.execute(db);
  return rows;
}

/** Serializes what is added to a template. @returns false for an unknown one */
export async function lockTemplate(trx: Transaction, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('templates')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertTemplate(
  trx: Transaction,
  row: { name: string; types: CaseType[] },
): Promise<string> {
  const { id } = await trx
    .insertInto('templates')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export type NewVersion = {
  template_id: string;
  by_id: string | null;
  sha256: Buffer;
  bytes: Buffer;
  fields: string[];
  questions: string[];
  uses_lists: boolean;
  problems: string;
};

/** Adds a version to a locked template. */
export async function insertVersion(trx: Transaction, version: NewVersion): Promise<void> {
  await trx
    .insertInto('template_versions')
    .values({
      ...version,
      n: sql<number>`(select coalesce(max(n), 0) + 1 from template_versions
        where template_id = ${version.template_id})`,
    })
    .execute();
}

export async function updateTemplate(
  trx: Transaction,
  id: string,
  patch: TemplatePatch,
): Promise<void> {
  const { name, types, active } = patch;
  await trx
    .updateTable('templates')
    .set({
      ...(name !== undefined && { name }),
      ...(types !== undefined && { types }),
      ...(active !== undefined && { active }),
      updated_at: sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .execute();
}

export async function findBytes(
  db: Executor,
  { templateId, n }: { templateId: string; n: number },
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('template_versions')
    .select('bytes')
    .where('template_id', '=', templateId)
    .where('n', '=', n)
    .executeTakeFirst();
  return row?.bytes;
}

/** Locks until the transaction ends, so that two processes do not add the same letters. @returns true if no template exists */
export async function lockIfEmpty(trx: Transaction): Promise<boolean> {
  await lockName(trx, 'matterdesk.starters');
  const row = await trx.selectFrom('templates').select('id').limit(1).executeTakeFirst();
  return row === undefined;
}

type Place = { folder: string; name: string };
export type DocumentRow = {
  id: string;
  at: Date;
  template_id: string;
  version: number;
  /** Null once it is deleted, as the PDF. */
  file: Place | null;
  pdf: Place | null;
  by: Person;
  missing: MissingField[];
  contact_id: string | null;
  data_sha256: Buffer;
};

const placeOf = (column: 'file_id' | 'pdf_file_id') => sql<Place | null>`(
  select json_build_object('folder', d.name, 'name', f.name)
  from files f join folders d on d.id = f.folder_id
  where f.id = l.${sql.ref(column)} and f.deleted_at is null)`;

/** Newest first. @param after the time and the id of the last one before */
export async function listDocuments(
  db: Scoped,
  caseId: string,
  { limit, after }: { limit: number; after: string[] | undefined },
): Promise<DocumentRow[]> {
  const { rows } = await sql<DocumentRow>`
    select l.id, l.at, l.template_id, l.version, l.missing, l.data_sha256,
      ${personJson('u')} as by,
      ${placeOf('file_id')} as file, ${placeOf('pdf_file_id')} as pdf,
      (select c.id from contacts c where c.id = l.contact_id) as contact_id
    from letters l join users u on u.id = l.by_id
    where l.case_id = ${caseId}
      ${after ? sql`and (l.at, l.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``}
    order by l.at desc, l.id desc limit ${limit}`.execute(db);
  return rows;
}

export function countDocuments(db: Scoped, caseId: string): Promise<number> {
  return countUpToCap(db, sql`select from letters l where l.case_id = ${caseId}`);
}

/** Ids of new files by the keys of their bytes. */
export async function findFileIds(
  trx: Transaction,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await trx
    .selectFrom('files')
    .select(['id', 'blob_key'])
    .where('blob_key', '=', sql<string>`any(${keys})`)
    .execute();
  return new Map(rows.map(({ id, blob_key: key }) => [key, id]));
}

export type NewLetter = {
  case_id: string;
  template_id: string;
  version: number;
  file_id: string;
  pdf_file_id: string | null;
  contact_id: string | null;
  by_id: string;
  data_sha256: Buffer;
  missing: string;
};

export async function insertLetters(trx: Transaction, rows: NewLetter[]): Promise<void> {
  await trx.insertInto('letters').values(rows).execute();
}
