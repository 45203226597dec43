import { type RawBuilder, sql } from 'kysely';
import type { MessageStatus } from '@matterdesk/contract/message-statuses.ts';
import type { FoundPerson, StreamKind } from '@matterdesk/contract/stream.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';
import { everyWord, fold } from '../../db/search.ts';
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
  /** The party of the matter with this number, where the reader may read the text. */
  other_name: string | null;
  is_inbound: boolean;
  body: string;
  status: MessageStatus;
  media: { id: string; mimeType: string }[];
};

export type Filter = {
  caseId: string;
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
const MATTERS_MOST = 20;

type Page = { limit: number; after: Place | undefined };
type Condition = RawBuilder<boolean>;

const acts = (entity: string, actions: readonly string[]) =>
  sql<boolean>`(a.entity = ${sql.lit(entity)} and a.action in (${sql.join(actions.map(sql.lit))}))`;

/** An id of another kind of entity may be no UUID. */
const isMail = sql<boolean>`case when a.entity = 'file'
  then exists (select from filed_mails m where m.file_id = a.entity_id::uuid) end`;
const isFile = acts('file', ['created', 'updated', 'moved', 'deleted', 'restored']);
/** A change of nothing but the status, which others follow from. */
const isStatusAlone = sql<boolean>`(a.entity = 'case' and a.action = 'updated'
  and a.before - 'status' - 'updatedAt' = a.after - 'status' - 'updatedAt')`;
const isTraining = acts('file', ['trained', 'trainingFailed']);
const isColumnMove = acts('task', ['moved']);
/** A private event shows no one what it was. */
const isOpen = sql<boolean>`(a.before ->> 'private' is distinct from 'true'
  and a.after ->> 'private' is distinct from 'true')`;

/** Acts in a matter by what they are about. */
const actConditions: Partial<Record<StreamKind, Condition>> = {
  mail: sql`(a.entity = 'file' and a.action = 'created' and ${isMail})`,
  file: sql`(${isFile} and not (a.action = 'created' and ${isMail}) or ${acts('paper', ['unfiled'])})`,
  task: acts('task', ['created', 'updated', 'completed', 'reopened', 'deleted', 'restored']),
  event: sql`(a.entity = 'event' and a.action <> 'skipped' and ${isOpen})`,
  deadline: sql`(a.entity = 'deadline')`,
  check: acts('conflict', ['created', 'looked', 'concluded']),
  change: sql`(a.entity in ('case', 'folder') and a.action <> 'deadlinesExported'
    and not ${isStatusAlone} or ${acts('entry', ['moved'])})`,
};
const noise: Condition = sql`(${isStatusAlone} or ${isTraining} or ${isColumnMove})`;

/** The kinds of acts, in the order in which they are asked. */
const actKinds = Object.keys(actConditions) as StreamKind[];

function conditionOf(kind: StreamKind, isWhole: boolean): Condition {
  const own = actConditions[kind] ?? sql<boolean>`false`;
  return kind === 'change' && isWhole ? sql<boolean>`(${own} or ${noise})` : own;
}

const kindOfAct = (isWhole: boolean) =>
  sql<StreamKind>`case ${sql.join(
    actKinds.map((kind) => sql`when ${conditionOf(kind, isWhole)} then ${sql.lit(kind)}`),
    sql` `,
  )} end`;

/** Acts of these kinds in a matter, newest first; ids are padded, so that they compare as texts. */
export async function listActs(
  db: Executor,
  filter: Filter,
  { kinds, limit, after }: Page & { kinds: readonly StreamKind[] },
): Promise<ActRow[]> {
  const wanted = kinds.filter((kind) => actKinds.includes(kind));
  if (wanted.length === 0) return [];
  const any = sql.join(
    wanted.map((kind) => conditionOf(kind, filter.isWhole)),
    sql` or `,
  );
  const { rows } = await sql<ActRow>`
    select p.*, u.first_name, u.last_name from (
      select lpad(a.id::text, 19, '0') as id, a.at, ${kindOfAct(filter.isWhole)} as kind, a.action, a.entity,
        a.entity_id, a.before, a.after, a.actor_id
      from audit_log a
      where ${matchingActs(filter)} and (${any})
        ${after ? sql`and (a.at, a.id) < (${after.at}::timestamptz, ${serialAt(after)}::bigint)` : sql``}
      order by a.at desc, a.id desc limit ${limit}) p
    left join users u on u.id = p.actor_id
    order by p.at desc, p.id desc`.execute(db);
  return rows;
}

/** Acts whose kind depends on more than on their entity and their action. */
const isSingle = sql<boolean>`(a.entity = 'event' or a.entity = 'case' and a.action = 'updated'
  or a.entity = 'file' and a.action = 'created')`;

/** Kinds of acts, and those that the stream leaves out unless it is read as a whole. */
export type ActKind = StreamKind | 'noise';
export type ActCount = { kind: ActKind; isSettled: boolean; n: number };

/**
 * Acts of each kind, those before and after an instant apart; all acts alike are judged at once, which reads no states.
 * @param filter `isWhole` counts nothing else
 */
export async function countActs(db: Executor, filter: Filter, settled: Date): Promise<ActCount[]> {
  const kind = sql<ActKind>`case when ${noise} then 'noise' else ${kindOfAct(false)} end`;
  const isSettled = sql<boolean>`a.at < ${settled}`;
  const { rows } = await sql<ActCount>`
    select kind, "isSettled", sum(n)::int as n from (
      select ${kind} as kind, "isSettled", n from (
        select a.entity, a.action, null::text as entity_id, null::jsonb as before, null::jsonb as after,
          ${isSettled} as "isSettled", count(*) as n
        from audit_log a where ${matchingActs(filter)} and not ${isSingle} group by a.entity, a.action, "isSettled") a
      union all
      select ${kind}, ${isSettled}, 1 from audit_log a where ${matchingActs(filter)} and ${isSingle}) counted
    where kind is not null group by kind, "isSettled"`.execute(db);
  return rows;
}

/** An id of another table is a place, too: entries and texts of one instant come before acts. */
function serialAt({ id }: Place): string {
  return /^\d{19}$/.test(id) ? id : '9223372036854775807';
}

function matchingActs({ caseId, people, from, to, search = '' }: Filter): Condition {
  const conditions: Condition[] = [sql`a.case_id = ${caseId}`];
  if (people) conditions.push(sql`a.actor_id::text = any(${people})`);
  if (from) conditions.push(sql`a.at >= ${from}`);
  if (to) conditions.push(sql`a.at < ${to}`);
  if (search !== '') {
    const state = sql`coalesce(a.after, a.before)`;
    const named = sql`lower(concat_ws(E'\n', ${state} ->> 'name', ${state} ->> 'title', ${state} ->> 'caseName'))`;
    conditions.push(everyWord(search, (word) => sql`strpos(${named}, ${fold(word)}) > 0`));
  }
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

type Reading = { readerId: string };

/** Numbers of a matter's parties, as texts have them, with the names. */
const partiesOf = (caseId: string) => sql`
  select '+' || phone_digits(n) as number, name from (
    select c.client_phone_number as n, c.client_name as name from cases c where c.id = ${caseId}
    union select c.counsel_phone_number, c.counsel_name from cases c where c.id = ${caseId}
    union select unnest(k.phone_numbers), k.name from parties p join contacts k on k.id = p.contact_id
      where p.case_id = ${caseId}) known
  where n is not null and phone_digits(n) <> ''`;

/** Texts filed to a matter, and those of an active one's parties: others' only by whom and when. */
const textsOf = (caseId: string, { readerId }: Reading) => sql`
  select known.*, known.owner_id = ${readerId} as is_own from (
    select t.*, true as is_filed
    from filed_texts f join text_messages t on t.id = f.message_id where f.case_id = ${caseId}
    union all
    select w.*, false from text_messages w
    where w.other_number = any(array(select number from (${partiesOf(caseId)}) parties))
      and exists (select from cases c where c.id = ${caseId} and c.status_type = 'Active')
      and not exists (select from filed_texts f where f.case_id = ${caseId} and f.message_id = w.id)) known
  where known.owner_id is not null`;

const isReadable = sql<boolean>`(t.is_filed or t.is_own)`;

export async function listTexts(
  db: Scoped,
  filter: Filter,
  { limit, after, readerId }: Page & Reading,
): Promise<TextRow[]> {
  const { rows } = await sql<TextRow>`
    with named as materialized (${partiesOf(filter.caseId)})
    select t.id, case when ${isReadable} then
        (select min(n.name) from named n where n.number = t.other_number and n.name <> '') end as other_name,
       t.sent_at as at, t.owner_id, u.first_name, u.last_name, t.is_filed,
      t.own_number, t.other_number, t.is_inbound, case when ${isReadable} then t.body else '' end as body, t.status,
      case when ${isReadable} then coalesce((
        select json_agg(json_build_object('id', m.id, 'mimeType', m.mime_type) order by m.ordinal)
        from text_media m where m.message_id = t.id), '[]') else '[]' end as media
    from (${textsOf(filter.caseId, { readerId })}) t join users u on u.id = t.owner_id
    where ${matchingTexts(filter)}
      ${after ? sql`and (t.sent_at, t.id::text collate "C") < (${after.at}::timestamptz, ${after.id})` : sql``}
    order by t.sent_at desc, t.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function countTexts(
  db: Scoped,
  filter: Filter,
  { readerId }: Reading,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (${textsOf(filter.caseId, { readerId })}) t
    where ${matchingTexts(filter)}`.execute(db);
  return rows[0]?.n ?? 0;
}

function matchingTexts({ people, from, to, search = '', isForAll }: Filter): Condition {
  const conditions: Condition[] = [isForAll ? sql`t.is_filed` : sql`true`];
  if (people) conditions.push(sql`t.owner_id::text = any(${people})`);
  if (from) conditions.push(sql`t.sent_at >= ${from}`);
  if (to) conditions.push(sql`t.sent_at < ${to}`);
  if (search !== '')
    conditions.push(
      isReadable,
      everyWord(search, (word) => sql`strpos(lower(t.body), ${fold(word)}) > 0`),
    );
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

type Matter = FoundPerson['matters'][number];

/** Active matters of each contact, the newest first. */
export async function listActiveMatters(
  db: Scoped,
  contactIds: string[],
): Promise<Map<string, Matter[]>> {
  const { rows } = await sql<{ contact_id: string; matters: Matter[] | null }>`
    select k.id as contact_id, (
      select json_agg(json_build_object('id', m.id, 'caseName', m.case_name, 'caseNo', m.case_no) order by m.serial desc)
      from (select distinct c.id, c.case_name, c.case_no, c.serial from parties p join cases c on c.id = p.case_id
        where p.contact_id = k.id and c.status_type = 'Active'
        order by c.serial desc limit ${sql.lit(MATTERS_MOST)}) m) as matters
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
