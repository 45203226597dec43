import { sql, type RawBuilder } from 'kysely';
import type { ContactKind, PartyRole } from '@matterdesk/contract/contacts.ts';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { beginsWith, bigramQuery, likePattern, fold } from '../../db/search.ts';
import { amongIds, countUpToCap } from '../../db/statements.ts';
import { selectContacts, type ContactRow } from './store.ts';

export type ContactFilter = {
  kind?: ContactKind | undefined;
  role?: PartyRole | undefined;
  words: string[];
};
export type ContactPage = { limit: number; after?: string[] | undefined };
type Condition = RawBuilder<boolean>;

const MAX_COUNTED = sql`${sql.lit(TOTAL_CAP + 1)}`;
const ofKind = (kind: ContactKind): Condition => sql<boolean>`contacts.kind = ${kind}`;
const inRole = (role: PartyRole): Condition =>
  sql<boolean>`exists (select from parties p where p.contact_id = contacts.id and p.role = ${role})`;
/** Hidden from indexes, so that walking in order of name stays the plan. */
const holds = (word: string): Condition =>
  sql<boolean>`(strpos(contacts.search_text, ${fold(word)}) > 0 or contacts.id in (${saidWith([word])}))`;

/** Contacts with one of these words in a walled matter in scope. */
function saidWith(words: string[]): RawBuilder<unknown> {
  const any = words.map((word) => sql`strpos(s.search_text, ${fold(word)}) > 0`);
  return sql`select s.contact_id from walled_sources s where ${sql.join(any, sql` or `)}`;
}

function indexed(word: string): Condition {
  const bigrams = bigramQuery(word);
  return bigrams === undefined
    ? sql<boolean>`contacts.search_text like ${likePattern(word)}`
    : sql<boolean>`bigrams(contacts.search_text) @@ ${bigrams}::tsquery`;
}

function all(conditions: Condition[]): Condition {
  return sql<boolean>`(${sql.join([sql`contacts.merged_into is null`, ...conditions], sql` and `)})`;
}

function otherConditions({ kind, role, words }: ContactFilter): Condition[] {
  return [...(kind ? [ofKind(kind)] : []), ...(role ? [inRole(role)] : []), ...words.map(holds)];
}

/** In order of name. */
export function walk(
  db: Scoped,
  filter: ContactFilter,
  { limit, after }: ContactPage,
): Promise<ContactRow[]> {
  return byName(db, { limit, after })
    .where(all(otherConditions(filter)))
    .execute();
}

/** Contacts whose name begins with the key, in order of name. */
export function listStartingWith(
  db: Scoped,
  { kind, role }: Omit<ContactFilter, 'words'>,
  { key, limit }: { key: string; limit: number },
): Promise<ContactRow[]> {
  return byName(db, { limit })
    .where(beginsWith(sql<string>`contacts.name_key`, key))
    .where(all(otherConditions({ kind, role, words: [] })))
    .execute();
}

/** These contacts, those with the words in their name first. */
export function listNamed(
  db: Scoped,
  { ids, keys }: { ids: string[]; keys: string[] },
  limit: number,
): Promise<ContactRow[]> {
  const named = keys.map((key) => sql<boolean>`strpos(contacts.name_key, ${key}) > 0`);
  return selectContacts(db)
    .where('contacts.id', '=', amongIds(ids))
    .orderBy(sql`(${sql.join([sql`true`, ...named], sql` and `)})`, 'desc')
    .orderBy('contacts.name_key')
    .orderBy('contacts.id')
    .limit(limit)
    .execute();
}

function byName(db: Scoped, { limit, after }: ContactPage) {
  return selectContacts(db)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(contacts.name_key, contacts.id) > (${after?.[0]}, ${after?.[1]}::uuid)`,
      ),
    )
    .orderBy('contacts.name_key')
    .orderBy('contacts.id')
    .limit(limit);
}

export function count(db: Scoped, filter: ContactFilter): Promise<number> {
  return countUpToCap(db, sql`select from contacts where ${all(otherConditions(filter))}`);
}

/** Ids of matches by an index; undefined when there are too many, which a walk by name soon finds. */
export async function findFew(db: Scoped, filter: ContactFilter): Promise<string[] | undefined> {
  const { role, words } = filter;
  const holding = words.length > 0 ? await ofWords(db, words) : undefined;
  if (holding) return narrow(db, filter, holding);
  const parties = role && (await ofRole(db, role));
  return parties && narrow(db, { ...filter, role: undefined }, parties);
}

type Found = { id: string };
const unlessMany = (rows: Found[]) =>
  rows.length <= TOTAL_CAP ? rows.map(({ id }) => id) : undefined;

async function ofRole(db: Scoped, role: PartyRole): Promise<string[] | undefined> {
  const { rows } = await sql<Found>`
    select p.contact_id as id from parties p where p.role = ${role} limit ${MAX_COUNTED}`.execute(
    db,
  );
  return unlessMany(rows);
}

async function ofWords(db: Scoped, words: string[]): Promise<string[] | undefined> {
  if (words.every(isLetter) && (await areCommon(db, words))) return undefined;
  const { rows } = await sql<Found>`
    select contacts.id from contacts where ${all(words.map(indexed))}
    union ${saidWith(words)} limit ${MAX_COUNTED}`.execute(db);
  return unlessMany(rows);
}

const isLetter = (word: string) => [...fold(word)].length === 1;
/** Contacts whose texts show how common letters are. */
const SAMPLE = sql.lit(1000);
/** Matches among them that are many. */
const COMMON = sql.lit(100);

/** Whether these letters are in so many contacts that the pairs of letters in each would be worked out again. */
async function areCommon(db: Scoped, letters: string[]): Promise<boolean> {
  const { rows } = await sql<{ common: boolean }>`
    select count(*) >= ${COMMON} as common from (select * from contacts limit ${SAMPLE}) contacts
    where ${all(letters.map(holds))}`.execute(db);
  return rows[0]?.common === true;
}

async function narrow(db: Scoped, filter: ContactFilter, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('contacts')
    .select('id')
    .where('id', '=', amongIds(ids))
    .where(all(otherConditions(filter)))
    .execute();
  return rows.map(({ id }) => id);
}

/** A page of these contacts in order of name. */
export function listThese(db: Scoped, ids: string[], page: ContactPage): Promise<ContactRow[]> {
  return byName(db, page).where('contacts.id', '=', amongIds(ids)).execute();
}

/** More candidates than are shown, since some share only their firm's number. */
const MAX_CANDIDATES = 50;

/** Matches details that everyone sees, and those of walled matters in scope. */
function sharing(db: Scoped, keys: string[]) {
  return selectContacts(db)
    .where('merged_into', 'is', null)
    .where(
      sql<boolean>`id = any(array(
        select k.id from contacts k where k.keys && ${keys}::text[]
        union select s.contact_id from walled_sources s where s.keys && ${keys}::text[]))`,
    );
}

/** Contacts of the same kind that share a key, except those that were marked as different. */
export function findLookalikes(
  db: Scoped,
  { id, kind }: Pick<ContactRow, 'id' | 'kind'>,
  keys: string[],
): Promise<ContactRow[]> {
  return sharing(db, keys)
    .where('id', '<>', id)
    .where('kind', '=', kind)
    .where(
      sql<boolean>`not exists (select from distinct_contacts d
        where d.one_id = least(contacts.id, ${id}::uuid) and d.other_id = greatest(contacts.id, ${id}::uuid))`,
    )
    .limit(MAX_CANDIDATES)
    .execute();
}

/** Contacts shown beside a caller. */
const MAX_KNOWN = 10;

/** Contacts that share a key with a caller. Those with the same addresses come first, since many may share the name. */
export function findKnown(
  db: Scoped,
  { addresses, all }: { addresses: string[]; all: string[] },
): Promise<ContactRow[]> {
  return sharing(db, all)
    .orderBy(
      sql`keys && ${addresses}::text[] or exists (select from walled_sources s
        where s.contact_id = contacts.id and s.keys && ${addresses}::text[])`,
      'desc',
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_KNOWN)
    .execute();
}

/** @returns false if they were marked before */
export async function keepApart(trx: Transaction, ids: [string, string]): Promise<boolean> {
  const [one_id = '', other_id = ''] = ids.toSorted();
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('distinct_contacts')
    .values({ one_id, other_id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
