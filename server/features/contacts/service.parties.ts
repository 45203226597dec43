import { randomUUID } from 'node:crypto';
import type { NewParty, Party, PartyPatch } from '@matterdesk/contract/contacts.ts';
import type { Actor } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import { isDuplicate } from '../../db/connect.ts';
import type { Database, Scoped, Transaction } from '../../db/schema.ts';
import type { Unit, Writer } from '../../db/unit-of-work.ts';
import type { CaseService } from '../cases/service.ts';
import { announce } from './service.keeping.ts';
import { allowWriting, type ContactService } from './service.ts';
import { findChosen } from './store.embedding.ts';
import * as store from './store.parties.ts';

type Parts = { db: Database; writer: Writer; cases: CaseService; contacts: ContactService };

/** Which contacts are parties of a case, and in which role. */
export class PartyService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws Refusal notFound */
  async listParties(actor: Actor, caseId: string): Promise<Party[]> {
    const db = this.#parts.db.as(actor);
    await this.#requireCase(db, caseId);
    return (await store.listParties(db, caseId)).map(store.toParty);
  }

  /** @throws Refusal notPermitted, notFound, invalidInput, alreadyExists */
  async addParty(actor: Actor, caseId: string, input: NewParty): Promise<Party> {
    allowWriting(actor);
    requireOne(input);
    return this.#write(actor, async (unit) => {
      await this.#requireCase(unit.trx, caseId);
      const contactId = await this.#contactOf(unit, input);
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
  async changeParty(actor: Actor, place: store.Place, patch: PartyPatch): Promise<Party> {
    allowWriting(actor);
    if (patch.contactId !== undefined) requireOne(patch);
    return this.#write(actor, async (unit) => {
      const before = await this.#lock(unit, place);
      const contact_id = await this.#contactOf(unit, patch);
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
  async removeParty(actor: Actor, place: store.Place): Promise<null> {
    allowWriting(actor);
    return this.#write(actor, async (unit) => {
      const before = await this.#lock(unit, place);
      await store.deleteParty(unit.trx, before.id);
      await unit.record({ ...about(place), action: 'deleted', before: store.toParty(before) });
      announce(unit, before.contact_id);
      return null;
    });
  }

  async #write<T>(actor: Actor, work: (unit: Unit) => Promise<T>): Promise<T> {
    try {
      return await this.#parts.writer.run(actor, work);
    } catch (error) {
      if (isDuplicate(error, 'parties_once')) throw new Refusal('alreadyExists', 'Already a party');
      throw error;
    }
  }

  async #requireCase(db: Scoped, id: string): Promise<void> {
    if (!(await this.#parts.cases.exists(db, id))) throw notFound('Case');
  }

  async #lock(unit: Unit, place: store.Place): Promise<store.NamedParty> {
    await this.#requireCase(unit.trx, place.caseId);
    const row = isId(place.partyId) ? await store.lockParty(unit.trx, place) : undefined;
    if (!row) throw notFound('Party');
    if (row.embedded) throw new Refusal('conflict', 'Change it in the case');
    return row;
  }

  /** The named contact, or the new one. */
  async #contactOf(
    unit: Unit,
    { contactId, contact }: Pick<PartyPatch, 'contactId' | 'contact'>,
  ): Promise<string | undefined> {
    if (contact) return this.#parts.contacts.insert(unit, contact);
    if (contactId === undefined) return undefined;
    const [row] = isId(contactId) ? await findChosen(unit.trx, [contactId]) : [];
    if (!row) throw invalidField('contactId', 'Please select any contact');
    return row.id;
  }
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
