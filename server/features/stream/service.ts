// The acts in a matter, in one order: read from the record, the entries and the texts, never copied.

import { LRUCache } from 'lru-cache';
import type { Person } from '@matterdesk/contract/cases.ts';
import { DEFAULT_PAGE_SIZE } from '@matterdesk/contract/paging.ts';
import {
  entryKinds,
  type FoundPerson,
  partsOf,
  type StreamItem,
  type StreamKind,
  streamKinds,
  type StreamQuery,
} from '@matterdesk/contract/stream.ts';
import { type ActorContext, asActor, perContext } from '../../context.ts';
import type { Actor } from '../../core/actor.ts';
import { endOfDay, startOfDay } from '../../core/dates.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, notFound } from '../../core/refusal.ts';
import { phoneDigits } from '../../db/search.ts';
import { cutPage, describeTotal, INSTANT, readCursor } from '../../http/paging.ts';
import { describeChanges } from '../audit/service.ts';
import { keyOfCorrespondent, listContacts } from '../contacts/service.ts';
import { readFirm } from '../firm/service.ts';
import * as rules from './rules.ts';
import * as entries from './store.entries.ts';
import * as store from './store.ts';

/** Ids of all sources, and padded serial numbers. */
const ITEM_ID = /^[\da-f-]{19,36}$/;
const COUNTS = /^[\d,]{1,150}$/;
const PEOPLE = 8;
/** Items that are read at once of a whole stream. */
const BATCH = 500;
/** Milliseconds after which no transaction adds an act with an earlier time, even if clocks differ. */
const SETTLED_MS = 300_000;
const COUNTED_MS = 3_600_000;
const MAX_MATTERS_COUNTED = 500;

/** @throws Refusal notFound for an unknown case, invalidInput */
export async function readStream(context: ActorContext, caseId: string, query: StreamQuery) {
  const db = asActor(context);
  const limit = query.limit ?? DEFAULT_PAGE_SIZE;
  const filter = await filterOf(context, caseId, query);
  const { after, known } = placeOf(query.cursor);
  const kinds = kindsOf(query);
  const [items, counts, pinned] = await Promise.all([
    listItems(context, filter, { kinds, limit: limit + 1, after }),
    known ?? countItems(context, filter),
    after || !filter.hasPins ? [] : entries.listPinned(db, caseId),
  ]);
  const { page, nextCursor } = cutPage(items, limit, ({ at, id }) => [
    at,
    id,
    streamKinds.map((kind) => counts[kind] ?? 0).join(','),
  ]);
  const total = kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
  return {
    items: page,
    pinned: pinned.map((row) => entryItem(context.actor, row)),
    counts,
    ...describeTotal(total),
    nextCursor,
  };
}

export function kindsOf(query: Pick<StreamQuery, 'kinds'>): StreamKind[] {
  const kinds = partsOf(query.kinds);
  const named = streamKinds.filter((kind) => kinds.includes(kind));
  return named.length > 0 ? named : [...streamKinds];
}

/** @throws Refusal notFound for an unknown case, invalidInput */
export async function filterOf(
  context: ActorContext,
  caseId: string,
  { people, from, to, search, kinds }: Omit<StreamQuery, 'limit' | 'cursor'>,
): Promise<store.Filter> {
  const matter = isId(caseId) ? await store.findStreamed(asActor(context), caseId) : undefined;
  if (!matter) throw notFound('Case');
  if (from !== undefined && to !== undefined && from > to)
    throw invalidField('from', 'From must not be after to');
  const { timeZone } = await readFirm(context);
  return {
    ...matter,
    caseId,
    people: people ? partsOf(people).filter(isId) : undefined,
    from: from === undefined ? undefined : startOfDay(from, timeZone),
    to: to === undefined ? undefined : endOfDay(to, timeZone),
    search,
    isWhole: partsOf(kinds).includes('all'),
  };
}

type Counts = Partial<Record<StreamKind, number>>;

/** Later pages say what the first one counted. */
function placeOf(cursor: string | undefined): { after?: entries.Place; known?: Counts } {
  if (cursor === undefined) return {};
  const [at = '', id = '', counts = ''] = readCursor(cursor, [INSTANT, ITEM_ID, COUNTS]);
  const known = counts.split(',').map(Number);
  return {
    after: { at, id },
    known: Object.fromEntries(streamKinds.map((kind, index) => [kind, known[index] ?? 0])),
  };
}

/** All items, newest first, in pages. */
export async function* allItems(
  context: ActorContext,
  filter: store.Filter,
  kinds: StreamKind[],
): AsyncGenerator<StreamItem[]> {
  let after: entries.Place | undefined;
  for (;;) {
    const items = await listItems(context, filter, { kinds, limit: BATCH, after });
    yield items;
    after = items.at(-1);
    if (items.length < BATCH) return;
  }
}

/** 'Judge: nothing → Judge Roe'; of confidential fields, the label alone. */
export function changeLines({ changes }: StreamItem): string[] {
  return changes.map(({ label, from, to }) =>
    from === null
      ? `${label}: confidential`
      : `${label}: ${from || 'nothing'} → ${to || 'nothing'}`,
  );
}

type PageRequest = { kinds: StreamKind[]; limit: number; after: entries.Place | undefined };

/** A page of the stream, newest first. */
async function listItems(
  context: ActorContext,
  filter: store.Filter,
  { kinds, ...page }: PageRequest,
): Promise<StreamItem[]> {
  const { actor } = context;
  const db = asActor(context);
  const own = entryKinds.filter((kind) => kinds.includes(kind));
  const [written, acts, texts, mails] = await Promise.all([
    own.length > 0 ? entries.listEntries(db, { ...filter, kinds: own }, page) : [],
    listActs(context, filter, { kinds, ...page }),
    kinds.includes('text') ? store.listTexts(db, filter, { ...page, readerId: actor.id }) : [],
    kinds.includes('mail')
      ? store.listUnfiledMails(db, filter, { ...page, ...mailsOf(actor, filter) })
      : [],
  ]);
  const items = [
    ...written.map((row) => entryItem(actor, row, filter)),
    ...acts,
    ...texts.map((row) => textItem(actor, row, filter)),
    ...mails.map((row) => mailItem(actor, row)),
  ];
  return items.toSorted(byTime).slice(0, page.limit);
}

function byTime(a: StreamItem, b: StreamItem): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}

async function countItems(context: ActorContext, filter: store.Filter): Promise<Counts> {
  const db = asActor(context);
  const reading = { readerId: context.actor.id };
  const counted = await Promise.all([
    countActs(context, filter),
    countMails(context, filter),
    ...(isNarrow(filter)
      ? [
          entries.countEntries(db, { ...filter, kinds: [...entryKinds] }),
          store.countTexts(db, filter, reading),
        ]
      : [store.countKept(db, filter, reading)]),
  ]);
  const counts: Counts = Object.fromEntries(streamKinds.map((kind) => [kind, 0]));
  for (const { kind, n } of counted.flat()) counts[kind] = (counts[kind] ?? 0) + n;
  return counts;
}

/** Mails of an active matter's parties; a print has only what everyone with access reads. */
function mailsOf({ id: readerId }: Actor, { isActive, isForAll, emails }: store.Filter) {
  const keys = emails.map((email) => keyOfCorrespondent({ email }));
  const senders = keys.filter((key) => key !== undefined);
  return { senders: isActive && !isForAll ? senders : [], readerId };
}

async function countMails(context: ActorContext, filter: store.Filter) {
  const n = await store.countUnfiledMails(asActor(context), filter, mailsOf(context.actor, filter));
  return [{ kind: 'mail' as const, n }];
}

/** Texts and mails of others with people of the matter, which are not filed there. @throws Refusal notFound */
export async function countUnreadable(
  context: ActorContext,
  caseId: string,
): Promise<{ texts: number; mails: number }> {
  const filter = await filterOf(context, caseId, {});
  const own = { ...filter, people: [context.actor.id] };
  const db = asActor(context);
  const reading = { readerId: context.actor.id };
  const [texts, ownTexts, mails, ownMails] = await Promise.all([
    store.countUnfiledTexts(db, filter, reading),
    store.countUnfiledTexts(db, own, reading),
    store.countUnfiledMails(db, filter, mailsOf(context.actor, filter)),
    store.countUnfiledMails(db, own, mailsOf(context.actor, own)),
  ]);
  return { texts: texts - ownTexts, mails: mails - ownMails };
}

/** Whether the filter asks for more than people, by whom things are counted. */
function isNarrow({ from, to, search }: store.Filter): boolean {
  return (from ?? to ?? search) !== undefined;
}

/** A matter's acts up to an instant before which none is added any more. */
type SettledCounts = { until: Date; counts: store.ActCount[] };

const settledOf = perContext(
  () => new LRUCache<string, SettledCounts>({ max: MAX_MATTERS_COUNTED, ttl: COUNTED_MS }),
);

async function countActs(
  context: ActorContext,
  filter: store.Filter,
): Promise<{ kind: StreamKind; n: number }[]> {
  const { people, isWhole } = filter;
  const rows = await listCounts(context, filter);
  return rows
    .filter(({ actor_id: id }) => !people || (id !== null && people.includes(id)))
    .flatMap(({ kind, n }) => {
      if (kind === 'noise') return isWhole ? [{ kind: 'change', n }] : [];
      return kind === null ? [] : [{ kind, n }];
    });
}

/** A matter's acts are counted once; then those that came since. They are the same for all its readers. */
async function listCounts(context: ActorContext, filter: store.Filter): Promise<store.ActCount[]> {
  const { caseId } = filter;
  const until = new Date(Date.now() - SETTLED_MS);
  if (isNarrow(filter)) return store.countActs(context.db, filter, until);
  const known = settledOf(context).get(caseId);
  const since = { ...filter, people: undefined, from: known?.until };
  const rows = [...(known?.counts ?? []), ...(await store.countActs(context.db, since, until))];
  const settled = addUp(rows.filter(({ isSettled }) => isSettled));
  settledOf(context).set(caseId, { until, counts: settled });
  return rows;
}

function addUp(rows: store.ActCount[]): store.ActCount[] {
  const sums = new Map<string, store.ActCount>();
  for (const row of rows) {
    const key = `${row.kind} ${row.actor_id}`;
    sums.set(key, { ...row, n: row.n + (sums.get(key)?.n ?? 0) });
  }
  return [...sums.values()];
}

function entryItem(
  actor: Actor,
  row: entries.EntryRow,
  { isForAll = false }: { isForAll?: boolean } = {},
): StreamItem {
  const entry = entries.toEntry(row, { isForAll });
  return {
    id: entry.id,
    source: 'entry',
    at: entry.at,
    actor: entry.author,
    kind: entry.kind,
    title: rules.titleOf(entry, row.deleted_by_name),
    excerpt: rules.excerptOf(rules.wordsOf(entry)),
    link: null,
    pinned: entry.pinned,
    canEdit: rules.mayEdit(actor, entry) && !entry.deleted,
    changes: [],
    entry,
  };
}

/** Acts with their values before and after, in words. */
async function listActs(
  context: ActorContext,
  filter: store.Filter,
  asked: PageRequest,
): Promise<StreamItem[]> {
  const { caseId, isForAll } = filter;
  const rows = await store.listActs(context.db, filter, asked);
  const described = await describeChanges(asActor(context), rows);
  return rows.map((row, at) => {
    const { changes } = described[at] ?? { changes: [] };
    // Other matters have no name where not everyone sees them.
    const names = (!isForAll && described[at]?.names) || new Map<string, string>();
    const isMove = row.entity === 'entry';
    return {
      id: row.id,
      source: rules.sourceOf(row.kind),
      at: row.at.toISOString(),
      actor: personOf(row),
      kind: rules.verbOf(row),
      title: isMove ? rules.moveTitle(row.after, { caseId, names }) : rules.titleOfAct(row),
      excerpt: isMove ? rules.moveReason(row.after, { caseId, names }) : rules.excerptOfAct(row),
      link: rules.linkOf(row, caseId),
      pinned: false,
      canEdit: false,
      changes:
        isMove || row.kind === 'check' || row.entity === 'paper'
          ? []
          : changes.filter(({ label }) => !isForAll || label !== 'Matter'),
    };
  });
}

function personOf({
  actor_id: id,
  first_name: firstName,
  last_name: lastName,
}: store.ActRow): Person | null {
  return id && firstName !== null && lastName !== null ? { id, firstName, lastName } : null;
}

function textItem(actor: Actor, row: store.TextRow, { parties }: store.Filter): StreamItem {
  const { owner_id: id, first_name: firstName, last_name: lastName } = row;
  const isOwn = id === actor.id;
  const isShown = isOwn || row.is_filed;
  const [from, to] = row.is_inbound
    ? [row.other_number, row.own_number]
    : [row.own_number, row.other_number];
  const shared = { id: row.id, source: 'text', at: row.at.toISOString() } as const;
  const bare = { pinned: false, canEdit: false, changes: [], link: null };
  const by = { id, firstName, lastName };
  if (!isShown)
    return { ...shared, ...bare, actor: by, kind: 'created', title: 'Text', excerpt: '' };
  const { body, status } = row;
  const party = parties.find(({ number }) => number === row.other_number);
  const media = row.media.map(({ id: mediaId, mimeType }) => ({
    url: `/api/v1/messages/media/${mediaId}`,
    mimeType,
  }));
  return {
    ...shared,
    ...bare,
    actor: by,
    kind: row.is_filed ? 'filed' : 'created',
    title: `Text ${row.is_inbound ? 'from' : 'to'} ${party?.name ?? row.other_number}`,
    excerpt: rules.excerptOf(body),
    link: isOwn ? rules.conversationLink(row.other_number) : null,
    text: { from, to, body, status, dateSent: shared.at, media },
  };
}

/** One that is not filed says to others only by whom and when. */
function mailItem(actor: Actor, row: store.MailRow): StreamItem {
  const { owner_id: id, first_name: firstName, last_name: lastName } = row;
  const isOwn = id === actor.id;
  return {
    id: row.id,
    source: 'mail',
    at: row.at.toISOString(),
    actor: { id, firstName, lastName },
    kind: 'created',
    title: isOwn ? row.subject : 'Email',
    excerpt: isOwn ? rules.excerptOf(row.snippet) : '',
    link: isOwn ? rules.mailLink(row.mail_id) : null,
    changes: [],
    pinned: false,
    canEdit: false,
  };
}

/** Contacts whom the words or the digits name, with the active matters that the caller sees. */
export async function lookForCallers(
  context: ActorContext,
  q: string,
): Promise<{ people: FoundPerson[] }> {
  // Contacts have their numbers as digits, too.
  const digits = /^[\d\s()+./-]+$/.test(q) ? phoneDigits(q) : '';
  const query = { search: digits || q, ranked: '1', limit: PEOPLE } as const;
  const { contacts } = await listContacts(context, query);
  const ids = contacts.map(({ id }) => id);
  const matters = await store.listActiveMatters(asActor(context), ids);
  const people = contacts.map(({ id, name, phoneNumbers }) => ({
    contact: { id, name },
    phoneNumber:
      phoneNumbers.find((number) => phoneDigits(number) === digits) ?? phoneNumbers[0] ?? null,
    matters: matters.get(id) ?? [],
  }));
  return { people: people.toSorted((a, b) => rules.callerRank(a, q) - rules.callerRank(b, q)) };
}
