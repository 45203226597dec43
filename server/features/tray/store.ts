import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { TraySource } from '@matterdesk/contract/tray.ts';
import type { Clues, Sender, TrayItemsTable } from '../../db/schema-tray.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';
import { personJson } from '../../db/statements.ts';
import type {
  FoundClaim,
  FoundCorrespondent,
  FoundNumber,
  FoundParty,
  FoundThread,
  Matter,
} from './rules.clues.ts';
import type { OpenCount } from './rules.ts';

/** A user with their own items, and with the papers of everyone if they sort papers. */
export type Reader = { id: string; sorts: boolean };

export type ItemRow = {
  id: string;
  source: TraySource;
  at: Date;
  name: string;
  /** A bigint is read as text. */
  size: string;
  mime_type: string;
  sha256: Buffer | null;
  /** Null for a mail or text, as `sender` and its key are for a paper. */
  blob_key: string | null;
  message_id: string | null;
  mail_id: string | null;
  thread_id: string | null;
  sender: Sender | null;
  sender_key: string | null;
  state: 'open' | 'filed' | 'dismissed';
  closed_at: Date | null;
  closed_by: string | null;
  file_id: string | null;
  task_id: string | null;
  pages: number | null;
  excerpt: string;
  clues: Clues | null;
  owner: Person | null;
  /** The newest file with the same bytes that the reader sees, in its place. */
  twin: {
    id: string;
    caseName: string;
    caseNo: string | null;
    folder: string;
    name: string;
  } | null;
};

export type Place = { at: string; id: string };

type Page = { source: TraySource | undefined; limit: number; after: Place | undefined };

const isReadable = ({ id, sorts }: Reader) =>
  sql<boolean>`(t.owner_id = ${id} or ${sql.lit(sorts)} and t.sender_key is null)`;

/** Senders of open mails and texts who are of an active matter that the owner sees. */
const correspondents = (owners: readonly string[]) => sql`
  select s.owner_id, s.sender_key from (
    select distinct t.owner_id, t.sender_key from tray_items t
    where t.owner_id = any(${owners}::uuid[]) and t.state = 'open' and t.sender_key is not null) s
  where is_correspondent(s.owner_id, s.sender_key)`;

/** Items with their owners and twins; `t` is the item. */
const items = (rows: RawBuilder<unknown>) => sql<ItemRow>`
  select t.id, t.source, t.at, t.name, t.size, t.mime_type, t.sha256, t.blob_key, t.state,
    t.closed_at, t.closed_by, t.file_id, t.task_id, t.pages, t.excerpt, t.clues, t.message_id,
    t.mail_id, t.thread_id, t.sender, t.sender_key,
    case when u.id is not null then
      ${personJson('u')} end as owner,
    (select json_build_object('id', c.id, 'caseName', c.case_name, 'caseNo', c.case_no,
        'folder', d.name, 'name', f.name)
      from files f join folders d on d.id = f.folder_id join cases c on c.id = f.case_id
      where f.sha256 = t.sha256 and f.deleted_at is null and f.id is distinct from t.file_id
      order by f.created_at desc, f.id desc limit 1) as twin
  from (${rows}) t left join users u on u.id = t.owner_id
  order by t.at, t.id`;

/** Open items, oldest first. */
export async function listItems(
  db: Scoped,
  reader: Reader,
  { source, limit, after }: Page,
): Promise<ItemRow[]> {
  const page = sql`
    with known as materialized (${correspondents([reader.id])})
    select t.* from tray_items t where t.state = 'open' and ${isReadable(reader)}
      and (t.sender_key is null or t.sender_key in (select k.sender_key from known k))
      ${source === undefined ? sql`` : sql`and t.source = ${source}`}
      ${after ? sql`and (t.at, t.id) > (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
    order by t.at, t.id limit ${limit}`;
  return (await items(page).execute(db)).rows;
}

/** An item in any state, for its readers, and for the user who took it out of the tray. */
export async function findItem(
  db: Scoped,
  reader: Reader,
  id: string,
): Promise<ItemRow | undefined> {
  const found = sql`
    select t.* from tray_items t
    where t.id = ${id} and (${isReadable(reader)} or t.closed_by = ${reader.id})`;
  return (await items(found).execute(db)).rows[0];
}

/** Locked until the transaction ends, so that it is filed once. */
export async function lockItem(trx: Transaction, id: string): Promise<void> {
  await sql`select from tray_items where id = ${id} for update`.execute(trx);
}

export async function hasFile(db: Scoped, id: string): Promise<boolean> {
  const found = await db.selectFrom('files').select('id').where('id', '=', id).executeTakeFirst();
  return found !== undefined;
}

export async function findFileId(db: Scoped, blobKey: string): Promise<string> {
  const { id } = await db
    .selectFrom('files')
    .select('id')
    .where('blob_key', '=', blobKey)
    .executeTakeFirstOrThrow();
  return id;
}

/** Those that are in the tray, or were, stay as they are. @returns whether any is new */
export async function insertArrivals(
  trx: Transaction,
  rows: Insertable<TrayItemsTable>[],
): Promise<boolean> {
  const inserted = await trx
    .insertInto('tray_items')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return inserted.length > 0;
}

/** @returns those of the keys that a contact has, for whomever */
export async function listKnownSenders(db: Executor, keys: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${keys}::text[]) as key where is_known_sender(key)`.execute(db);
  return new Set(rows.map(({ key }) => key));
}

/** @returns ids of those of a user's mails that are in a case already */
export async function listFiledMails(
  db: Executor,
  userId: string,
  mailIds: string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('filed_mails')
    .select('mail_id')
    .where('user_id', '=', userId)
    .where('mail_id', '=', sql<string>`any(${mailIds}::text[])`)
    .execute();
  return new Set(rows.map((row) => row.mail_id));
}

/** Open texts, or an open mail, that were filed elsewhere. @returns whose they are */
export async function closeArrivals(
  trx: Transaction,
  { messageIds = [], mail }: { messageIds?: string[]; mail?: { userId: string; mailId: string } },
  by: string,
): Promise<string[]> {
  const { rows } = await sql<{ owner_id: string }>`
    update tray_items set state = 'filed', closed_at = clock_timestamp(), closed_by = ${by}
    where state = 'open' and (message_id = any(${messageIds}::uuid[])
      or owner_id = ${mail?.userId ?? null}::uuid and mail_id = ${mail?.mailId ?? null}::text)
    returning owner_id`.execute(trx);
  return rows.map((row) => row.owner_id);
}

/** Texts that no matter has any more. @returns whose they are */
export async function reopenTexts(trx: Transaction, messageIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ owner_id: string }>`
    update tray_items t
    set state = 'open', closed_at = null, closed_by = null, file_id = null, task_id = null
    where t.message_id = any(${messageIds}::uuid[]) and t.state = 'filed'
      and not exists (select from filed_texts f where f.message_id = t.message_id)
    returning owner_id`.execute(trx);
  return rows.map((row) => row.owner_id);
}

/** Items of the mail that has this file; a file that is no mail has none. */
const ofMail = (fileId: string) => sql`
  (t.owner_id, t.mail_id) in (
    select m.user_id, m.mail_id from filed_mails m where m.file_id = ${fileId})`;

/** The mail of a deleted file, unless another file has it. @returns whose it is */
export async function reopenMails(trx: Transaction, fileId: string): Promise<string[]> {
  // Two files of a mail may be deleted at once: the second waits, and sees no other.
  await sql`select from tray_items t where ${ofMail(fileId)} for update`.execute(trx);
  const { rows } = await sql<{ owner_id: string }>`
    update tray_items t
    set state = 'open', closed_at = null, closed_by = null, file_id = null, task_id = null
    where ${ofMail(fileId)} and t.state = 'filed' and not exists (
      select from filed_mails m join files f on f.id = m.file_id
      where m.user_id = t.owner_id and m.mail_id = t.mail_id and f.deleted_at is null)
    returning owner_id`.execute(trx);
  return rows.map((row) => row.owner_id);
}

/** The mail of a restored file. @returns whose it is */
export async function closeMails(trx: Transaction, fileId: string): Promise<string[]> {
  const { rows } = await sql<{ owner_id: string }>`
    update tray_items t
    set state = 'filed', closed_at = clock_timestamp(), closed_by = t.owner_id
    where ${ofMail(fileId)} and t.state = 'open'
    returning owner_id`.execute(trx);
  return rows.map((row) => row.owner_id);
}

export type TextRow = {
  own_number: string;
  other_number: string;
  body: string;
  sent_at: Date;
  media: number;
};

export async function findText(db: Scoped, id: string): Promise<TextRow | undefined> {
  const { rows } = await sql<TextRow>`
    select t.own_number, t.other_number, t.body, t.sent_at,
      (select count(*)::int from text_media m where m.message_id = t.id) as media
    from text_messages t where t.id = ${id}`.execute(db);
  return rows[0];
}

export async function insertItems(
  trx: Transaction,
  rows: Insertable<TrayItemsTable>[],
): Promise<string[]> {
  const inserted = await trx.insertInto('tray_items').values(rows).returning('id').execute();
  return inserted.map(({ id }) => id);
}

export async function closeItem(
  trx: Transaction,
  id: string,
  { by, fileId, taskId = null }: { by: string; fileId: string | null; taskId?: string | null },
): Promise<void> {
  await trx
    .updateTable('tray_items')
    .set({
      state: fileId === null ? 'dismissed' : 'filed',
      closed_at: sql<Date>`clock_timestamp()`,
      closed_by: by,
      file_id: fileId,
      task_id: taskId,
    })
    .where('id', '=', id)
    .execute();
}

/** @param blobKey of bytes of its own, where the earlier ones are a file's */
export async function reopenItem(
  trx: Transaction,
  id: string,
  blobKey: string | undefined,
): Promise<void> {
  await trx
    .updateTable('tray_items')
    .set({ state: 'open', closed_at: null, closed_by: null, file_id: null, task_id: null })
    .$if(blobKey !== undefined, (query) => query.set({ blob_key: blobKey ?? '' }))
    .where('id', '=', id)
    .execute();
}

/** Open papers of everyone, and mails and texts of these readers, by source and owner. */
export async function countItems(db: Executor, readers: readonly string[]): Promise<OpenCount[]> {
  const { rows } = await sql<OpenCount>`
    with known as materialized (${correspondents(readers)})
    select t.source, t.owner_id, count(*)::int as n
    from tray_items t left join known k using (owner_id, sender_key)
    where t.state = 'open' and (t.sender_key is null or k.sender_key is not null)
    group by t.source, t.owner_id`.execute(db);
  return rows;
}

/** Active users who read an owner's items. */
export async function listReaders(db: Executor, ownerId: string | null): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    select id, sorts from (
      select id, role = 'admin' or coalesce(permissions ->> 'sortPapers' = 'true', false) as sorts
      from users where active) u
    where sorts or id = ${ownerId}::uuid order by id`.execute(db);
  return rows;
}

/**
 * Removes what was closed that many days ago, and mails and texts of strangers that arrived then. Bytes that no file has
 * become pending.
 */
export async function purgeItems(trx: Executor, days: number, owner: string): Promise<void> {
  await sql`
    with due as (
      delete from tray_items
      where state <> 'open' and closed_at < statement_timestamp() - make_interval(days => ${days})
      returning blob_key, state)
    insert into pending_blobs (blob_key, owner)
    select blob_key, ${owner} from due where state = 'dismissed' and blob_key is not null`.execute(
    trx,
  );
  await sql`
    delete from tray_items
    where state = 'open' and sender_key is not null
      and at < statement_timestamp() - make_interval(days => ${days})
      and not is_correspondent(owner_id, sender_key)`.execute(trx);
}

/** Matters per kind of clue, for all papers of a page. */
const MAX_MATTERS = 500;

const matter = sql<Matter>`
  json_build_object('id', c.id, 'caseName', c.case_name, 'caseNo', c.case_no)`;

/** Active matters first, then the newest. @param keys folded */
export async function listByNumber(db: Scoped, keys: string[]): Promise<FoundNumber[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<FoundNumber>`
    select c.case_no_key as key, ${matter} as matter from cases c
    where c.case_no_key = any(${keys})
    order by c.status_type = 'Active' desc, c.serial desc limit ${MAX_MATTERS}`.execute(db);
  return rows;
}

/** In active matters, the newest first. @param numbers in capitals */
export async function listByClaim(db: Scoped, numbers: string[]): Promise<FoundClaim[]> {
  if (numbers.length === 0) return [];
  const { rows } = await sql<FoundClaim>`
    with noted as (
      select e.case_id, numbers_in(e.text) as numbers, null as contact
      from entries e where numbers_in(e.text) && ${numbers} and e.deleted_at is null
      union all
      select p.case_id, numbers_in(p.note), k.name
      from parties p join contacts k on k.id = p.contact_id
      where p.note <> '' and numbers_in(p.note) && ${numbers}
      union all
      select p.case_id, numbers_in(k.notes), k.name
      from contacts k join parties p on p.contact_id = k.id
      where k.notes is not null and numbers_in(k.notes) && ${numbers})
    select distinct on (c.serial, number, contact) number, ${sql`
      jsonb_build_object('id', c.id, 'caseName', c.case_name, 'caseNo', c.case_no)`} as matter, contact
    from noted n join cases c on c.id = n.case_id, unnest(n.numbers) as number
    where c.status_type = 'Active' and number = any(${numbers})
    order by c.serial desc, number, contact nulls first limit ${MAX_MATTERS}`.execute(db);
  return rows;
}

/** In active matters, the newest first, with the address that the matter itself gives. @param keys of names */
export async function listByName(db: Scoped, keys: string[]): Promise<FoundParty[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<FoundParty>`
    select k.name_key as key, ${matter} as matter, k.name, p.role,
      k.date_of_birth as "dateOfBirth", coalesce(s.address, k.address) as address
    from contacts k join parties p on p.contact_id = k.id join cases c on c.id = p.case_id
      left join contact_sources s on s.contact_id = k.id and s.case_id = c.id
    where k.name_key = any(${keys}) and c.status_type = 'Active'
      and (k.date_of_birth is not null or coalesce(s.address, k.address) is not null)
    order by c.serial desc, k.name_key, p.role limit ${MAX_MATTERS}`.execute(db);
  return rows;
}

/** Matters in which mails of these threads of the user are filed, the latest filing first. */
export async function listByThread(
  db: Scoped,
  userId: string,
  threads: string[],
): Promise<FoundThread[]> {
  if (threads.length === 0) return [];
  const { rows } = await sql<FoundThread>`
    select m.thread_id as thread, ${matter} as matter
    from filed_mails m join files f on f.id = m.file_id join cases c on c.id = f.case_id
    where m.user_id = ${userId} and m.thread_id = any(${threads}) and f.deleted_at is null
    order by m.filed_at desc, c.serial desc limit ${MAX_MATTERS}`.execute(db);
  return rows;
}

/** Active matters whose parties have these addresses or numbers, at most two for each: two are no single match. */
export async function listByCorrespondent(
  db: Scoped,
  keys: string[],
): Promise<FoundCorrespondent[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<FoundCorrespondent>`
    select s.key, found.* from unnest(${keys}::text[]) as s (key), lateral (
      select distinct on (c.serial) ${sql`
        jsonb_build_object('id', c.id, 'caseName', c.case_name, 'caseNo', c.case_no)`} as matter, k.name, p.role
      from contacts k join parties p on p.contact_id = k.id join cases c on c.id = p.case_id
      where c.status_type = 'Active' and k.id in (
        select id from contacts where keys @> array[s.key]
        union all
        select contact_id from contact_sources where is_walled and keys @> array[s.key])
      order by c.serial desc, p.role limit 2) found`.execute(db);
  return rows;
}

export type UnreadItem = Pick<ItemRow, 'name' | 'size' | 'mime_type'> & { blob_key: string };

/** A paper of the tray that was not read for clues yet. */
export async function findUnread(db: Executor, id: string): Promise<UnreadItem | undefined> {
  return db
    .selectFrom('tray_items')
    .select(['name', 'size', 'mime_type', 'blob_key'])
    .where('blob_key', 'is not', null)
    .$narrowType<{ blob_key: string }>()
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('clues', 'is', null)
    .executeTakeFirst();
}

type ReadItem = { clues: Clues; excerpt: string; pages: number | null };

/** @returns whose paper it is; undefined for one that is not there any more */
export function storeClues(
  trx: Transaction,
  id: string,
  { clues, ...read }: ReadItem,
): Promise<{ owner_id: string | null } | undefined> {
  return trx
    .updateTable('tray_items')
    .set({ ...read, clues: JSON.stringify(clues) })
    .where('id', '=', id)
    .returning('owner_id')
    .executeTakeFirst();
}

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
