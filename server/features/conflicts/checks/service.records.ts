// Records of checks, on the screen and as PDF, with the hits and decisions that the reader's walls allow.

import type { Readable } from 'node:stream';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Check, Hit, HitMatch, MadeDecision } from '@matterdesk/contract/conflicts.ts';
import type { Context } from '../../../context.ts';
import { fullName } from '../../../core/actor.ts';
import { minuteInUtc } from '../../../core/dates.ts';
import type { Scoped } from '../../../db/schema.ts';
import type { Entry, Heading } from '../../../integrations/pdf/transcript.ts';
import { listWallManagers } from '../../access/service.ts';
import { identifiersOf } from '../matching/rules.names.ts';
import * as rules from './rules.ts';
import * as facts from './store.facts.ts';
import * as store from './store.ts';

/** Runs of a check that are searched for earlier decisions. */
const MAX_RUNS = 20;

/** The user who reads a record. Their access of today counts. */
type Reader = { id: string };
type DecisionChange = { decisions: MadeDecision[]; before: MadeDecision[] };

const WHY = 'a hidden hit says whom to ask';

export async function readCheckRecord(
  context: Context,
  reader: Reader,
  row: store.CheckRow,
): Promise<Check> {
  const [check] = await readCheckRecords(context, reader, [row]);
  if (!check) throw new Error('a check was lost');
  return check;
}

export async function readCheckRecords(
  context: Context,
  reader: Reader,
  rows: store.CheckRow[],
): Promise<Check[]> {
  const db = context.db.as(reader);
  const [entries, earlier, sight] = await Promise.all([
    entriesByCheck(
      db,
      rows.map(({ id }) => id),
    ),
    findEarlierDecisions(db, rows),
    findSight(
      context,
      reader,
      rows.flatMap(({ hits }) => hits),
    ),
  ]);
  return rows.map((row) => {
    const own = entries.get(row.id) ?? [];
    const before = earlier.get(row.id);
    const made = decisionsByHit(own);
    const hits = hitsInSight(row.hits, sight, (hit) => ({
      decisions: made.get(hit.id) ?? [],
      before: before?.get(rules.keyOf(row.names[hit.name]?.name ?? '', hit)) ?? [],
    }));
    return toCheck(row, own, { hits, answers: answersTo(hits, made) });
  });
}

async function entriesByCheck(db: Scoped, ids: string[]): Promise<Map<string, store.EntryRow[]>> {
  return Map.groupBy(await store.listEntries(db, ids), (entry) => entry.check_id);
}

/** Decisions of earlier runs by check, each by the asked name and the found name. */
async function findEarlierDecisions(db: Scoped, rows: store.CheckRow[]) {
  const found = new Map(rows.map(({ id }) => [id, new Map<string, MadeDecision[]>()]));
  let steps = rows.map(({ id, rerun_of: previous }) => ({ id, previous }));
  for (let run = 0; run < MAX_RUNS; run += 1) {
    const ids = [...new Set(steps.flatMap(({ previous }) => previous ?? []))];
    if (ids.length === 0) break;
    const [checks, entries] = await Promise.all([
      store.listChecksById(db, ids),
      entriesByCheck(db, ids),
    ]);
    steps = steps.flatMap(({ id, previous }) => {
      const earlier = checks.find((check) => check.id === previous);
      if (!earlier) return [];
      addDecisions(found.get(id), earlier, entries.get(earlier.id));
      return [{ id, previous: earlier.rerun_of }];
    });
  }
  return found;
}

/** Puts the decisions of an earlier run before those of the runs after it. */
function addDecisions(
  found = new Map<string, MadeDecision[]>(),
  { hits, names }: store.CheckRow,
  entries: store.EntryRow[] = [],
): void {
  const made = decisionsByHit(entries);
  for (const hit of hits) {
    const key = rules.keyOf(names[hit.name]?.name ?? '', hit);
    found.set(key, [...(made.get(hit.id) ?? []), ...(found.get(key) ?? [])]);
  }
}

/** Decisions by hit, in the order in which they were made. */
export function decisionsByHit(entries: store.EntryRow[]): Map<string, MadeDecision[]> {
  const made = new Map<string, MadeDecision[]>();
  for (const entry of entries) {
    if (entry.action !== 'decided') continue;
    const { hitIds, ...decision } = entry.body;
    const stamped = { ...decision, by: entry.by, at: entry.at.toISOString() };
    for (const id of hitIds) made.set(id, [...(made.get(id) ?? []), stamped]);
  }
  return made;
}

/** Answers about hidden hits. Decisions of those who see these hits are not for others. */
function answersTo(hits: Hit[], made: Map<string, MadeDecision[]>): Check['answers'] {
  return hits
    .filter(({ severity }) => severity === 'hidden')
    .flatMap(({ id }) => (made.get(id) ?? []).map((one) => ({ ...one, hit: id })))
    .filter(({ decision }) => decision === 'asked');
}

function toCheck(
  row: store.CheckRow,
  entries: store.EntryRow[],
  shown: Pick<Check, 'hits' | 'answers'>,
): Check {
  const { id, number, at, by, names, searched, rerun_of: rerunOf } = row;
  return {
    id,
    number,
    at: at.toISOString(),
    by,
    names,
    subject: subjectOf(row),
    searched,
    ...shown,
    concluded: conclusionOf(entries),
    rerunOf,
    sha256: entries.at(-1)?.hash ?? '',
  };
}

function subjectOf(row: store.CheckRow): Check['subject'] {
  if (row.intake_id !== null)
    return { kind: 'intakes', id: row.intake_id, name: row.intake_name ?? '' };
  if (row.case_id === null) return null;
  return { kind: 'cases', id: row.case_id, name: row.case_name ?? '' };
}

export function conclusionOf(entries: store.EntryRow[]): Check['concluded'] {
  for (const entry of entries) {
    if (entry.action !== 'concluded') continue;
    const by: Person | null = entry.by;
    return { ...entry.body, by, at: entry.at.toISOString() };
  }
  return null;
}

/** Hits that the reader may see, and hidden ones that they may ask about. */
export async function showHits(
  context: Context,
  reader: Reader,
  hits: rules.StoredHit[],
): Promise<Hit[]> {
  const undecided = () => ({ decisions: [], before: [] });
  return hitsInSight(hits, await findSight(context, reader, hits), undecided);
}

/** The hits that a reader may see, and whom they may ask about the hidden ones. */
type Sight = { visible: Set<rules.StoredHit>; ask: Map<rules.StoredHit, Person[]> };

async function findSight(
  context: Context,
  reader: Reader,
  hits: rules.StoredHit[],
): Promise<Sight> {
  const behind = await findWalledSources(context, reader, hits);
  const visible = await findVisible(
    context,
    reader,
    hits.filter((hit) => !behind.has(hit)),
  );
  const hidden = hits.filter((hit) => !visible.has(hit) && rules.isDisclosed(hit));
  return { visible, ask: await findPeopleToAsk(context, reader, { hits: hidden, behind }) };
}

function hitsInSight(
  hits: rules.StoredHit[],
  { visible, ask }: Sight,
  decidedOf: (hit: rules.StoredHit) => DecisionChange,
): Hit[] {
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

/** Hits that the reader may see. */
async function findVisible(
  context: Context,
  reader: Reader,
  hits: rules.StoredHit[],
): Promise<Set<rules.StoredHit>> {
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
 * Hits by an address or number of a contact that only walled matters contain, none of which the reader sees, with these
 * matters.
 */
async function findWalledSources(
  context: Context,
  reader: Reader,
  hits: rules.StoredHit[],
): Promise<Map<rules.StoredHit, string[]>> {
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
    facts.listWalledAddresses(context.db.asSystem(WHY), ids),
    facts.listWalledAddresses(db, ids),
    facts.listSharedAddresses(db, ids),
  ]);
  const ofContact = Map.groupBy(walled, (way) => way.contact_id);
  const seenOfContact = Map.groupBy([...own, ...shared], (way) => way.contact_id);
  return new Map(
    asked.flatMap(({ hit, identifier, contactId }) => {
      const holds = (way: (typeof own)[number] | (typeof shared)[number]) =>
        identifiersOf({ ...way, phoneNumbers: way.phone_numbers }).includes(identifier);
      const cases = (ofContact.get(contactId) ?? []).filter(holds).map((way) => way.case_id);
      const isSeen = cases.length > 0 && (seenOfContact.get(contactId) ?? []).some(holds);
      return cases.length > 0 && !isSeen ? [[hit, cases] as const] : [];
    }),
  );
}

/** People to ask about each hidden hit. */
async function findPeopleToAsk(
  context: Context,
  reader: Reader,
  { hits, behind }: { hits: rules.StoredHit[]; behind: Map<rules.StoredHit, string[]> },
): Promise<Map<rules.StoredHit, Person[]>> {
  if (hits.length === 0) return new Map();
  const casesOf = (hit: rules.StoredHit) => behind.get(hit) ?? [hit.found.case?.id ?? ''];
  const caseIds = [...new Set(hits.flatMap(casesOf).filter((id) => id !== ''))];
  const ownerIds = [...new Set(hits.flatMap(({ of }) => of.ownerId ?? []))];
  const intakeIds = [...new Set(hits.flatMap(({ found }) => found.intake?.id ?? []))];
  const [insiders, owners, managers, intakes] = await Promise.all([
    facts.listInsiders(context.db.asSystem(WHY), caseIds),
    facts.listPeople(context.db.asSystem(WHY), ownerIds),
    listWallManagers(context.db.asSystem(WHY)),
    facts.listIntakes(context.db.asSystem(WHY), intakeIds),
  ]);
  const insidersOf = Map.groupBy(insiders, (person) => person.case_id);
  const ownersOf = Map.groupBy(owners, ({ id }) => id);
  const intakesOf = Map.groupBy(intakes, ({ id }) => id);
  return new Map(
    hits.map((hit) => {
      const { found, of } = hit;
      const people = of.ownerId
        ? (ownersOf.get(of.ownerId) ?? [])
        : [
            ...[...new Set(casesOf(hit))].toSorted().flatMap((id) => insidersOf.get(id) ?? []),
            ...(intakesOf.get(found.intake?.id ?? '') ?? []).flatMap(toOwner),
          ].filter(({ id }) => id !== reader.id);
      const asked = (people.length > 0 ? people : managers.slice(0, facts.MAX_ASKED)).map(toPerson);
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

// A check as PDF, with what its reader may see.

export function printCheck(context: Context, check: Check): Readable {
  return context.paper.write(headingOf(check), batch(check.hits.map((hit) => toEntry(check, hit))));
}

export function pdfNameOf({ number }: Check): string {
  return `Conflict check ${number}.pdf`;
}

function headingOf(check: Check): Heading {
  const { number, at, by, names, subject, searched, concluded, sha256 } = check;
  const counts = searched.map(({ source, count }) => `${inWords(source)} ${count}`).join(', ');
  const facts = [
    ['About', subject?.name],
    ['Run', `${minuteInUtc(at)}${byOf(by)}`],
    ...names.map(({ name, role }) => [role ? inWords(role) : 'Name', name] as const),
    ['Searched', counts],
    [
      'Outcome',
      concluded
        ? `${inWords(concluded.outcome)}, ${minuteInUtc(concluded.at)}${byOf(concluded.by)}: ${concluded.reason}`
        : 'Not concluded',
    ],
    ['SHA-256', sha256],
  ] as const;
  return {
    title: `Conflict check ${number}`,
    facts: facts.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])),
    ending: { of: 'conflict check', entries: 'hits' },
  };
}

const matchNames: Record<HitMatch, string> = {
  identifier: 'Same phone number or email',
  exact: 'Same name',
  nickname: 'Nickname',
  phonetic: 'Sounds alike',
  fuzzy: 'Similar spelling',
  partial: 'Part of the name',
  linked: 'Linked contact',
};

function toEntry({ names, answers }: Check, hit: Hit): Entry {
  const asked = names[hit.name]?.name ?? '';
  if (hit.severity === 'hidden') {
    const people = hit.ask.map(fullName).join(', ');
    const notes = answers.filter((answer) => answer.hit === hit.id).map(decisionInWords);
    return { head: `Hidden · ${asked}`, body: `Ask ${people}`, notes };
  }
  const notes = [
    ...hit.before.map((one) => `Before: ${decisionInWords(one)}`),
    ...hit.decisions.map(decisionInWords),
  ];
  const { found, reason, severity, match } = hit;
  const place =
    found.case?.caseName ?? found.intake?.name ?? found.file?.name ?? inWords(found.source);
  const body = `${found.name}, ${inWords(found.role)}, ${place}\n${reason}`;
  return { head: `${inWords(severity)} · ${matchNames[match]} · ${asked}`, body, notes };
}

function decisionInWords({ decision, reason, by, at }: MadeDecision): string {
  return `${inWords(decision)}, ${minuteInUtc(at)}${byOf(by)}: ${reason}`;
}

/** `Opposing party` for `opposingParty`; leaves other texts as they are. */
function inWords(name: string): string {
  if (!/^[a-z]+(?:[A-Z][a-z]*)*$/.test(name)) return name;
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function byOf(person: Person | null): string {
  return person ? ` by ${fullName(person)}` : '';
}

async function* batch(entries: Entry[]): AsyncGenerator<Entry[]> {
  yield entries;
}
