// Joins two contacts that are the same, for a person who says so, and undoes it.

import type { Contact } from '@matterdesk/contract/contacts.ts';
import { type ActorContext, type Context, asActor, slot } from '../../context.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import type { Moved } from '../../db/schema-contacts.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { nothing, saidIn, together, type Said } from './rules.sources.ts';
import * as rules from './rules.ts';
import { about, announce, dropNames, requireContact } from './service.keeping.ts';
import { gain, lose, showAgain, type Gained, type Lost } from './service.sources.ts';
import { allowWriting } from './service.ts';
import * as links from './store.links.ts';
import * as merges from './store.merges.ts';
import { listSources } from './store.sources.ts';
import * as store from './store.ts';

/** Moves what another feature keeps of a contact, and back. */
export type Follower = {
  /** @returns ids of what moved */
  move: (unit: Unit, pair: { into: string; from: string }) => Promise<string[]>;
  giveBack: (unit: Unit, pair: { into: string; from: string }, ids: string[]) => Promise<void>;
};

const WHY = 'a merge moves the parties of matters that its author does not see, too';

/** Moves intakes along with a merge. */
export const mergeFollower = slot<Follower>();

/** The same merge again changes nothing. @throws Refusal notPermitted, notFound, invalidInput, conflict */
export async function mergeContacts(
  context: ActorContext,
  id: string,
  from: string,
): Promise<Contact> {
  allowWriting(context.actor);
  const [into, other] = await requireBoth(context, id, from);
  if (into !== other)
    await context.writer.runAsSystem(context.actor, WHY, (unit) =>
      mergePair(context, unit, { into, from: other }),
    );
  return readMerged(context, into);
}

/** @returns the ids of the contacts that the two answer like */
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
  // Someone else merged them meanwhile.
  if (!into || !from) throw notFound('Contact');
  if (into.kind !== from.kind)
    throw new Refusal('conflict', 'A person and an organization cannot be merged');
  const brought = await bringAlong(unit, into, from);
  const moved: Moved = {
    ...(await merges.moveParties(unit.trx, pair)),
    ...(await moveLinks(unit, pair)),
    sources: await gain(unit, pair.into, brought),
    intakes: await mergeFollower.of(context).move(unit, pair),
  };
  await merges.setAnswering(unit.trx, pair.from, pair.into);
  await dropNames(unit, pair.from);
  await merges.insertMerge(unit.trx, { ...pair, by: context.actor.id, moved });
  await unit.record({
    ...about(pair.into),
    action: 'merged',
    after: { ...membersOf(moved.sources ?? []), from: pair.from },
  });
  announce(unit, pair.into);
}

/**
 * What a contact brings along, by the matters that say it. Of a contact behind walls, that is also its name and what
 * was entered there.
 */
async function bringAlong(
  unit: Unit,
  into: store.ContactRow,
  from: store.ContactRow,
): Promise<Gained> {
  const all = await listSources(unit.trx, [from.id]);
  const own = all.find(({ caseId }) => caseId === null) ?? nothing;
  const names = rules
    .joinNames([from.name], own.otherNames)
    .filter((name) => !isNameOf(into, name));
  const base = { ...saidIn(own), otherNames: names };
  const cases = from.is_walled ? await merges.listCases(unit.trx, from.id) : [null];
  return [
    ...cases.map((caseId) => ({ caseId, isWalled: caseId !== null, said: base })),
    ...all.flatMap(({ caseId, isWalled, ...source }) =>
      caseId === null ? [] : [{ caseId, isWalled, said: saidIn(source) }],
    ),
  ].map((one) => ({ ...one, said: { ...one.said, address: null, organisation: null } }));
}

/** Gives back what the other contact had. @throws Refusal notPermitted, notFound, invalidInput, conflict */
export async function unmergeContacts(
  context: ActorContext,
  id: string,
  from: string,
): Promise<Contact> {
  allowWriting(context.actor);
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
  // Earlier versions did not say which matter it came from.
  const gained = moved.gained ? [{ said: { ...nothing, ...moved.gained } }] : [];
  await merges.setAnswering(unit.trx, pair.from, null);
  await merges.giveBackParties(unit.trx, pair, moved);
  await links.deleteLinks(unit.trx, moved.linksAfter);
  await links.insertLinks(unit.trx, moved.linksBefore);
  await mergeFollower.of(context).giveBack(unit, pair, moved.intakes);
  await lose(unit, pair.into, moved.sources ?? gained);
  await showAgain(unit, pair.from);
  await merges.markUndone(unit.trx, merge.id);
  await unit.record({ ...about(pair.into), action: 'unmerged', after: { from: pair.from } });
  for (const id of [pair.into, pair.from]) announce(unit, id);
}

async function readMerged(context: ActorContext, id: string): Promise<Contact> {
  return store.toContact(await requireContact(asActor(context), id));
}

/** Single members stay; the name of the other becomes another name. */
function isNameOf({ name }: store.ContactRow, other: string): boolean {
  return rules.nameKey(name) === rules.nameKey(other);
}

/** Members that a merge has changed, as the audit log keeps them. */
function membersOf(gained: Lost): Partial<Said> {
  const all = together(
    gained.map(({ said }) => said),
    [],
  );
  const members = (['otherNames', 'emails', 'phoneNumbers'] as const).filter(
    (member) => all[member].length > 0,
  );
  return Object.fromEntries(members.map((member) => [member, all[member]]));
}

async function moveLinks(unit: Unit, { into, from }: { into: string; from: string }) {
  const linksBefore = await links.linksOf(unit.trx, from);
  const own = await links.linksOf(unit.trx, into);
  const keyOf = ({ contact_id, linked_id, relation }: links.LinkRow) =>
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
  await links.deleteLinks(unit.trx, linksBefore);
  await links.insertLinks(unit.trx, linksAfter);
  return { linksBefore, linksAfter };
}
