// Keeps a contact for each case’s client and opposing counsel. `cases` depends on it.

import { randomUUID } from 'node:crypto';
import type { NewCase } from '@matterdesk/contract/cases.ts';
import type { Embedding } from '@matterdesk/contract/contacts.ts';
import type { Context } from '../../context.ts';
import { isId } from '../../core/ids.ts';
import { invalidField } from '../../core/refusal.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import * as copies from './rules.copies.ts';
import { saidIn } from './rules.sources.ts';
import * as rules from './rules.ts';
import { about, announce } from './service.keeping.ts';
import { introduce, say } from './service.sources.ts';
import * as embedding from './store.embedding.ts';
import * as parties from './store.parties.ts';
import * as store from './store.ts';

type Wanted = copies.Wanted;
type Chosen = NonNullable<NewCase['contacts']>;
type Known = { id: string; details: rules.Details };
type Keeping = { picked?: Map<Embedding, Known>; isSilent?: boolean };

/** Cases per backfill transaction. */
const PIECE = 1000;
const WHY = 'the client and the counsel of every case are contacts';
const chosenBy = { clientInfo: 'client', opposingCounselInfo: 'opposingCounsel' } as const;

/** For a new case, in its transaction. @throws Refusal invalidInput for unknown contacts */
export async function openCaseParties(
  unit: Unit,
  matter: copies.Copies,
  chosen: Chosen = {},
): Promise<void> {
  const wanted = copies.wantedOf(matter);
  await embedding.lockNames(
    unit.trx,
    wanted.map(({ details }) => rules.nameKey(details.name)),
  );
  await embedParties(unit, wanted, { chosen });
}

/** Makes contacts of more people of a new case: a name alone joins with none that is known. */
export async function addCaseParties(
  unit: Unit,
  caseId: string,
  named: { name: string; role: Wanted['role'] }[],
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

/** For many cases, in their transaction. */
export async function openAllCaseParties(unit: Unit, matters: copies.Copies[]): Promise<void> {
  await embedParties(unit, matters.flatMap(copies.wantedOf));
}

/** For a locked case whose copies have changed. */
export async function followCaseParties(
  unit: Unit,
  { before, after }: { before: copies.Copies; after: copies.Copies },
): Promise<void> {
  for (const wanted of copies.wantedOf(after)) {
    const { embedded } = wanted;
    if (JSON.stringify(before[embedded]) === JSON.stringify(after[embedded])) continue;
    const party = await parties.findEmbedded(unit.trx, after.id, embedded);
    if (!party) await embedParties(unit, [wanted]);
    else await moveParty(unit, party, { before, wanted });
  }
}

/** Extends the party's contact, or finds another one where the name is another. */
async function moveParty(
  unit: Unit,
  party: { id: string; case_id: string; contact_id: string; role: Wanted['role'] },
  { before, wanted }: { before: copies.Copies; wanted: Wanted },
): Promise<void> {
  const { details, embedded } = wanted;
  const [row] = await embedding.findChosen(unit.trx, [party.contact_id]);
  if (row && copies.isSameName(store.toDetails(row), nameIn(before, embedded), details.name)) {
    const { caseId, isWalled } = wanted;
    const said = saidIn(copies.newlySaid(before, wanted));
    await say(unit, [{ contactId: row.id, caseId, isWalled, said }]);
    return;
  }
  await embedding.lockNames(unit.trx, [rules.nameKey(details.name)]);
  const [contactId = ''] = await keepParties(unit, [wanted], {});
  await parties.makeRoom(unit.trx, party, contactId);
  await parties.updateParty(unit.trx, party.id, { contact_id: contactId });
  announce(unit, contactId);
  announce(unit, party.contact_id);
}

/**
 * Gives each case without a client among its parties its own, and keeps what cases say of theirs, in pieces that stay
 * if the next one fails.
 */
export async function backfillCaseParties(
  context: Context,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  for (let after: string | undefined = '0'; after !== undefined;) {
    signal.throwIfAborted();
    const piece = { after, limit: PIECE };
    after = await context.writer.runAsSystem(null, WHY, async (unit) => {
      const matters = await embedding.listUnparted(unit.trx, piece);
      const wanted = matters.flatMap(copies.wantedOf);
      const known = await parties.listEmbedded(
        unit.trx,
        matters.map(({ id }) => id),
      );
      const contactOf = ({ caseId, embedded }: Wanted) => known.get(`${caseId} ${embedded}`);
      const said = wanted.flatMap((one) => {
        const contactId = contactOf(one);
        const { caseId, isWalled, details } = one;
        return contactId ? [{ contactId, caseId, isWalled, said: saidIn(details) }] : [];
      });
      await say(unit, said, true);
      await embedParties(
        unit,
        wanted.filter((one) => !contactOf(one)),
        { isSilent: true },
      );
      return matters.at(-1)?.serial;
    });
  }
}

async function embedParties(
  unit: Unit,
  wanted: Wanted[],
  { chosen = {}, isSilent = false }: { chosen?: Chosen; isSilent?: boolean } = {},
): Promise<void> {
  const picked = await pickContacts(unit, chosen);
  const ids = await keepParties(unit, wanted, { picked, isSilent });
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
}

/** Keeps what cases say of contacts, and makes those that are new. @returns the contact of each */
async function keepParties(
  unit: Unit,
  wanted: Wanted[],
  { picked, isSilent = false }: Keeping,
): Promise<string[]> {
  const described = wanted.map(({ embedded, details }) => picked?.get(embedded) ?? details);
  const { ids, added } = await findPartyContacts(unit, described);
  const said = wanted.map(({ caseId, isWalled, details }, index) => ({
    contactId: ids[index] ?? '',
    caseId,
    isWalled,
    said: saidIn(details),
  }));
  await addPartyContacts(unit, { added, said, isSilent });
  const made = new Set(added.map(({ id }) => id));
  await say(
    unit,
    said.filter(({ contactId }) => !made.has(contactId)),
    isSilent,
  );
  return ids;
}

async function pickContacts(unit: Unit, chosen: Chosen): Promise<Map<Embedding, Known>> {
  const asked = Object.entries(chosenBy).flatMap(([embedded, member]) => {
    const id = chosen[member];
    return id === undefined ? [] : [{ embedded: embedded as Embedding, member, id }];
  });
  const ids = asked.map(({ id }) => id).filter(isId);
  const rows = ids.length > 0 ? await embedding.findChosen(unit.trx, ids) : [];
  return new Map(
    asked.map(({ embedded, member, id }) => {
      const row = rows.find((one) => one.id === id);
      if (!row) throw invalidField(`contacts.${member}`, 'Please select any contact');
      return [embedded, { id, details: store.toDetails(row) }];
    }),
  );
}

/** Ids for contacts that are known or described, and those that are new. */
async function findPartyContacts(unit: Unit, described: (Known | rules.Details)[]) {
  const wanted = described.flatMap((one, ref) =>
    'id' in one
      ? []
      : [
          {
            ref,
            name: rules.nameKey(one.name),
            addresses: rules.addressKeys(one),
            keys: rules.sameKeys(one),
          },
        ],
  );
  const matches = await embedding.findSame(unit.trx, wanted);
  const found = new Map(matches.map(({ ref, id }) => [ref, id]));
  const added: Known[] = [];
  const made = new Map<string, Known>();
  const ids = described.map((one, ref) => {
    if ('id' in one) return one.id;
    const match = found.get(ref);
    if (match !== undefined) return match;
    const keys = rules.sameKeys(one);
    const twin = keys.map((key) => made.get(key)).find((known) => known !== undefined);
    const known = twin ?? { id: randomUUID(), details: one };
    for (const key of rules.sameKeys(one)) made.set(key, known);
    if (!twin) added.push(known);
    return known.id;
  });
  return { ids, added };
}

async function addPartyContacts(unit: Unit, made: Parameters<typeof introduce>[1]): Promise<void> {
  const { added, isSilent } = made;
  await introduce(unit, made);
  // The audit entry of the case names who entered what the server brings over.
  if (!isSilent && added.length > 0)
    await unit.recordAll(
      added.map(({ id, details }) => ({ ...about(id), action: 'created', after: details })),
    );
}

function nameIn(matter: copies.Copies, embedded: Embedding): string {
  return copies.detailsOf(matter, embedded)?.name ?? '';
}
