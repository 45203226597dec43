// What a reader sees of hits.

import type { Person } from '@matterdesk/contract/cases.ts';
import type { Hit, MadeDecision } from '@matterdesk/contract/conflicts.ts';
import { type Context, perContext } from '../../../context.ts';
import { identifiersOf } from '../names/rules.ts';
import * as rules from './rules.ts';
import * as facts from './store.facts.ts';

/** The user who reads a record; their walls of today decide. */
type Reader = { id: string };
export type Decided = { decisions: MadeDecision[]; before: MadeDecision[] };

const WHY = 'a hidden hit says whom to ask';

const systemOf = perContext((context) => context.db.asSystem(WHY));
/* CONSTRUCTOR
this.#system = db.asSystem(WHY);
*/

/**
 * Hits that the reader may see, those that they may ask about, and none of the others.
 * @param decidedOf what was decided about a hit
 */
export async function showHits(
  context: Context,
  reader: Reader,
  {
    hits,
    decidedOf = () => ({ decisions: [], before: [] }),
  }: { hits: rules.KeptHit[]; decidedOf?: (hit: rules.KeptHit) => Decided },
): Promise<Hit[]> {
  const behind = await casesBehind(context, reader, hits);
  const visible = await visibleIn(
    context,
    reader,
    hits.filter((hit) => !behind.has(hit)),
  );
  const hidden = hits.filter((hit) => !visible.has(hit) && rules.isRevealing(hit));
  const ask = await askedHits(context, reader, { hits: hidden, behind });
  return hits.flatMap((hit): Hit[] => {
    const { id, name } = hit;
    if (!visible.has(hit)) {
      const people = ask.get(hit);
      return people ? [{ id, name, severity: 'hidden', ask: people }] : [];
    }
    const { severity, match, score, found, reason } = hit;
    return [{ id, name, severity, match, score, found, reason, ...decidedOf(hit) }];
  });
}

/** The hits that the reader may see whole. */
async function visibleIn(
  context: Context,
  reader: Reader,
  hits: rules.KeptHit[],
): Promise<Set<rules.KeptHit>> {
  const ids = [...new Set(hits.flatMap(({ found }) => found.case?.id ?? []))];
  const intakeIds = [...new Set(hits.flatMap(({ found }) => found.intake?.id ?? []))];
  const contactIds = [...new Set(hits.flatMap(({ of }) => of.contactIds ?? []))];
  const db = context.db.as(reader);
  const [cases, intakes, contacts] = await Promise.all([
    facts.listVisibleCases(db, ids),
    facts.listVisibleIntakes(db, intakeIds),
    facts.listVisibleContacts(db, contactIds),
  ]);
  return new Set(
    hits.filter(
      ({ found, of }) =>
        (of.ownerId === null || of.ownerId === reader.id) &&
        (found.case === null || cases.has(found.case.id)) &&
        (found.intake === null || found.case !== null || intakes.has(found.intake.id)) &&
        (of.contactIds ?? []).every((id) => contacts.has(id)),
    ),
  );
}

/**
 * Hits by an address or a number that only walled matters say of the contact, none of which the reader sees, with
 * these matters.
 */
async function casesBehind(
  context: Context,
  reader: Reader,
  hits: rules.KeptHit[],
): Promise<Map<rules.KeptHit, string[]>> {
  const asked = hits.flatMap((hit) => {
    const [identifier, contactId] = [rules.identifierOf(hit), hit.of.contactIds?.[0]];
    return identifier !== undefined && contactId !== undefined
      ? [{ hit, identifier, contactId }]
      : [];
  });
  if (asked.length === 0) return new Map();
  const ids = [...new Set(asked.map(({ contactId }) => contactId))];
  const db = context.db.as(reader);
  const [walled, own, shared] = await Promise.all([
    facts.listWalledWays(systemOf(context), ids),
    facts.listWalledWays(db, ids),
    facts.listSharedWays(db, ids),
  ]);
  const seen = [...own, ...shared];
  return new Map(
    asked.flatMap(({ hit, identifier, contactId }) => {
      const holds = (way: (typeof seen)[number]) =>
        way.contact_id === contactId &&
        identifiersOf({ ...way, phoneNumbers: way.phone_numbers }).includes(identifier);
      const cases = walled.filter(holds).map((way) => way.case_id);
      return cases.length > 0 && !seen.some(holds) ? [[hit, cases] as const] : [];
    }),
  );
}

async function askedHits(
  context: Context,
  reader: Reader,
  { hits, behind }: { hits: rules.KeptHit[]; behind: Map<rules.KeptHit, string[]> },
): Promise<Map<rules.KeptHit, Person[]>> {
  if (hits.length === 0) return new Map();
  const casesOf = (hit: rules.KeptHit) => behind.get(hit) ?? [hit.found.case?.id ?? ''];
  const caseIds = [...new Set(hits.flatMap(casesOf).filter((id) => id !== ''))];
  const ownerIds = [...new Set(hits.flatMap(({ of }) => of.ownerId ?? []))];
  const intakeIds = [...new Set(hits.flatMap(({ found }) => found.intake?.id ?? []))];
  const [insiders, owners, managers, intakes] = await Promise.all([
    facts.listInsiders(systemOf(context), caseIds),
    facts.listPeople(systemOf(context), ownerIds),
    facts.listWallManagers(systemOf(context)),
    facts.listIntakes(systemOf(context), intakeIds),
  ]);
  return new Map(
    hits.map((hit) => {
      const { found, of } = hit;
      const people = of.ownerId
        ? owners.filter(({ id }) => id === of.ownerId)
        : [
            ...insiders.filter((person) => casesOf(hit).includes(person.case_id)),
            ...intakes.filter(({ id }) => id === found.intake?.id).flatMap(toOwner),
          ].filter(({ id }) => id !== reader.id);
      const asked = (people.length > 0 ? people : managers).map(toPerson);
      return [hit, asked];
    }),
  );
}

function toPerson({ id, firstName, lastName }: Person): Person {
  return { id, firstName, lastName };
}

type IntakeRow = Awaited<ReturnType<typeof facts.listIntakes>>[number];

function toOwner({ owner_id: id, first_name, last_name }: IntakeRow): Person[] {
  return id === null ? [] : [{ id, firstName: first_name ?? '', lastName: last_name ?? '' }];
}
