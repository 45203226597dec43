// Adds, changes and deletes contacts.

import { randomUUID } from 'node:crypto';
import type { Contact, ContactPatch, NewContact } from '@matterdesk/contract/contacts.ts';
import { type ActorContext, write } from '../../context.ts';
import { allow, type Actor } from '../../core/actor.ts';
import { isForeignKeyViolation } from '../../core/database-errors.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { changeCaseCopy } from '../cases/service.ts';
import * as copies from './rules.copies.ts';
import * as rules from './rules.ts';
import { about, announce, dropNames } from './service.keeping.ts';
import { amend, enter } from './service.sources.ts';
import * as links from './store.links.ts';
import { keepApart } from './store.lookalikes.ts';
import * as parties from './store.parties.ts';
import { listSources } from './store.sources.ts';
import * as store from './store.ts';

/** @throws Refusal notPermitted, invalidInput for links to unknown contacts */
export function addContact(context: ActorContext, input: NewContact): Promise<Contact> {
  allowWriting(context.actor);
  return write(context, async (unit) => {
    const id = await insertContact(unit, input);
    announce(unit, id);
    return readContact(unit, id);
  });
}

/** In the transaction of what needs it. @returns its id @throws Refusal invalidInput */
export async function insertContact(unit: Unit, input: NewContact): Promise<string> {
  const id = randomUUID();
  await enter(unit, [{ id, details: rules.toDetails(input) }]);
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
  allowWriting(context.actor);
  const { updateMatters = [], ...members } = patch;
  if (updateMatters.length > 0) allow(context.actor, 'createCases');
  if (!isId(id)) throw notFound('Contact');
  return write(context, async (unit) => {
    const matters = await requireCases(unit, updateMatters);
    const row = await requireLocked(unit, id);
    const before = store.toDetails(row);
    const after = rules.toDetails(members, before);
    await amend(unit, row, { before, after });
    if (members.links) await replaceLinks(unit, row.id, members.links);
    await unit.record({ ...about(row.id), action: 'updated', after: members });
    await changeCopies(context, unit, { contactId: row.id, matters, before, after });
    announce(unit, row.id);
    return readContact(unit, row.id);
  });
}

/** Cases whose copy said what the contact said before. */
async function changeCopies(
  context: ActorContext,
  unit: Unit,
  change: { contactId: string; matters: string[]; before: rules.Details; after: rules.Details },
): Promise<void> {
  const { contactId, matters, before, after } = change;
  if (matters.length === 0) return;
  for (const { case_id, embedded } of await parties.embeddedIn(unit.trx, contactId, matters))
    if (embedded)
      await changeCaseCopy(context, unit, {
        id: case_id,
        toPatch: (matter) => {
          const members = copies.copyChange(matter[embedded], before, after);
          return Object.keys(members).length > 0 ? { [embedded]: members } : undefined;
        },
      });
}

async function replaceLinks(unit: Unit, id: string, asked: NewContact['links']): Promise<void> {
  const ids = asked.map(({ contact }) => contact);
  const known = await links.visibleContacts(unit.trx, ids.filter(isId));
  for (const [index, contact] of ids.entries())
    if (!known.has(contact) || contact === id)
      throw invalidField(`links.${index}.contact`, 'Please select any contact');
  const keyOf = (other: string, relation: string) => `${other} ${relation}`;
  const wanted = new Map(asked.map((one) => [keyOf(one.contact, one.relation), one]));
  const before = await links.linksOf(unit.trx, id);
  const removed = before.filter((link) => !wanted.delete(keyOf(otherEnd(link, id), link.relation)));
  await links.deleteLinks(unit.trx, removed);
  const added = [...wanted.values()].map(({ contact, relation }) => ({
    contact_id: id,
    linked_id: contact,
    relation,
  }));
  await links.insertLinks(unit.trx, added);
  const touched = new Set([...removed, ...added].map((link) => otherEnd(link, id)));
  for (const other of touched) {
    await store.touchContact(unit.trx, other);
    announce(unit, other);
  }
}

/** @throws Refusal notPermitted, notFound, conflict while something refers to it */
export async function deleteContact(context: ActorContext, id: string): Promise<null> {
  allowWriting(context.actor);
  if (!isId(id)) throw notFound('Contact');
  try {
    await write(context, async (unit) => {
      const row = await requireLocked(unit, id);
      await unit.record({ ...about(row.id), action: 'deleted', before: store.toContact(row) });
      await dropNames(unit, row.id, await listSources(unit.trx, [row.id]));
      await store.deleteContact(unit.trx, row.id);
    });
  } catch (error) {
    if (isForeignKeyViolation(error)) throw new Refusal('conflict', 'This contact is still in use');
    throw error;
  }
  return null;
}

/** @throws Refusal notPermitted, notFound, invalidInput */
export async function keepContactsApart(
  context: ActorContext,
  id: string,
  from: string,
): Promise<null> {
  allowWriting(context.actor);
  if (!isId(id)) throw notFound('Contact');
  await write(context, async (unit) => {
    const [one, other] = await requireTwo(unit, id, from);
    if (await keepApart(unit.trx, [one.id, other.id]))
      await unit.record({ ...about(one.id), action: 'keptApart', after: { from: other.id } });
  });
  return null;
}

/** @throws Refusal notPermitted */
export function allowWriting({ permissions }: Actor): void {
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
  // A merged contact answers like the other one.
  if (!other || other.id === one.id) throw invalidField('from', 'Please choose another contact');
  // Both at once and in order: someone may delete either.
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

async function readContact(unit: Unit, id: string): Promise<Contact> {
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

function otherEnd({ contact_id, linked_id }: links.LinkRow, id: string): string {
  return contact_id === id ? linked_id : contact_id;
}
