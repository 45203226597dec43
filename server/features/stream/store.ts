import { type RawBuilder, sql } from 'kysely';
import type { MessageStatus } from '@matterdesk/contract/message-statuses.ts';
import type { EntryKind, FoundPerson, StreamKind } from '@matterdesk/contract/stream.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';
import { everyWord, holdsWord } from '../../db/search.ts';
import type { Place } from './store.entries.ts';

export type ActRow = {
  id: string;
  at: Date;
  kind: StreamKind;
  action: string;
  entity: string;
  entity_id: string | null;
  before: unknown;
  after: unknown;
  actor_id: string | null;
  first_name: string | null;
  last_name: string | null;
};

export type TextRow = {
  id: string;
  at: Date;
  owner_id: string;
  first_name: string;
  last_name: string;
  is_filed: boolean;
  own_number: string;
  other_number: string;
  is_inbound: boolean;
  body: string;
  status: MessageStatus;
  media: { id: string; mimeType: string }[];
};

/** A matter that is in scope, with the addresses of its parties' mails, and their numbers as texts have them. */
export type StreamedMatter = {
  isActive: boolean;
  hasPins: boolean;
  emails: string[];
  parties: { number: string; name: string | null }[];
};

export type Filter = StreamedMatter & {
  caseId: string;
  /** Ids of users. */
  people: readonly string[] | undefined;
  from: Date | undefined;
  to: Date | undefined;
  search: string | undefined;
  /** With column moves, training, and status by itself. */
  isWhole: boolean;
  /** Leaves out what only some of those with access see. */
  isForAll?: boolean;
};

/** Matters of one contact that are offered. */
const MAX_MATTERS = 20;

type Page = { limit: number; after: Place | undefined };
type Condition = RawBuilder<boolean>;

const acts = (entity: string, actions: readonly string[]) =>
  sql<boolean>`(a.entity = ${sql.lit(entity)} and a.action in (${sql.join(actions.map(sql.lit))}))`;

/** An id of another kind of entity may be no UUID. */
const isMail = sql<boolean>`case when a.entity = 'file'
  then exists (select from filed_mails m where m.file_id = a.entity_id::uuid) end`;
/** A change of nothing but the status, which others follow from. */
const isStatusAlone = sql<boolean>`(a.entity = 'case' and a.action = 'updated'
  and a.before - 'status' - 'updatedAt' = a.after - 'status' - 'updatedAt')`;
/** A private event shows no one what it was. */
const isOpen = sql<boolean>`(a.before ->> 'private' is distinct from 'true'
  and a.after ->> 'private' is distinct from 'true')`;

/** Kinds of acts, and those that the stream leaves out unless it is read as a whole. */
export type ActKind = StreamKind | 'noise';

/** Acts by what they are about, in the order in which they are asked. */
const actConditions: Partial<Record<ActKind, Condition>> = {
  noise: sql`(${isStatusAlone} or ${acts('file', ['trained', 'trainingFailed'])}
    or ${acts('task', ['moved'])})`,
  mail: sql`(${acts('file', ['created'])} and ${isMail})`,
  file: sql`(${acts('file', ['created', 'imported', 'updated', 'moved', 'deleted', 'restored'])}
    or ${acts('paper', ['unfiled'])})`,
  task: acts('task', [
    'created',
    'imported',
    'updated',
    'completed',
    'reopened',
    'deleted',
    'restored',
  ]),
  event: sql`(a.entity = 'event' and a.action <> 'skipped' and ${isOpen})`,
  deadline: sql`(a.entity = 'deadline')`,
  check: acts('conflict', ['created', 'looked', 'concluded']),
  change: sql`(a.entity in ('case', 'folder') and a.action <> 'deadlinesExported'
    or ${acts('entry', ['moved'])})`,
};
const kindOfAct = sql<ActKind | null>`case ${sql.join(
  Object.entries(actConditions).map(([kind, is]) => sql`when ${is} then ${sql.lit(kind)}`),
  sql` `,
)} end`;

/** Acts of these kinds in a matter, newest first; ids are padded, so that they compare as texts. */
export async function listActs(
  db: Executor,
  filter: Filter,
  { kinds, limit, after }: Page & { kinds: readonly StreamKind[] },
): Promise<ActRow[]> {
  const wanted: ActKind[] = kinds.filter((kind) => kind in actConditions);
  if (filter.isWhole && wanted.includes('change')) wanted.push('noise');
  if (wanted.length === 0) return [];
  const { rows } = await sql<ActRow>`
    select p.*, u.first_name, u.last_name from (
      select lpad(a.id::text, 19, '0') as id, a.at, coalesce(nullif(a.kind, 'noise'), 'change') as kind, a.action, a.entity, a.entity_id, a.before, a.after, a.actor_id
      from (select a.*, ${kindOfAct} as kind from audit_log a) a
      where ${matchingActs(filter)} and a.kind = any(${wanted})
        ${after ? sql`and (a.at, a.id) < (${after.at}::timestamptz, ${serialAt(after)}::bigint)` : sql``}
      order by a.at desc, a.id desc limit ${limit}) p
    left join users u on u.id = p.actor_id
    order by p.at desc, p.id desc`.execute(db);
  return rows;
}

export type ActCount = {
  kind: ActKind | null;
  actor_id: string | null;
  isSettled: boolean;
  n: number;
};

/** Acts of each kind and actor, those before and after an instant apart. @param filter `isWhole` counts nothing else */
export async function countActs(db: Executor, filter: Filter, settled: Date): Promise<ActCount[]> {
  const { rows } = await sql<ActCount>`
    select ${kindOfAct} as kind, a.actor_id, a.at < ${settled} as "isSettled", count(*)::int as n
    from audit_log a where ${matchingActs(filter)} group by 1, 2, 3`.execute(db);
  return rows;
}

/** An id of another table is a place, too: entries and texts of one instant come before acts. */
function serialAt({ id }: Place): string {
  return /^\d{19}$/.test(id) ? id : '9223372036854775807';
}

function matchingActs({ caseId, people, from, to, search = '' }: Filter): Condition {
  const conditions: Condition[] = [sql`a.case_id = ${caseId}`];
  if (people) conditions.push(sql`a.actor_id = any(${people}::uuid[])`);
  if (from) conditions.push(sql`a.at >= ${from}`);
  if (to) conditions.push(sql`a.at < ${to}`);
  if (search !== '') {
    const state = sql`coalesce(a.after, a.before)`;
    const named = sql`concat_ws(E'\n', ${state} ->> 'name', ${state} ->> 'title', ${state} ->> 'caseName')`;
    conditions.push(everyWord(search, (word) => holdsWord(named, word)));
  }
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** A matter that the caller sees, with numbers and addresses that sent something; one of several parties has the first name. */
export async function findStreamed(
  db: Scoped,
  caseId: string,
): Promise<StreamedMatter | undefined> {
  const { rows } = await sql<StreamedMatter>`
    select c.status_type = 'Active' as "isActive",
      exists (select from entries e where e.case_id = c.id and e.pinned_at is not null) as "hasPins", array(
        select distinct e from (
          values (c.client_email), (c.counsel_email)
          union all select unnest(k.emails)
            from parties p join contacts k on k.id = p.contact_id where p.case_id = c.id) known (e)
        -- Letters beyond ASCII are folded elsewhere.
        where e ~ '[^ -~]' or exists (select from tray_items t
          where t.source = 'mail' and t.sender_key = 'e:' || lower(trim(e)))) as emails, (
      select coalesce(json_agg(known), '[]') from (
        select '+' || phone_digits(n) as number, min(name) filter (where name <> '') as name from (
          values (c.client_phone_number, c.client_name), (c.counsel_phone_number, c.counsel_name)
          union all select unnest(k.phone_numbers), k.name
            from parties p join contacts k on k.id = p.contact_id where p.case_id = c.id) named (n, name)
        where exists (select from text_messages t where t.other_number = '+' || phone_digits(n))
        group by 1) known) as parties
    from cases c where c.id = ${caseId}`.execute(db);
  return rows[0];
}

type ReaderScope = { readerId: string };

/**
 * Texts filed to a matter, and those with the numbers of an active one's parties that are not filed there. A page of
 * them needs only the newest of each.
 */
function textsOf(filter: Filter, { readerId, after, limit }: ReaderScope & Partial<Page>) {
  const { caseId, isActive, isForAll = false, parties, search = '' } = filter;
  const newest = limit === undefined ? sql`` : sql`order by sent_at desc, id desc limit ${limit}`;
  const matching = matchingTexts(filter, after);
  // A left join, which the planner drops where no column of the message is read.
  const filed = sql`
    (select t.id, t.sent_at, true as is_filed from (
        select f.message_id as id, f.sent_at, f.owner_id, m.body
        from filed_texts f left join text_messages m on m.id = f.message_id where f.case_id = ${caseId}) t
      where ${matching} ${newest})`;
  const numbers = isActive && !isForAll ? parties.map(({ number }) => number) : [];
  if (numbers.length === 0) return { all: filed };
  const unfiled = sql`
    (select found.* from unnest(${numbers}::text[]) party (number) cross join lateral (
      select t.id, t.sent_at, false as is_filed from text_messages t
      where t.other_number = party.number and ${matching}
        and ${search === '' ? sql`true` : sql`t.owner_id = ${readerId}`}
        and not exists (select from filed_texts f where f.case_id = ${caseId} and f.message_id = t.id)
      ${newest}) found)`;
  return { unfiled, all: sql`${filed} union all ${unfiled}` };
}

/** Newest first; another's text that is not filed says only by whom and when. */
export async function listTexts(
  db: Scoped,
  filter: Filter,
  { limit, after, readerId }: Page & ReaderScope,
): Promise<TextRow[]> {
  const isReadable = sql<boolean>`(p.is_filed or t.owner_id = ${readerId})`;
  const { all } = textsOf(filter, { readerId, limit, after });
  const { rows } = await sql<TextRow>`
    select t.id, p.sent_at as at, t.owner_id, u.first_name, u.last_name, p.is_filed,
      t.own_number, t.other_number, t.is_inbound, t.status,
      case when ${isReadable} then t.body else '' end as body,
      case when ${isReadable} then coalesce((
        select json_agg(json_build_object('id', m.id, 'mimeType', m.mime_type) order by m.ordinal)
        from text_media m where m.message_id = t.id), '[]') else '[]' end as media
    from (select * from (${all}) found order by sent_at desc, id desc limit ${limit}) p
    join text_messages t on t.id = p.id join users u on u.id = t.owner_id
    order by p.sent_at desc, p.id desc`.execute(db);
  return rows;
}

export type WrittenCount = { kind: EntryKind | 'text'; n: number };

/** Entries and texts of each kind under no filter but people; the database keeps the counts of those in the matter. */
export async function countKept(
  db: Scoped,
  filter: Filter,
  scope: ReaderScope,
): Promise<WrittenCount[]> {
  const { caseId, people } = filter;
  const { unfiled } = textsOf(filter, scope);
  const { rows } = await sql<WrittenCount>`
    select kind, sum(n)::int as n from stream_counts
      where case_id = ${caseId} ${people ? sql`and user_id = any(${people}::uuid[])` : sql``} group by kind
    ${unfiled ? sql`union all select 'text', count(*)::int from (${unfiled}) t` : sql``}`.execute(
    db,
  );
  return rows;
}

export async function countTexts(
  db: Scoped,
  filter: Filter,
  scope: ReaderScope,
): Promise<WrittenCount[]> {
  const { rows } = await sql<WrittenCount>`
    select 'text' as kind, count(*)::int as n from (${textsOf(filter, scope).all}) t`.execute(db);
  return rows;
}

/** Texts with people of the matter that are not filed there. */
export async function countUnfiledTexts(
  db: Scoped,
  filter: Filter,
  scope: ReaderScope,
): Promise<number> {
  const { unfiled } = textsOf(filter, scope);
  if (!unfiled) return 0;
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (${unfiled}) t`.execute(db);
  return rows[0]?.n ?? 0;
}

function matchingTexts({ people, from, to, search = '' }: Filter, after?: Place): Condition {
  const conditions: Condition[] = [sql`t.owner_id is not null`];
  if (people) conditions.push(sql`t.owner_id = any(${people}::uuid[])`);
  if (from) conditions.push(sql`t.sent_at >= ${from}`);
  if (to) conditions.push(sql`t.sent_at < ${to}`);
  if (search !== '') conditions.push(everyWord(search, (word) => holdsWord(sql`t.body`, word)));
  if (after)
    conditions.push(sql`t.sent_at <= ${after.at}::timestamptz
      and (t.sent_at, t.id::text collate "C") < (${after.at}::timestamptz, ${after.id})`);
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

type OfferedMatter = FoundPerson['matters'][number];

/** Active matters of each contact, the newest first. */
export async function listActiveMatters(
  db: Scoped,
  contactIds: string[],
): Promise<Map<string, OfferedMatter[]>> {
  const { rows } = await sql<{ contact_id: string; matters: OfferedMatter[] | null }>`
    select k.id as contact_id, (
      select json_agg(json_build_object('id', m.id, 'caseName', m.case_name, 'caseNo', m.case_no) order by m.serial desc)
      from (select distinct c.id, c.case_name, c.case_no, c.serial from parties p join cases c on c.id = p.case_id
        where p.contact_id = k.id and c.status_type = 'Active'
        order by c.serial desc limit ${sql.lit(MAX_MATTERS)}) m) as matters
    from unnest(${contactIds}::uuid[]) k (id)`.execute(db);
  return new Map(rows.map(({ contact_id: id, matters }) => [id, matters ?? []]));
}

/** Ids of those texts that belong to a user. */
export async function findOwnTexts(
  trx: Transaction,
  ids: string[],
  ownerId: string,
): Promise<string[]> {
  const rows = await trx
    .selectFrom('text_messages')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('owner_id', '=', ownerId)
    .execute();
  return rows.map(({ id }) => id);
}

/** @returns the ids that were not there yet */
export async function fileTexts(
  trx: Transaction,
  { caseId, ids, by }: { caseId: string; ids: string[]; by: string },
): Promise<string[]> {
  const { rows } = await sql<{ message_id: string }>`
    insert into filed_texts (case_id, message_id, by_id)
    select ${caseId}, id, ${by} from unnest(${ids}::uuid[]) id order by id
    on conflict do nothing returning message_id`.execute(trx);
  return rows.map(({ message_id: id }) => id);
}

/** @returns who filed each of them */
export async function lockFiledTexts(
  trx: Transaction,
  caseId: string,
  ids: string[],
): Promise<string[]> {
  const rows = await trx
    .selectFrom('filed_texts')
    .select('by_id')
    .where('case_id', '=', caseId)
    .where('message_id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('message_id')
    .forUpdate()
    .execute();
  return rows.map(({ by_id: id }) => id);
}

/** @returns the ids that were there */
export async function unfileTexts(
  trx: Transaction,
  caseId: string,
  ids: string[],
): Promise<string[]> {
  const rows = await trx
    .deleteFrom('filed_texts')
    .where('case_id', '=', caseId)
    .where('message_id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning('message_id')
    .execute();
  return rows.map(({ message_id: id }) => id);
}

/** A user’s mail from someone of a matter, which is not filed yet. */
export type MailRow = {
  id: string;
  at: Date;
  owner_id: string;
  first_name: string;
  last_name: string;
  mail_id: string;
  subject: string;
  snippet: string;
};

type AskedMails = {
  /** Addresses of the matter's parties, as the keys of contacts have them. */
  senders: readonly string[];
  readerId: string;
};

/** Newest first. */
export async function listUnfiledMails(
  db: Scoped,
  filter: Filter,
  { limit, after, ...asked }: AskedMails & { limit: number; after: Place | undefined },
): Promise<MailRow[]> {
  if (asked.senders.length === 0) return [];
  const { rows } = await sql<MailRow>`
    select t.id, t.at, t.owner_id, u.first_name, u.last_name, t.mail_id, t.name as subject, t.excerpt as snippet
    from tray_items t join users u on u.id = t.owner_id
    where ${matchingMails(filter, asked)}
      ${after ? sql`and (t.at, t.id::text collate "C") < (${after.at}::timestamptz, ${after.id})` : sql``}
    order by t.at desc, t.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function countUnfiledMails(
  db: Scoped,
  filter: Filter,
  asked: AskedMails,
): Promise<number> {
  if (asked.senders.length === 0) return 0;
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from tray_items t where ${matchingMails(filter, asked)}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** A search finds only what its reader may read. */
function matchingMails(
  { people, from, to, search = '' }: Filter,
  { senders, readerId }: AskedMails,
): RawBuilder<boolean> {
  const conditions = [
    sql<boolean>`t.source = 'mail' and t.state <> 'filed' and t.sender_key = any(${senders})`,
  ];
  if (people) conditions.push(sql`t.owner_id = any(${people}::uuid[])`);
  if (from) conditions.push(sql`t.at >= ${from}`);
  if (to) conditions.push(sql`t.at < ${to}`);
  if (search !== '') {
    const words = sql`t.name || E'\n' || t.excerpt`;
    conditions.push(
      sql`t.owner_id = ${readerId}`,
      everyWord(search, (word) => holdsWord(words, word)),
    );
  }
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
