// Parties of cases. The client and the opposing counsel follow the case; others are added by hand.

import { randomUUID } from 'node:crypto';
import type { NewCase } from '@matterdesk/contract/cases.ts';
import type { NewParty, Party, PartyPatch, Embedding } from '@matterdesk/contract/contacts.ts';
import { type ActorContext, type Context, asActor, write } from '../../context.ts';
import type { IdempotencyKey } from '../../core/idempotency-key.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import { inBatches, mapInSlices } from '../../core/time-slices.ts';
import { isDuplicate } from '../../db/connect.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { nameKey } from '../../db/search.ts';
import type { RepeatableWrite, Unit } from '../../db/unit-of-work.ts';
import type { JobRun } from '../../jobs/queue.ts';
import * as copies from './rules.copies.ts';
import { pickDetails } from './rules.sources.ts';
import * as rules from './rules.ts';
import {
  announce,
  about as aboutContact,
  addContactsOfCases,
  saveDetailsOfCases,
} from './service.sources.ts';
import { requireMayWrite, insertContact } from './service.ts';
import * as parties from './store.parties.ts';
import * as store from './store.ts';

type CaseContact = copies.CaseContact;
type ChosenContacts = NonNullable<NewCase['contacts']>;
export type KnownContact = { id: string; details: rules.Details };
type PickContact = (wanted: CaseContact) => KnownContact | undefined;
type PartyOptions = { picked?: PickContact; isSilent?: boolean };

/** Cases per backfill transaction. */
const BATCH = 1000;
/** Parties of an import per statement. */
const IMPORT_BATCH = 500;
const WHY = 'the client and the counsel of every case are contacts';
const chosenBy = { clientInfo: 'client', opposingCounselInfo: 'opposingCounsel' } as const;

/** @throws Refusal notFound */
export async function listParties(context: ActorContext, caseId: string): Promise<Party[]> {
  const db = asActor(context);
  await requireCaseOfParty(db, caseId);
  return (await parties.listParties(db, caseId)).map(parties.toParty);
}

/** @throws Refusal notPermitted, notFound, invalidInput, alreadyExists */
export async function addParty(
  context: ActorContext,
  caseId: string,
  { input, once }: { input: NewParty; once: IdempotencyKey | undefined },
): Promise<Party> {
  requireMayWrite(context.actor);
  requireOne(input);
  const add = async (unit: Unit) => {
    await requireCaseOfParty(unit.trx, caseId);
    const contactId = await contactOf(unit, input);
    if (contactId === undefined) throw invalidField('contactId', 'Select a contact');
    const { role, note } = input;
    const id = randomUUID();
    const row = { id, case_id: caseId, contact_id: contactId, role, note, embedded: null };
    await parties.insertParties(unit.trx, [row]);
    await unit.record({ ...aboutParty({ caseId, partyId: id }), action: 'created', after: row });
    announce(unit, contactId);
    return readParty(unit.trx, { caseId, partyId: id });
  };
  const requireVisible = (trx: Transaction) => requireCaseOfParty(trx, caseId);
  return writeParties(context, add, once && { ...once, requireVisible });
}

/** @throws Refusal notPermitted, notFound, invalidInput, conflict for parts of the case, alreadyExists */
export async function changeParty(
  context: ActorContext,
  place: parties.Place,
  patch: PartyPatch,
): Promise<Party> {
  requireMayWrite(context.actor);
  if (patch.contactId !== undefined) requireOne(patch);
  return writeParties(context, async (unit) => {
    const known = await requireParty(unit, place);
    const contact_id = await contactOf(unit, patch);
    const before = await lockParty(unit, place, [known.contact_id, contact_id ?? known.contact_id]);
    const { role, note } = patch;
    await parties.updateParty(unit.trx, before.id, {
      ...(role !== undefined && { role }),
      ...(note !== undefined && { note }),
      ...(contact_id !== undefined && { contact_id }),
    });
    await unit.record({ ...aboutParty(place), action: 'updated', after: patch });
    for (const id of new Set([before.contact_id, contact_id ?? before.contact_id]))
      announce(unit, id);
    return readParty(unit.trx, place);
  });
}

/** @throws Refusal notPermitted, notFound, conflict for parts of the case */
export async function removeParty(context: ActorContext, place: parties.Place): Promise<null> {
  requireMayWrite(context.actor);
  return writeParties(context, async (unit) => {
    const known = await requireParty(unit, place);
    const before = await lockParty(unit, place, [known.contact_id]);
    await parties.deleteParty(unit.trx, before.id);
    await unit.record({ ...aboutParty(place), action: 'deleted', before: parties.toParty(before) });
    announce(unit, before.contact_id);
    return null;
  });
}

async function writeParties<T>(
  context: ActorContext,
  work: (unit: Unit) => Promise<T>,
  once?: RepeatableWrite<T>,
): Promise<T> {
  try {
    return await write(context, work, once);
  } catch (error) {
    if (isDuplicate(error, 'parties_once')) throw new Refusal('alreadyExists', 'Already a party');
    throw error;
  }
}

async function requireCaseOfParty(db: Scoped, id: string): Promise<void> {
  if (!(await parties.caseExists(db, id))) throw notFound('Case');
}

/** @throws Refusal notFound, conflict for parts of the case */
async function requireParty(unit: Unit, place: parties.Place): Promise<parties.NamedParty> {
  await requireCaseOfParty(unit.trx, place.caseId);
  const row = isId(place.partyId) ? await parties.findParty(unit.trx, place) : undefined;
  if (!row) throw notFound('Party');
  if (row.embedded) throw new Refusal('conflict', 'Change it in the case');
  return row;
}

/** Locks the contacts before the party: so do merges, which move the parties of the contacts that they have locked. */
async function lockParty(
  unit: Unit,
  place: parties.Place,
  contactIds: string[],
): Promise<parties.NamedParty> {
  await store.lockContacts(unit.trx, contactIds);
  const row = await parties.lockParty(unit.trx, place);
  if (!row) throw notFound('Party');
  return row;
}

/** Id of the named contact, or of the new one. */
async function contactOf(
  unit: Unit,
  { contactId, contact }: Pick<PartyPatch, 'contactId' | 'contact'>,
): Promise<string | undefined> {
  if (contact) return insertContact(unit, contact);
  if (contactId === undefined) return undefined;
  const [row] = isId(contactId) ? await parties.findChosen(unit.trx, [contactId]) : [];
  if (!row) throw invalidField('contactId', 'Select a contact');
  return row.id;
}

function requireOne({ contactId, contact }: Pick<PartyPatch, 'contactId' | 'contact'>): void {
  if (contactId === undefined && contact === undefined)
    throw invalidField('contactId', 'Select a contact');
  if (contactId !== undefined && contact !== undefined)
    throw invalidField('contactId', 'Please give a contact or the fields of a new one');
}

async function readParty(trx: Transaction, place: parties.Place): Promise<Party> {
  const row = await parties.findParty(trx, place);
  if (!row) throw notFound('Party');
  return parties.toParty(row);
}

function aboutParty({ caseId, partyId }: parties.Place) {
  return { entity: 'party', entityId: partyId, caseId } as const;
}

/** Adds the parties of a new case, in its transaction. @throws Refusal invalidInput for unknown contacts */
export async function openCaseParties(
  unit: Unit,
  matter: copies.Copies,
  chosen: ChosenContacts = {},
): Promise<void> {
  const wanted = copies.contactsOfCase(matter);
  await parties.lockNames(
    unit.trx,
    wanted.map(({ details }) => nameKey(details.name)),
  );
  await insertCaseParties(unit, wanted, { chosen });
}

/** Adds more parties of a new case. A name alone matches no existing contact. */
export async function addCaseParties(
  unit: Unit,
  caseId: string,
  named: { name: string; role: CaseContact['role'] }[],
): Promise<void> {
  const added = named.map(({ name }) => ({
    id: randomUUID(),
    details: copies.detailsOfName(name),
  }));
  await addPartyContacts(unit, { added, said: [], isSilent: false });
  const rows = named.map(({ role }, index) => ({
    id: randomUUID(),
    case_id: caseId,
    contact_id: added[index]?.id ?? '',
    role,
    note: '',
    embedded: null,
  }));
  await parties.insertParties(unit.trx, rows);
  for (const { id } of added) announce(unit, id);
}

/**
 * Adds the parties of many cases, in their transaction. Those of one name follow each other, since each batch reads what
 * all matters of its contacts say of them.
 */
export async function openAllCaseParties(
  unit: Unit,
  { length, matterAt }: { length: number; matterAt: (place: number) => copies.Copies },
): Promise<void> {
  const named = await mapInSlices(Array.from({ length }).keys().toArray(), (place) =>
    copies.contactsOfCase(matterAt(place)).map(({ embedded, details: { name } }) => ({
      place,
      embedded,
      name: nameKey(name),
    })),
  );
  const byName = [...Map.groupBy(named.flat(), ({ name }) => name).values()].flat();
  for (const batch of inBatches(byName, IMPORT_BATCH)) {
    const wanted = await mapInSlices(batch, ({ place, embedded }) =>
      copies.contactInCase(matterAt(place), embedded),
    );
    await insertCaseParties(
      unit,
      wanted.filter((one) => one !== undefined),
    );
  }
}

/** Updates the parties of a locked case whose copies have changed. */
export async function followCaseParties(
  unit: Unit,
  { before, after }: { before: copies.Copies; after: copies.Copies },
): Promise<void> {
  const changed = copies
    .contactsOfCase(after)
    .filter(({ embedded: of }) => JSON.stringify(before[of]) !== JSON.stringify(after[of]));
  if (changed.length === 0) return;
  await lockContactsOf(unit, after.id, changed);
  for (const wanted of changed) {
    const { embedded } = wanted;
    const party = await parties.findEmbedded(unit.trx, after.id, embedded);
    if (!party) await insertCaseParties(unit, [wanted]);
    else await moveParty(unit, party, { before, wanted });
  }
}

/**
 * Locks the contacts of parties and those that the parties may move to, all at once, in the order in which others lock
 * them: a party that moves locks both, the second by its trigger.
 */
async function lockContactsOf(unit: Unit, caseId: string, changed: CaseContact[]): Promise<void> {
  const named = changed.map(({ details }) => details);
  await parties.lockNames(
    unit.trx,
    named.map(({ name }) => nameKey(name)),
  );
  const { ids } = await findPartyContacts(unit, named);
  for (const { embedded } of changed) {
    const party = await parties.findEmbedded(unit.trx, caseId, embedded);
    if (party) ids.push(party.contact_id);
  }
  await store.lockContacts(unit.trx, ids);
}

/** Extends the party's contact, or finds another one if the name is different. */
async function moveParty(
  unit: Unit,
  party: { id: string; case_id: string; contact_id: string; role: CaseContact['role'] },
  { before, wanted }: { before: copies.Copies; wanted: CaseContact },
): Promise<void> {
  const { details, embedded } = wanted;
  const [row] = await parties.findChosen(unit.trx, [party.contact_id]);
  if (row && copies.isSameName(store.toDetails(row), nameBefore(before, embedded), details.name)) {
    const { caseId, isWalled } = wanted;
    const said = pickDetails(copies.newlySaid(before, wanted));
    await saveDetailsOfCases(unit, [{ contactId: row.id, caseId, isWalled, said }]);
    return;
  }
  const { ids } = await savePartyContacts(unit, [wanted], {});
  const [contactId = ''] = ids;
  await parties.deleteOtherParty(unit.trx, party, contactId);
  await parties.updateParty(unit.trx, party.id, { contact_id: contactId });
  announce(unit, contactId);
  announce(unit, party.contact_id);
}

/**
 * Adds the missing clients of cases, and the details that cases have of their parties, in batches that are committed by
 * themselves.
 */
export async function backfillCaseParties(context: Context, { signal }: JobRun): Promise<void> {
  for (let after: string | undefined = '0'; after !== undefined;) {
    signal.throwIfAborted();
    const batch = { after, limit: BATCH };
    after = await context.writer.runAsSystem(null, WHY, async (unit) => {
      const matters = await parties.listUnparted(unit.trx, batch);
      const wanted = matters.flatMap(copies.contactsOfCase);
      const known = await parties.listEmbedded(
        unit.trx,
        matters.map(({ id }) => id),
      );
      const contactOf = ({ caseId, embedded }: CaseContact) => known.get(`${caseId} ${embedded}`);
      const said = wanted.flatMap((one) => {
        const contactId = contactOf(one);
        const { caseId, isWalled, details } = one;
        return contactId ? [{ contactId, caseId, isWalled, said: pickDetails(details) }] : [];
      });
      await saveDetailsOfCases(unit, said, true);
      await insertCaseParties(
        unit,
        wanted.filter((one) => !contactOf(one)),
        { isSilent: true },
      );
      return matters.at(-1)?.serial;
    });
  }
}

async function insertCaseParties(
  unit: Unit,
  wanted: CaseContact[],
  { chosen = {}, isSilent = false }: { chosen?: ChosenContacts; isSilent?: boolean } = {},
): Promise<void> {
  const chosenOf = await pickContacts(unit, chosen);
  const picked = ({ embedded }: CaseContact) => chosenOf.get(embedded);
  await insertCaseContacts(unit, wanted, { picked, isSilent });
}

/** @returns the contacts that were added */
async function insertCaseContacts(
  unit: Unit,
  wanted: CaseContact[],
  options: PartyOptions,
): Promise<KnownContact[]> {
  const { ids, added } = await savePartyContacts(unit, wanted, options);
  await parties.insertParties(
    unit.trx,
    wanted.map(({ caseId, role, embedded }, index) => ({
      id: randomUUID(),
      case_id: caseId,
      contact_id: ids[index] ?? '',
      role,
      note: '',
      embedded,
    })),
  );
  return added;
}

/**
 * Adds the parties of imported cases, whose clients are known.
 * @returns the contacts that were added
 */
export async function importCaseParties(
  unit: Unit,
  matters: readonly { matter: copies.Copies; client: KnownContact }[],
): Promise<KnownContact[]> {
  const clients = new Map(matters.map(({ matter, client }) => [matter.id, client]));
  const wanted = matters.flatMap(({ matter }) => copies.contactsOfCase(matter));
  const picked = ({ caseId, embedded }: CaseContact) =>
    embedded === 'clientInfo' ? clients.get(caseId) : undefined;
  const named = wanted.filter((one) => !picked(one)).map(({ details }) => nameKey(details.name));
  await parties.lockNames(unit.trx, named);
  return insertCaseContacts(unit, wanted, { picked });
}

/**
 * Saves the details of parties at their contacts, and adds the missing contacts.
 * @returns the contact of each party, and those that were added
 */
async function savePartyContacts(
  unit: Unit,
  wanted: CaseContact[],
  { picked, isSilent = false }: PartyOptions,
): Promise<{ ids: string[]; added: KnownContact[] }> {
  const described = wanted.map((one) => picked?.(one) ?? one.details);
  const { ids, added } = await findPartyContacts(unit, described);
  const said = wanted.map(({ caseId, isWalled, details }, index) => ({
    contactId: ids[index] ?? '',
    caseId,
    isWalled,
    said: pickDetails(details),
  }));
  await addPartyContacts(unit, { added, said, isSilent });
  const made = new Set(added.map(({ id }) => id));
  await saveDetailsOfCases(
    unit,
    said.filter(({ contactId }) => !made.has(contactId)),
    isSilent,
  );
  return { ids, added };
}

async function pickContacts(
  unit: Unit,
  chosen: ChosenContacts,
): Promise<Map<Embedding, KnownContact>> {
  const asked = Object.entries(chosenBy).flatMap(([embedded, member]) => {
    const id = chosen[member];
    return id === undefined ? [] : [{ embedded: embedded as Embedding, member, id }];
  });
  const ids = asked.map(({ id }) => id).filter(isId);
  const rows = ids.length > 0 ? await parties.findChosen(unit.trx, ids) : [];
  return new Map(
    asked.map(({ embedded, member, id }) => {
      const row = rows.find((one) => one.id === id);
      if (!row) throw invalidField(`contacts.${member}`, 'Select a contact');
      return [embedded, { id, details: store.toDetails(row) }];
    }),
  );
}

/** Ids of contacts that are known or described, and the contacts to add. */
async function findPartyContacts(unit: Unit, described: (KnownContact | rules.Details)[]) {
  const keys = described.map((one) => ('id' in one ? [] : rules.sameKeys(one)));
  // Thousands of matters may describe the same contact: it is looked for once.
  const refs = new Map(keys.map((each, ref) => [each.join('\n'), ref]));
  const wanted = described.flatMap((one, ref) =>
    'id' in one || refs.get(keys[ref]?.join('\n') ?? '') !== ref
      ? []
      : [
          {
            ref,
            name: nameKey(one.name),
            addresses: rules.addressKeys(one),
            keys: keys[ref] ?? [],
          },
        ],
  );
  const matches = await parties.findSame(unit.trx, wanted);
  const found = new Map(matches.map(({ ref, id }) => [ref, id]));
  const added: KnownContact[] = [];
  const made = new Map<string, string>();
  const ids = described.map((one, at) => {
    if ('id' in one) return one.id;
    const own = keys[at] ?? [];
    const match = found.get(refs.get(own.join('\n')) ?? at);
    const twin = match ?? own.map((key) => made.get(key)).find((known) => known !== undefined);
    const id = twin ?? randomUUID();
    for (const key of own) made.set(key, id);
    if (twin === undefined) added.push({ id, details: one });
    return id;
  });
  return { ids, added };
}

async function addPartyContacts(
  unit: Unit,
  made: Parameters<typeof addContactsOfCases>[1],
): Promise<void> {
  const { added, isSilent } = made;
  await addContactsOfCases(unit, made);
  // Contacts of existing cases are covered by the audit entries of these cases.
  if (!isSilent && added.length > 0)
    await unit.recordAll(
      added.map(({ id, details }) => ({ ...aboutContact(id), action: 'created', after: details })),
    );
}

function nameBefore(matter: copies.Copies, embedded: Embedding): string {
  return copies.detailsOf(matter, embedded)?.name ?? '';
}
