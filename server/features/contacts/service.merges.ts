// Merges two contacts that a user knows to be the same, and undoes it.

import type { Contact } from '@matterdesk/contract/contacts.ts';
import { type ActorContext, type Context, asActor, slot } from '../../context.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import type { MergeUndoState } from '../../db/schema-contacts.ts';
import { nameKey } from '../../db/search.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { noDetails, pickDetails, combine, type SourceDetails } from './rules.sources.ts';
import * as rules from './rules.ts';
import {
  about,
  announce,
  dropNames,
  requireContact,
  addMergedDetails,
  removeMergedDetails,
  refreshContact,
  type GainedDetails,
  type LostDetails,
} from './service.sources.ts';
import { requireMayWrite } from './service.ts';
import * as merges from './store.merges.ts';
import * as store from './store.ts';

/** Moves another feature's rows to the merged contact, and back. */
export type Follower = {
  /** @returns ids of the moved rows */
  move: (unit: Unit, pair: { into: string; from: string }) => Promise<string[]>;
  giveBack: (unit: Unit, pair: { into: string; from: string }, ids: string[]) => Promise<void>;
};

const WHY = 'a merge moves the parties of matters that its author does not see, too';

/** Moves intakes along with a merge. */
export const mergeFollower = slot<Follower>();

/** Merges `from` into a contact. A repeated merge changes nothing. @throws Refusal notPermitted, notFound, invalidInput, conflict */
export async function mergeContacts(
  context: ActorContext,
  id: string,
  from: string,
): Promise<Contact> {
  requireMayWrite(context.actor);
  const [into, other] = await requireBoth(context, id, from);
  if (into !== other)
    await context.writer.runAsSystem(context.actor, WHY, (unit) =>
      mergePair(context, unit, { into, from: other }),
    );
  return readMerged(context, into);
}

/** @returns the ids of the two contacts, or of those that they were merged into */
async function requireBoth(
  context: ActorContext,
  id: string,
  from: string,
): Promise<[string, string]> {
  const db = asActor(context);
  const into = await requireContact(db, id);
  const other = isId(from) ? await store.findContact(db, from) : undefined;
  if (!other || from === id) throw invalidField('from', 'Please choose another contact');
  return [into.id, other.id];
}

async function mergePair(
  context: ActorContext,
  unit: Unit,
  pair: { into: string; from: string },
): Promise<void> {
  const rows = await store.lockContacts(unit.trx, [pair.into, pair.from]);
  const [into, from] = [pair.into, pair.from].map((id) => rows.find((row) => row.id === id));
  // Merged meanwhile by someone else.
  if (!into || !from) throw notFound('Contact');
  if (into.kind !== from.kind)
    throw new Refusal('conflict', 'A person and an organization cannot be merged');
  const details = await detailsToMerge(unit, into, from);
  const letters = await fillLetters(unit, into, from);
  const moved: MergeUndoState = {
    ...(await merges.moveParties(unit.trx, pair)),
    ...(await moveLinks(unit, pair)),
    letters,
    sources: await addMergedDetails(unit, pair.into, details),
    intakes: await mergeFollower.of(context).move(unit, pair),
  };
  await merges.setMergedInto(unit.trx, pair.from, pair.into);
  await dropNames(unit, pair.from);
  await merges.insertMerge(unit.trx, { ...pair, by: context.actor.id, moved });
  await unit.record({
    ...about(pair.into),
    action: 'merged',
    after: { ...membersOf(moved.sources ?? []), ...letters, from: pair.from },
  });
  announce(unit, pair.into);
}

/**
 * Details of a contact by their matters. Those of a walled contact include its name and what was entered at it.
 */
async function detailsToMerge(
  unit: Unit,
  into: store.ContactRow,
  from: store.ContactRow,
): Promise<GainedDetails> {
  const all = await store.listSources(unit.trx, [from.id]);
  const own = all.find(({ caseId }) => caseId === null) ?? noDetails;
  const names = rules
    .joinNames([from.name], own.otherNames)
    .filter((name) => !isNameOf(into, name));
  const base = { ...pickDetails(own), otherNames: names };
  const cases = from.is_walled ? await merges.listCases(unit.trx, from.id) : [null];
  return [
    ...cases.map((caseId) => ({ caseId, isWalled: caseId !== null, said: base })),
    ...all.flatMap(({ caseId, isWalled, ...source }) =>
      caseId === null ? [] : [{ caseId, isWalled, said: pickDetails(source) }],
    ),
  ].map((one) => ({ ...one, said: { ...one.said, address: null, organisation: null } }));
}

/** Details for letters stay behind the wall of a walled contact. @returns those that are new */
async function fillLetters(
  unit: Unit,
  into: store.ContactRow,
  from: store.ContactRow,
): Promise<rules.Letters> {
  if (from.is_walled) return {};
  const letters = rules.missingLetters(store.toShared(into), store.toShared(from));
  await setLetters(unit, into, letters);
  return letters;
}

async function setLetters(
  { trx }: Unit,
  row: store.ContactRow,
  letters: rules.Letters,
): Promise<void> {
  if (Object.keys(letters).length === 0) return;
  const details = { ...store.toShared(row), ...letters };
  await store.updateContacts(trx, [{ id: row.id, details, ranking: row.ranking }]);
}

/** Undoes a merge. @throws Refusal notPermitted, notFound, invalidInput, conflict */
export async function unmergeContacts(
  context: ActorContext,
  id: string,
  from: string,
): Promise<Contact> {
  requireMayWrite(context.actor);
  const [into] = await requireBoth(context, id, from);
  await context.writer.runAsSystem(context.actor, WHY, (unit) =>
    undoMerge(context, unit, { into, from }),
  );
  return readMerged(context, into);
}

async function undoMerge(
  context: Context,
  unit: Unit,
  pair: { into: string; from: string },
): Promise<void> {
  const [row] = await store.lockContacts(unit.trx, [pair.into]);
  const merge = await merges.findMerge(unit.trx, pair);
  if (!row || !merge) throw new Refusal('conflict', 'These contacts are not merged');
  if (!merge.isYoung) throw new Refusal('conflict', 'A merge can be undone for 30 days');
  const { moved } = merge;
  // Merges by earlier versions do not name the matters.
  const gained = moved.gained ? [{ said: { ...noDetails, ...moved.gained } }] : [];
  await merges.setMergedInto(unit.trx, pair.from, null);
  await merges.moveBackParties(unit.trx, pair, moved);
  await store.deleteLinks(unit.trx, moved.linksAfter);
  await store.insertLinks(unit.trx, moved.linksBefore);
  await mergeFollower.of(context).giveBack(unit, pair, moved.intakes);
  await setLetters(unit, row, rules.lettersToDrop(store.toShared(row), moved.letters ?? {}));
  await removeMergedDetails(unit, pair.into, moved.sources ?? gained);
  await refreshContact(unit, pair.from);
  await merges.markUndone(unit.trx, merge.id);
  await unit.record({ ...about(pair.into), action: 'unmerged', after: { from: pair.from } });
  for (const id of [pair.into, pair.from]) announce(unit, id);
}

async function readMerged(context: ActorContext, id: string): Promise<Contact> {
  return store.toContact(await requireContact(asActor(context), id));
}

function isNameOf({ name }: store.ContactRow, other: string): boolean {
  return nameKey(name) === nameKey(other);
}

/** Members that a merge changed, for the audit log. */
function membersOf(gained: LostDetails): Partial<SourceDetails> {
  const all = combine(
    gained.map(({ said }) => said),
    [],
  );
  const members = (['otherNames', 'emails', 'phoneNumbers'] as const).filter(
    (member) => all[member].length > 0,
  );
  return Object.fromEntries(members.map((member) => [member, all[member]]));
}

async function moveLinks(unit: Unit, { into, from }: { into: string; from: string }) {
  const linksBefore = await store.listLinks(unit.trx, from);
  const own = await store.listLinks(unit.trx, into);
  const keyOf = ({ contact_id, linked_id, relation }: store.LinkRow) =>
    `${contact_id === into ? linked_id : contact_id} ${relation}`;
  const taken = new Set(own.map(keyOf));
  const replace = (id: string) => (id === from ? into : id);
  const linksAfter = linksBefore
    .map((link) => ({
      ...link,
      contact_id: replace(link.contact_id),
      linked_id: replace(link.linked_id),
    }))
    .filter((link) => link.contact_id !== link.linked_id && !taken.has(keyOf(link)));
  await store.deleteLinks(unit.trx, linksBefore);
  await store.insertLinks(unit.trx, linksAfter);
  return { linksBefore, linksAfter };
}
