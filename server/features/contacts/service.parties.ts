// Which contacts are parties of a case, and in which role.

import { randomUUID } from 'node:crypto';
import type { NewParty, Party, PartyPatch } from '@matterdesk/contract/contacts.ts';
import { type ActorContext, asActor, write } from '../../context.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import { isDuplicate } from '../../db/connect.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { caseExists } from '../cases/service.ts';
import { announce } from './service.keeping.ts';
import { allowWriting, insertContact } from './service.ts';
import { findChosen } from './store.embedding.ts';
import * as store from './store.parties.ts';

/** @throws Refusal notFound */
export async function listParties(context: ActorContext, caseId: string): Promise<Party[]> {
  const db = asActor(context);
  await requireCaseOfParty(db, caseId);
  return (await store.listParties(db, caseId)).map(store.toParty);
}

/** @throws Refusal notPermitted, notFound, invalidInput, alreadyExists */
export async function addParty(
  context: ActorContext,
  caseId: string,
  input: NewParty,
): Promise<Party> {
  allowWriting(context.actor);
  requireOne(input);
  return writeParties(context, async (unit) => {
    await requireCaseOfParty(unit.trx, caseId);
    const contactId = await contactOf(unit, input);
    if (contactId === undefined) throw invalidField('contactId', 'Please select any contact');
    const { role, note } = input;
    const id = randomUUID();
    const row = { id, case_id: caseId, contact_id: contactId, role, note, embedded: null };
    await store.insertParties(unit.trx, [row]);
    await unit.record({ ...about({ caseId, partyId: id }), action: 'created', after: row });
    announce(unit, contactId);
    return read(unit.trx, { caseId, partyId: id });
  });
}

/** @throws Refusal notPermitted, notFound, invalidInput, conflict for parts of the case, alreadyExists */
export async function changeParty(
  context: ActorContext,
  place: store.Place,
  patch: PartyPatch,
): Promise<Party> {
  allowWriting(context.actor);
  if (patch.contactId !== undefined) requireOne(patch);
  return writeParties(context, async (unit) => {
    const before = await lockParty(unit, place);
    const contact_id = await contactOf(unit, patch);
    const { role, note } = patch;
    await store.updateParty(unit.trx, before.id, {
      ...(role !== undefined && { role }),
      ...(note !== undefined && { note }),
      ...(contact_id !== undefined && { contact_id }),
    });
    await unit.record({ ...about(place), action: 'updated', after: patch });
    for (const id of new Set([before.contact_id, contact_id ?? before.contact_id]))
      announce(unit, id);
    return read(unit.trx, place);
  });
}

/** @throws Refusal notPermitted, notFound, conflict for parts of the case */
export async function removeParty(context: ActorContext, place: store.Place): Promise<null> {
  allowWriting(context.actor);
  return writeParties(context, async (unit) => {
    const before = await lockParty(unit, place);
    await store.deleteParty(unit.trx, before.id);
    await unit.record({ ...about(place), action: 'deleted', before: store.toParty(before) });
    announce(unit, before.contact_id);
    return null;
  });
}

async function writeParties<T>(
  context: ActorContext,
  work: (unit: Unit) => Promise<T>,
): Promise<T> {
  try {
    return await write(context, work);
  } catch (error) {
    if (isDuplicate(error, 'parties_once')) throw new Refusal('alreadyExists', 'Already a party');
    throw error;
  }
}

async function requireCaseOfParty(db: Scoped, id: string): Promise<void> {
  if (!(await caseExists(db, id))) throw notFound('Case');
}

async function lockParty(unit: Unit, place: store.Place): Promise<store.NamedParty> {
  await requireCaseOfParty(unit.trx, place.caseId);
  const row = isId(place.partyId) ? await store.lockParty(unit.trx, place) : undefined;
  if (!row) throw notFound('Party');
  if (row.embedded) throw new Refusal('conflict', 'Change it in the case');
  return row;
}

/** The named contact, or the new one. */
async function contactOf(
  unit: Unit,
  { contactId, contact }: Pick<PartyPatch, 'contactId' | 'contact'>,
): Promise<string | undefined> {
  if (contact) return insertContact(unit, contact);
  if (contactId === undefined) return undefined;
  const [row] = isId(contactId) ? await findChosen(unit.trx, [contactId]) : [];
  if (!row) throw invalidField('contactId', 'Please select any contact');
  return row.id;
}

function requireOne({ contactId, contact }: Pick<PartyPatch, 'contactId' | 'contact'>): void {
  if (contactId === undefined && contact === undefined)
    throw invalidField('contactId', 'Please select any contact');
  if (contactId !== undefined && contact !== undefined)
    throw invalidField('contactId', 'Please give a contact or the fields of a new one');
}

async function read(trx: Transaction, place: store.Place): Promise<Party> {
  const row = await store.findParty(trx, place);
  if (!row) throw notFound('Party');
  return store.toParty(row);
}

function about({ caseId, partyId }: store.Place) {
  return { entity: 'party', entityId: partyId, caseId } as const;
}
