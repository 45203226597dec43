// Contacts: people and organizations, as they are listed, read, added, changed and deleted.

import { randomUUID } from 'node:crypto';
import type { Case, CasePatch } from '@matterdesk/contract/cases.ts';
import type {
  Contact,
  ContactPatch,
  NewContact,
  ContactCard,
  IntakeOfContact,
  Lookalike,
} from '@matterdesk/contract/contacts.ts';
import type { MailSummary } from '@matterdesk/contract/mails.ts';
import type { TextMessage } from '@matterdesk/contract/messages.ts';
import { DEFAULT_PAGE_SIZE } from '@matterdesk/contract/paging.ts';
import { rankOf, ranks } from '@matterdesk/contract/ranking.ts';
import { searchWords } from '@matterdesk/contract/search.ts';
import { type ActorContext, write, asActor, slot } from '../../context.ts';
import { allow, type Actor } from '../../core/actor.ts';
import { isForeignKeyViolation } from '../../core/database-errors.ts';
import type { IdempotencyKey } from '../../core/idempotency-key.ts';
import { isId, ID } from '../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import type { Scoped } from '../../db/schema.ts';
import { liftScope } from '../../db/scoped-query.ts';
import { nameKey } from '../../db/search.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { cutPage, describeTotal, readCursor, type PageQuery } from '../../http/paging.ts';
import * as copies from './rules.copies.ts';
import * as rules from './rules.ts';
import {
  about,
  announce,
  dropNames,
  addEnteredContacts,
  saveEditedContact,
  requireContact,
} from './service.sources.ts';
import * as list from './store.list.ts';
import { listUndoable } from './store.merges.ts';
import * as parties from './store.parties.ts';
import * as store from './store.ts';

/** Rows of other features about a contact; the reader's own mails and texts, newest first. */
export type Sources = {
  mails: (context: ActorContext, emails: string[], limit: number) => Promise<MailSummary[]>;
  texts: (context: ActorContext, numbers: string[], limit: number) => Promise<TextMessage[]>;
  intakes: (context: ActorContext, contactId: string) => Promise<IntakeOfContact[]>;
  /** Whether an intake that the transaction sees names the contact. */
  isInIntake: (unit: Unit, contactId: string) => Promise<boolean>;
};

/** Changes the case's copy of a contact, where `toPatch` returns a patch. */
type ChangeCaseCopy = (
  context: ActorContext,
  unit: Unit,
  change: { id: string; toPatch: (matter: Case) => CasePatch | undefined },
) => Promise<void>;

type Caller = { name: string; email: string | null; phoneNumber: string | null };
/** A contact, and the surest thing in common with a caller: 'phone', 'email' or 'name'. */
type KnownContact = { id: string; name: string; same: string };

const SURENESS = ['phone', 'email', 'name'];

const MAX_CORRESPONDENCE = 50;
const MAX_LOOKALIKES = 10;
const NAME = /^[^]{0,300}$/;

export const contactSources = slot<Sources>();

export const caseCopies = slot<ChangeCaseCopy>();

type ListQuery = Omit<list.ContactFilter, 'words'> & PageQuery & { ranked?: '0' | '1' | undefined };

/** The key by which contacts with this address or number are found; undefined for what no contact can have. */
export function keyOfCorrespondent({
  email = '',
  phoneNumber = '',
}: {
  email?: string;
  phoneNumber?: string;
}): string | undefined {
  const emails = email === '' ? [] : [email];
  return rules.addressKeys({ emails, phoneNumbers: [phoneNumber] })[0];
}

/** One page by name, or the best matches of a search. */
export async function listContacts(context: ActorContext, query: ListQuery) {
  const { limit = DEFAULT_PAGE_SIZE, cursor, search, ranked: isRanked, ...of } = query;
  if (isRanked === '1' && search !== undefined)
    return rankContacts(asActor(context), { ...of, search }, limit);
  const after = cursor ? readCursor(cursor, [NAME, ID]) : undefined;
  const filter = { ...of, words: searchWords(search ?? '') };
  const { rows, total } = await findPage(asActor(context), filter, { limit: limit + 1, after });
  const { page, nextCursor } = cutPage(rows, limit, (row) => [row.name_key, row.id]);
  return { contacts: page.map(store.toContact), nextCursor, ...describeTotal(total) };
}

/** @throws Refusal notFound */
export async function readContact(context: ActorContext, id: string): Promise<ContactCard> {
  const db = asActor(context);
  const row = await requireContact(db, id);
  const details = store.toDetails(row);
  const sources = contactSources.of(context);
  const [matters, alike, merged, intakes, mails, texts] = await Promise.all([
    parties.listMatters(db, row.id),
    findAlike(db, row),
    listUndoable(db, row.id),
    sources.intakes(context, row.id),
    sources.mails(context, details.emails, MAX_CORRESPONDENCE),
    sources.texts(context, rules.textNumbers(details), MAX_CORRESPONDENCE),
  ]);
  const contact = store.toContact(row);
  return { contact, matters, intakes, lookalikes: alike, mails, texts, merged };
}

async function findPage(db: Scoped, filter: list.ContactFilter, page: list.ContactPage) {
  const few = await list.findFew(db, filter);
  if (few) return { rows: await list.listThese(db, few, page), total: few.length };
  const [rows, total] = await Promise.all([list.walk(db, filter, page), list.count(db, filter)]);
  return { rows, total };
}

/** The best matches: names that begin with the text, then words in a name, then other fields. */
async function rankContacts(
  db: Scoped,
  { search, ...of }: Omit<list.ContactFilter, 'words'> & { search: string },
  limit: number,
) {
  const words = searchWords(search);
  const filter = { ...of, words };
  const key = nameKey(search.replaceAll('"', ''));
  const begins = await list.listStartingWith(db, of, { key, limit });
  const ids = await list.findFew(db, filter);
  const others = ids
    ? await list.listNamed(db, { ids, keys: words.map(nameKey) }, limit)
    : await list.walk(db, filter, { limit });
  const found = new Map([...begins, ...others].map((row) => [row.id, row]));
  // Those with the accents that the text lacks begin with it, and are not found otherwise.
  const place = (row: store.ContactRow) =>
    ranks.indexOf(rankOf({ names: [row.name_key] }, key) ?? 'elsewhere');
  const best = [...found.values()].toSorted((a, b) => place(a) - place(b)).slice(0, limit);
  const total = Math.max(ids?.length ?? (await list.count(db, filter)), best.length);
  return { contacts: best.map(store.toContact), nextCursor: null, ...describeTotal(total) };
}

async function findAlike(db: Scoped, row: store.ContactRow): Promise<Lookalike[]> {
  const own = store.toDetails(row);
  const rows = await list.findLookalikes(db, row, rules.lookalikeKeys(own));
  return rows
    .flatMap((other) => {
      const reason = rules.reasonOf(own, store.toDetails(other));
      return reason === undefined ? [] : [{ contact: store.toContact(other), reason }];
    })
    .toSorted((a, b) => b.reason.split(',').length - a.reason.split(',').length)
    .slice(0, MAX_LOOKALIKES);
}

/** Those that the caller sees, in no order. A merged one is not among them. */
export async function readContacts(
  context: ActorContext,
  ids: readonly string[],
): Promise<Contact[]> {
  const wanted = ids.filter(isId);
  if (wanted.length === 0) return [];
  const rows = await store.findContacts(asActor(context), wanted);
  return rows.map(store.toContact);
}

/** Contacts that the scope's user sees and that may be this caller, the surest first. */
export async function listKnown(
  db: Scoped,
  { name, email, phoneNumber }: Caller,
): Promise<KnownContact[]> {
  const caller = {
    name,
    otherNames: [],
    emails: email === null ? [] : [email],
    phoneNumbers: phoneNumber === null ? [] : [phoneNumber],
  };
  const keys = rules.lookalikeKeys(caller);
  const rows = await list.findKnown(db, { addresses: rules.addressKeys(caller), all: keys });
  return rows
    .map((row) => ({
      id: row.id,
      name: row.name,
      same: rules.sharedBy(keys, store.toDetails(row)),
    }))
    .toSorted((a, b) => SURENESS.indexOf(a.same) - SURENESS.indexOf(b.same));
}

/** @throws Refusal notPermitted, invalidInput for links to unknown contacts */
export function addContact(
  context: ActorContext,
  input: NewContact,
  once?: IdempotencyKey,
): Promise<Contact> {
  requireMayWrite(context.actor);
  return write(
    context,
    async (unit) => {
      const id = await insertContact(unit, input);
      announce(unit, id);
      return readBack(unit, id);
    },
    once,
  );
}

/** Adds a contact in the caller's transaction. @returns its id @throws Refusal invalidInput */
export async function insertContact(unit: Unit, input: NewContact): Promise<string> {
  const id = randomUUID();
  await addEnteredContacts(unit, [{ id, details: rules.toDetails(input) }]);
  await replaceLinks(unit, id, input.links);
  await unit.record({ ...about(id), action: 'created', after: input });
  return id;
}

/** @throws Refusal notPermitted, notFound, invalidInput */
export async function changeContact(
  context: ActorContext,
  id: string,
  patch: ContactPatch,
): Promise<Contact> {
  requireMayWrite(context.actor);
  const { updateMatters = [], ...members } = patch;
  if (updateMatters.length > 0) allow(context.actor, 'createCases');
  if (!isId(id)) throw notFound('Contact');
  return write(context, async (unit) => {
    const matters = await requireCases(unit, updateMatters);
    const row = await requireLocked(unit, id);
    const before = store.toDetails(row);
    const after = rules.toDetails(members, before);
    await saveEditedContact(unit, row, { before, after });
    if (members.links) await replaceLinks(unit, row.id, members.links);
    await unit.record({ ...about(row.id), action: 'updated', after: members });
    await changeCopies(context, unit, { contactId: row.id, matters, before, after });
    announce(unit, row.id);
    return readBack(unit, row.id);
  });
}

/** Updates the copies in cases that matched the contact before. */
async function changeCopies(
  context: ActorContext,
  unit: Unit,
  change: { contactId: string; matters: string[]; before: rules.Details; after: rules.Details },
): Promise<void> {
  const { contactId, matters, before, after } = change;
  const changeCase = caseCopies.of(context);
  if (matters.length === 0) return;
  for (const { case_id, embedded } of await parties.listCopies(unit.trx, contactId, matters))
    if (embedded)
      await changeCase(context, unit, {
        id: case_id,
        toPatch: (matter) => {
          const members = copies.copyChange(matter[embedded], before, after);
          return Object.keys(members).length > 0 ? { [embedded]: members } : undefined;
        },
      });
}

async function replaceLinks(unit: Unit, id: string, asked: NewContact['links']): Promise<void> {
  const ids = asked.map(({ contact }) => contact);
  const known = await store.listVisibleContacts(unit.trx, ids.filter(isId));
  for (const [index, contact] of ids.entries())
    if (!known.has(contact) || contact === id)
      throw invalidField(`links.${index}.contact`, 'Select a contact');
  const keyOf = (other: string, relation: string) => `${other} ${relation}`;
  const wanted = new Map(asked.map((one) => [keyOf(one.contact, one.relation), one]));
  const before = await store.listLinks(unit.trx, id);
  const removed = before.filter(
    (link) => !wanted.delete(keyOf(otherEndOf(link, id), link.relation)),
  );
  await store.deleteLinks(unit.trx, removed);
  const added = [...wanted.values()].map(({ contact, relation }) => ({
    contact_id: id,
    linked_id: contact,
    relation,
  }));
  await store.insertLinks(unit.trx, added);
  const touched = new Set([...removed, ...added].map((link) => otherEndOf(link, id)));
  for (const other of touched) {
    await store.touchContact(unit.trx, other);
    announce(unit, other);
  }
}

/** @throws Refusal notPermitted, notFound, conflict while something refers to it */
export async function deleteContact(context: ActorContext, id: string): Promise<null> {
  requireMayWrite(context.actor);
  if (!isId(id)) throw notFound('Contact');
  try {
    await write(context, async (unit) => {
      const row = await requireLocked(unit, id);
      await unit.record({ ...about(row.id), action: 'deleted', before: store.toContact(row) });
      await dropNames(unit, row.id, await store.listSources(unit.trx, [row.id]));
      await store.deleteContact(unit.trx, row.id);
      await liftScope(unit.trx, 'an intake that the actor does not see keeps its contact, too');
      if (await contactSources.of(context).isInIntake(unit, row.id)) throw inUse();
    });
  } catch (error) {
    throw isForeignKeyViolation(error) ? inUse() : error;
  }
  return null;
}

function inUse(): Refusal {
  return new Refusal('conflict', 'This contact is still in use');
}

/** @throws Refusal notPermitted, notFound, invalidInput */
export async function keepContactsApart(
  context: ActorContext,
  id: string,
  from: string,
): Promise<null> {
  requireMayWrite(context.actor);
  if (!isId(id)) throw notFound('Contact');
  await write(context, async (unit) => {
    const [one, other] = await requireTwo(unit, id, from);
    if (await list.keepApart(unit.trx, [one.id, other.id]))
      await unit.record({ ...about(one.id), action: 'keptApart', after: { from: other.id } });
  });
  return null;
}

/** @throws Refusal notPermitted */
export function requireMayWrite({ permissions }: Actor): void {
  if (!permissions.createCases && !permissions.handleIntakes) throw new Refusal('notPermitted');
}

/** A contact and another one of a request's body. @throws Refusal notFound, invalidInput */
async function requireTwo(
  unit: Unit,
  id: string,
  from: string,
): Promise<[store.ContactRow, store.ContactRow]> {
  const one = await store.findContact(unit.trx, id);
  if (!one) throw notFound('Contact');
  const other = isId(from) ? await store.findContact(unit.trx, from) : undefined;
  // A merged contact is the same as the one that it was merged into.
  if (!other || other.id === one.id) throw invalidField('from', 'Please choose another contact');
  // Locks both in order, since someone may delete either.
  const locked = await store.lockContacts(unit.trx, [one.id, other.id]);
  if (locked.length < 2) throw notFound('Contact');
  return [one, other];
}

async function requireLocked(unit: Unit, id: string): Promise<store.ContactRow> {
  const row = await store.findContact(unit.trx, id);
  const [locked] = row ? await store.lockContacts(unit.trx, [row.id]) : [];
  if (!locked) throw notFound('Contact');
  return locked;
}

async function readBack(unit: Unit, id: string): Promise<Contact> {
  const row = await store.findContact(unit.trx, id);
  if (!row) throw notFound('Contact');
  return store.toContact(row);
}

async function requireCases(unit: Unit, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const known = await parties.lockCases(unit.trx, ids.filter(isId));
  for (const [index, id] of ids.entries())
    if (!known.has(id)) throw invalidField(`updateMatters.${index}`, 'Please select any case');
  return ids;
}

function otherEndOf({ contact_id, linked_id }: store.LinkRow, id: string): string {
  return contact_id === id ? linked_id : contact_id;
}
