import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { DAY_LENGTH } from '@matterdesk/contract/calendar.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import { contentUrl } from '@matterdesk/contract/files.ts';
import type { EntryKind, StreamEntry } from '@matterdesk/contract/stream.ts';
import type { EntriesTable } from '../../db/schema-stream.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';
import { everyWord, fold, holdsWord } from '../../db/search.ts';
import { lockName, personJson } from '../../db/statements.ts';
import { stateInWords } from './rules.ts';

export type EntryRow = Omit<Selectable<EntriesTable>, 'search_text'> & {
  first_name: string;
  last_name: string;
  mentioned: Person[];
  named_files: { folder: string; name: string }[];
  /** The file of an answer, while it is in the matter. */
  source: { folder: string; name: string; version: number } | null;
  contact: { id: string; name: string; isWalled: boolean } | null;
  deleted_by_name: string | null;
  made: MadeRow[];
};

/** `state` is a task's column or `done`, the day of an event or `canceled`, or a deadline's status. */
export type MadeRow = {
  type: StreamEntry['made'][number]['type'];
  id: string;
  title: string;
  state: string;
};

/** The place of an item among those of its time. */
export type Place = { at: string; id: string };

export type EntryFilter = {
  caseId: string;
  kinds: readonly EntryKind[];
  people: readonly string[] | undefined;
  from: Date | undefined;
  to: Date | undefined;
  search: string | undefined;
  /** Without the names of contacts, which not everyone sees. */
  isForAll?: boolean;
};

const columns = [
  ...(['id', 'case_id', 'kind', 'text', 'at', 'entered_at', 'author_id', 'call'] as const),
  ...([
    'mentions',
    'files',
    'answer',
    'edited_at',
    'deleted_at',
    'deleted_by',
    'pinned_at',
  ] as const),
  'updated_at',
] as const;

const mentioned = sql<Person[]>`coalesce((
  select json_agg(${personJson('u')}
    order by m.place)
  from unnest(entries.mentions) with ordinality m (id, place) join users u on u.id = m.id), '[]')`;

/** Files that were deleted, or moved to another matter, fall out. */
const namedFiles = sql<EntryRow['named_files']>`coalesce((
  select json_agg(json_build_object('folder', d.name, 'name', f.name) order by n.place)
  from unnest(entries.files) with ordinality n (id, place)
  join files f on f.id = n.id and f.case_id = entries.case_id and f.deleted_at is null
  join folders d on d.id = f.folder_id), '[]')`;

const source = sql<EntryRow['source']>`case when entries.answer is not null then (
  select json_build_object('folder', d.name, 'name', f.name, 'version', f.version)
  from files f join folders d on d.id = f.folder_id
  where f.id = (entries.answer ->> 'file')::uuid and f.case_id = entries.case_id
    and f.deleted_at is null) end`;

/** The contact of a call, for a reader who sees it. */
const called = sql`contacts c where c.id = answering_contact((entries.call ->> 'contact')::uuid)`;
const contact = sql<EntryRow['contact']>`case when entries.call ->> 'contact' is not null then (
  select json_build_object('id', c.id, 'name', c.name, 'isWalled', c.is_walled) from ${called}) end`;

const deletedBy = sql<string | null>`(
  select u.first_name || ' ' || u.last_name from users u where u.id = entries.deleted_by)`;

/** Most that are shown of what was made from an entry. */
const MAX_MADE = 50;

/** Tasks, events and deadlines of the entry's matter, the oldest first; a series is its first occurrence. */
const made = sql<MadeRow[]>`coalesce((
  select json_agg(json_build_object('type', m.type, 'id', m.id, 'title', m.title, 'state', m.state)
    order by m.created_at, m.id)
  from (
    select 'task' as type, t.id, t.name as title, t.created_at,
      case when t.done_at is null then t.type else 'done' end as state
    from tasks t
    where t.entry_id = entries.id and t.case_id = entries.case_id and t.deleted_at is null
    union all
    (select distinct on (coalesce(v.series_id, v.id)) 'event', v.id, v.title, v.created_at,
      case when v.cancelled_at is null then left(v.wall_start, ${sql.lit(DAY_LENGTH)}) else 'canceled' end
    from events v
    where v.source ->> 'id' = entries.id::text and v.source ->> 'type' = 'entry'
      and v.case_id = entries.case_id
    order by coalesce(v.series_id, v.id), v.cancelled_at is not null, v.wall_start)
    union all
    select 'deadline', d.id, d.title, d.created_at, d.status
    from deadlines d
    where d.source ->> 'id' = entries.id::text and d.source ->> 'type' = 'entry'
      and d.case_id = entries.case_id
    order by created_at, id limit ${sql.lit(MAX_MADE)}) m), '[]')`;

function selectEntries(db: Scoped) {
  return db
    .selectFrom('entries')
    .innerJoin('users', 'users.id', 'entries.author_id')
    .select(columns.map((column) => `entries.${column}` as const))
    .select(['users.first_name', 'users.last_name'])
    .select([
      mentioned.as('mentioned'),
      namedFiles.as('named_files'),
      source.as('source'),
      contact.as('contact'),
      deletedBy.as('deleted_by_name'),
      made.as('made'),
    ]);
}

/** @param isForAll leaves out a contact that only some readers of the entry see */
export function toEntry(row: EntryRow, { isForAll = false } = {}): StreamEntry {
  const { call, contact: found } = row;
  const shown = found && !(isForAll && found.isWalled) ? { id: found.id, name: found.name } : null;
  return {
    id: row.id,
    case: row.case_id,
    kind: row.kind,
    text: row.deleted_at ? '' : row.text,
    at: row.at.toISOString(),
    enteredAt: row.entered_at.toISOString(),
    author: { id: row.author_id, firstName: row.first_name, lastName: row.last_name },
    call: call && !row.deleted_at ? { ...call, contact: shown } : null,
    mentions: row.deleted_at ? [] : row.mentioned,
    files: row.deleted_at
      ? []
      : row.named_files.map(({ folder, name }) => contentUrl(row.case_id, folder, name)),
    answer: row.deleted_at ? null : toAnswer(row),
    editedAt: row.edited_at?.toISOString() ?? null,
    deleted: row.deleted_at !== null,
    pinned: row.pinned_at !== null,
    made: row.deleted_at
      ? []
      : row.made.map(({ state, ...item }) => ({ ...item, state: stateInWords(state) })),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Its url names the version that is quoted, once the file has a newer one. */
function toAnswer({ case_id: caseId, answer, source }: EntryRow): StreamEntry['answer'] {
  if (!answer) return null;
  const { question, quotation, page, version } = answer;
  const url = source && contentUrl(caseId, source.folder, source.name);
  const query = source && source.version !== version ? `?version=${version}` : '';
  return { question, quotation, url: url && url + query, page };
}

/** Newest first. */
export function listEntries(
  db: Scoped,
  filter: EntryFilter,
  { limit, after }: { limit: number; after: Place | undefined },
): Promise<EntryRow[]> {
  return selectEntries(db)
    .where(matching(filter))
    .where('entries.kind', '=', sql<EntryKind>`any(${filter.kinds})`)
    .$if(after !== undefined, (query) =>
      // The first condition ends the scan of the index; ids of several tables are compared as texts.
      query.where(sql<boolean>`entries.at <= ${after?.at}::timestamptz
        and (entries.at, entries.id::text collate "C") < (${after?.at}::timestamptz, ${after?.id})`),
    )
    .orderBy('entries.at', 'desc')
    .orderBy('entries.id', 'desc')
    .limit(limit)
    .execute();
}

/** Entries of each kind. */
export function countEntries(
  db: Scoped,
  filter: EntryFilter,
): Promise<{ kind: EntryKind; n: number }[]> {
  return db
    .selectFrom('entries')
    .select(['kind', sql<number>`count(*)::int`.as('n')])
    .where(matching(filter))
    .groupBy('kind')
    .execute();
}

function matching({ caseId, people, from, to, search = '', isForAll = false }: EntryFilter) {
  const conditions = [sql<boolean>`entries.case_id = ${caseId}`];
  if (people) conditions.push(sql`entries.author_id = any(${people}::uuid[])`);
  if (from) conditions.push(sql`entries.at >= ${from}`);
  if (to) conditions.push(sql`entries.at < ${to}`);
  if (search !== '')
    conditions.push(
      everyWord(
        search,
        (word) => sql`(strpos(entries.search_text, ${fold(word)}) > 0
          or not ${sql.lit(isForAll)} and entries.deleted_at is null and entries.call ->> 'contact' is not null
            and exists (select from ${called} and ${holdsWord(sql`c.name`, word)}))`,
      ),
    );
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** The newest pin first. */
export function listPinned(db: Scoped, caseId: string): Promise<EntryRow[]> {
  return selectEntries(db)
    .where('entries.case_id', '=', caseId)
    .where('entries.pinned_at', 'is not', null)
    .orderBy('entries.pinned_at', 'desc')
    .execute();
}

export function findEntry(db: Scoped, id: string): Promise<EntryRow | undefined> {
  return selectEntries(db).where('entries.id', '=', id).executeTakeFirst();
}

export function lockEntry(trx: Transaction, id: string): Promise<EntryRow | undefined> {
  return selectEntries(trx).where('entries.id', '=', id).forUpdate('entries').executeTakeFirst();
}

/** Makes pins of one matter wait for each other. */
export async function lockPins(trx: Transaction, caseId: string): Promise<number> {
  await lockName(trx, `matterdesk.pins${caseId}`);
  const { n } = await trx
    .selectFrom('entries')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('case_id', '=', caseId)
    .where('pinned_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return n;
}

/** @returns its id; undefined for an unknown matter */
export async function insertEntry(
  trx: Transaction,
  row: Pick<
    Insertable<EntriesTable>,
    | ('case_id' | 'kind' | 'text' | 'search_text' | 'at' | 'author_id' | 'call' | 'mentions')
    | ('files' | 'answer')
  >,
): Promise<string> {
  const { id } = await trx
    .insertInto('entries')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const later = sql<Date>`greatest(statement_timestamp(), entries.updated_at + interval '1 millisecond')`;

export async function updateEntry(
  trx: Transaction,
  id: string,
  change: Omit<Updateable<EntriesTable>, 'updated_at'>,
): Promise<void> {
  await trx
    .updateTable('entries')
    .set({ ...change, updated_at: later })
    .where('id', '=', id)
    .execute();
}

/** Keeps an earlier text. @param version when it was written, and who did */
export async function insertVersion(
  trx: Transaction,
  version: { entry_id: string; text: string; at: Date; by_id: string },
): Promise<void> {
  await trx.insertInto('entry_versions').values(version).execute();
}

/** Oldest first. */
export function listVersions(db: Scoped, entryId: string) {
  return db
    .selectFrom('entry_versions as v')
    .innerJoin('users as u', 'u.id', 'v.by_id')
    .select(['v.text', 'v.at', 'u.id', 'u.first_name', 'u.last_name'])
    .where('v.entry_id', '=', entryId)
    .orderBy('v.id')
    .execute();
}

/** Active users, and whether each sees the matter. */
export async function findPeople(
  db: Executor,
  caseId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string; sees: boolean }[]> {
  const { rows } = await sql<{ id: string; name: string; sees: boolean }>`
    select u.id, u.first_name || ' ' || u.last_name as name, base.sees_case(u.id, ${caseId}) as sees
    from users u where u.active and u.id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Whether an entry that was not deleted is in a matter. */
export async function hasEntry(db: Scoped, caseId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('entries')
    .select('id')
    .where('id', '=', id)
    .where('case_id', '=', caseId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findMatter(
  db: Scoped,
  id: string,
): Promise<{ id: string; caseName: string; caseNo: string | null } | undefined> {
  return db
    .selectFrom('cases')
    .select(['id', 'case_name as caseName', 'case_no as caseNo'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function hasContact(db: Scoped, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('contacts')
    .select('id')
    .where('id', '=', id)
    .where('merged_into', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ids of a matter's files, in the order of their places. */
export async function findFileIds(
  db: Scoped,
  caseId: string,
  places: readonly { folder: string; name: string }[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select f.id from unnest(${places.map(({ folder }) => folder)}::text[],
        ${places.map(({ name }) => name)}::text[]) with ordinality asked (folder, name, place)
      join folders d on d.case_id = ${caseId} and d.name = asked.folder
      join files f on f.folder_id = d.id and f.name = asked.name and f.deleted_at is null
      order by asked.place`.execute(db);
  return rows.map(({ id }) => id);
}

/** Drops the notices of those whom an entry mentions. @param keep user ids whose notices stay */
export async function dropMentions(
  trx: Transaction,
  entryId: string,
  keep: readonly string[],
): Promise<void> {
  await sql`delete from notices n where n.type = 'mention' and n.entry_id = ${entryId}
    and n.user_id <> all(${keep}::uuid[])`.execute(trx);
}
