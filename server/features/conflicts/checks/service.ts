// Conflict checks: previews, records, decisions about hits, and conclusions.

import type { AccessChange } from '@matterdesk/contract/access.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import type {
  AskedName,
  Check,
  Hit,
  NameSearch,
  NewCheck,
  Conclusion,
  NewDecision,
} from '@matterdesk/contract/conflicts.ts';
import { type ActorContext, type Context, asActor, hook, write } from '../../../context.ts';
import { allow } from '../../../core/actor.ts';
import type { IdempotencyKey } from '../../../core/idempotency-key.ts';
import { isId } from '../../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../../core/refusal.ts';
import type { Scoped } from '../../../db/schema.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { cutPage, describeTotal, readCursor, type PageQuery } from '../../../http/paging.ts';
import { applyAccess, readAccess } from '../../access/service.ts';
import { nonEmpty } from '../names/rules.ts';
import * as rules from './rules.ts';
import {
  readCheckRecord,
  readCheckRecords,
  conclusionOf,
  decisionsByHit,
  showHits,
} from './service.records.ts';
import { type Find, type Subject, countSources, searchNames } from './service.search.ts';
import {
  findIntakeNames,
  findParties,
  listAddedParties,
  listVisibleCases,
  listVisibleIntakes,
  hasFile,
  listActivePeople,
} from './store.facts.ts';
import * as store from './store.ts';

type MatterOfCheck = { caseId?: string | null | undefined; intakeId?: string | null | undefined };

type AskedCheck = Pick<NewCheck, 'names' | 'texts'> & { subject: Subject; rerunOf: string | null };
type FoundCheck = AskedCheck & Pick<store.NewCheckRow, 'by' | 'hits' | 'searched'>;

/** Hits per name, in a preview while it is typed and in a record. */
const MAX_PREVIEW_HITS = 20;
export const MAX_CHECK_HITS = 100;
/** Small, since checks hold all their hits. */
const PAGE = 20;
const WHY = 'a check is run for all names of its matter';
const NUMBER = /^\d{1,9}$/;

/** A check of an intake was saved, decided or concluded; in the transaction. */
export const checkChanged =
  hook<[unit: Unit, intakeId: string, entry?: { by: string | null; text: string }]>();

/** Finds hits without keeping them. The audit log has only the user and the numbers. @throws Refusal invalidInput */
export async function previewCheck(
  context: ActorContext,
  { names, ...about }: NameSearch,
): Promise<Hit[]> {
  const subject = await subjectOf(asActor(context), about);
  const found = await searchNames(context, {
    names,
    subject,
    withTexts: false,
    most: MAX_PREVIEW_HITS,
  });
  const hits = await showHits(context, context.actor, found);
  const hidden = hits.filter(({ severity }) => severity === 'hidden').length;
  const after = { names: names.length, hits: hits.length, hidden };
  await write(context, (unit) =>
    unit.record({ ...aboutSubject(subject), entityId: null, action: 'looked', after }),
  );
  return hits;
}

/** Runs a check and saves it. @throws Refusal invalidInput */
export async function runCheck(
  context: ActorContext,
  input: NewCheck,
  once?: IdempotencyKey,
): Promise<Check> {
  const subject = await subjectOf(asActor(context), input);
  const id = await write(
    context,
    (unit) => saveCheck(context, unit, { ...input, subject, rerunOf: null }),
    once && { ...once, requireVisible: (trx, first) => findVisibleCheck(trx, first) },
  );
  return readCheckRecord(context, context.actor, await findVisibleCheck(asActor(context), id));
}

/** Runs a check in the caller's transaction. @returns its id */
async function saveCheck(context: ActorContext, unit: Unit, asked: AskedCheck): Promise<string> {
  const hits = await findCheckHits(context, asked);
  const searched = await countSources(context, asked.texts);
  return saveFoundHits(context, unit, { ...asked, by: context.actor.id, hits, searched });
}

export function findCheckHits(
  context: Context,
  { names, subject, texts: withTexts }: AskedCheck,
  find?: Find,
) {
  return searchNames(context, { names, subject, withTexts, most: MAX_CHECK_HITS, find });
}

/** Saves a check with its hits. @returns its id */
export async function saveFoundHits(
  context: Context,
  unit: Unit,
  found: FoundCheck,
): Promise<string> {
  const { by, names, texts: withTexts, subject, rerunOf, hits, searched } = found;
  const row = { by, ...subject, names, withTexts, searched, hits, rerunOf };
  const entityId = await store.insertCheck(unit.trx, row);
  const after = { names: names.length, hits: hits.length };
  await unit.record({ ...aboutSubject(subject), entityId, action: 'created', after });
  if (subject.intakeId !== null)
    await checkChanged.run(context, unit, subject.intakeId, { by, text: 'opened' });
  return entityId;
}

/** The asked names, and those of the subject today. */
export async function addSubjectNames(
  context: Context,
  { caseId, intakeId }: Subject,
  names: AskedName[],
): Promise<AskedName[]> {
  const db = context.db.asSystem(WHY);
  const row = caseId === null ? undefined : await findParties(db, caseId);
  const intake = intakeId === null ? undefined : await findIntakeNames(db, intakeId);
  const asked = new Set(names.map(({ name }) => name.toLowerCase()));
  const added = caseId === null ? [] : await listAddedParties(db, caseId);
  const today = [
    ...(row ? askedOfCase(row) : []),
    ...added,
    ...(intake ? askedOfIntake(intake) : []),
  ];
  return [...names, ...today.filter(({ name }) => !asked.has(name.toLowerCase()))];
}

async function subjectOf(db: Scoped, { caseId, intakeId }: MatterOfCheck): Promise<Subject> {
  if (caseId && intakeId) throw invalidField('intakeId', 'Name a case or an intake, not both');
  if (caseId && (!isId(caseId) || !(await listVisibleCases(db, [caseId])).has(caseId)))
    throw invalidField('caseId', 'Please select any case');
  if (intakeId && (!isId(intakeId) || !(await listVisibleIntakes(db, [intakeId])).has(intakeId)))
    throw invalidField('intakeId', 'Select an intake');
  return { caseId: caseId ?? null, intakeId: intakeId ?? null };
}

/** One page, newest first. */
export async function listChecks(context: ActorContext, query: store.CheckFilter & PageQuery) {
  const { limit = PAGE, cursor, ...filter } = query;
  const [after] = cursor ? readCursor(cursor, [NUMBER]) : [];
  const db = asActor(context);
  const below = after === undefined ? undefined : Number(after);
  const [rows, total] = await Promise.all([
    store.listChecks(db, filter, { limit: limit + 1, after: below }),
    store.countChecks(db, filter),
  ]);
  const { page, nextCursor } = cutPage(rows, limit, (row) => [String(row.number)]);
  const checks = await readCheckRecords(context, context.actor, page);
  return { checks, nextCursor, ...describeTotal(total) };
}

/** @throws Refusal notFound */
export async function readCheck(context: ActorContext, id: string): Promise<Check> {
  const row = await findVisibleCheck(asActor(context), id);
  return readCheckRecord(context, context.actor, row);
}

async function findVisibleCheck(db: Scoped, id: string): Promise<store.CheckRow> {
  const row = isId(id) ? await store.findCheck(db, id) : undefined;
  if (!row) throw notFound('Conflict check');
  return row;
}

/** Fields of every audit entry about a check. */
export function aboutSubject({ caseId }: Pick<Subject, 'caseId'>) {
  return { entity: 'conflict', ...(caseId !== null && { caseId }) } as const;
}

type IntakeNames = NonNullable<Awaited<ReturnType<typeof findIntakeNames>>>;

/** People of an intake. */
function askedOfIntake({ name, email, phone_number: phone, parties }: IntakeNames): AskedName[] {
  const none = { emails: [], phoneNumbers: [], otherNames: [] };
  const ways = { emails: nonEmpty(email), phoneNumbers: nonEmpty(phone) };
  const asks = { name, role: 'client' as const, ...ways, otherNames: [] };
  return [asks, ...parties.map((party) => ({ ...none, ...party }))];
}

type Parties = NonNullable<Awaited<ReturnType<typeof findParties>>>;

/** The client and the opposing counsel of a case. */
function askedOfCase(row: Parties): AskedName[] {
  const counsel = {
    emails: nonEmpty(row.counsel_email),
    phoneNumbers: nonEmpty(row.counsel_phone_number),
  };
  const client = {
    emails: nonEmpty(row.client_email),
    phoneNumbers: nonEmpty(row.client_phone_number),
  };
  const named: AskedName[] = [
    { name: row.client_name, role: 'client', ...client, otherNames: [] },
    { name: row.counsel_name, role: 'opposingCounsel', ...counsel, otherNames: [] },
    { name: row.counsel_organization, role: 'opposingCounsel', ...counsel, otherNames: [] },
  ];
  return named.filter(({ name }) => name !== '');
}

/**
 * Adds a decision about hits of a check. Screened users lose access to its subject at once.
 * @throws Refusal notPermitted, notFound, invalidInput, conflict for a concluded check
 */
export async function decideHits(
  context: ActorContext,
  id: string,
  { decision, once }: { decision: NewDecision; once: IdempotencyKey | undefined },
): Promise<Check> {
  allow(context.actor, 'clearConflicts');
  const row = await findVisibleCheck(asActor(context), id);
  await requireValidDecision(context, row, decision);
  const screened = await findPeople(context, decision.screened);
  const { hitIds, decision: made, reason, url = null } = decision;
  const wall = made === 'wall' ? wallOf(row) : null;
  const asked = wall && (await toAccessChange(context, { wall, screened, reason }));
  const decide = async (unit: Unit) => {
    await requireOpenCheck(unit, row);
    const body = { hitIds, decision: made, reason, url, screened };
    await store.insertEntry(unit.trx, id, { by: context.actor.id, action: 'decided', body });
    const after = { decision: made, hits: hitIds.length };
    const about = aboutSubject({ caseId: row.case_id });
    await unit.record({ ...about, entityId: id, action: 'decided', after });
    if (asked) await applyAccess(unit, context.actor, asked);
    if (row.intake_id !== null) await checkChanged.run(context, unit, row.intake_id);
    return null;
  };
  await write(context, decide, once);
  // Also for those who screened themselves.
  return readCheckRecord(context, context.actor, row);
}

async function requireValidDecision(
  context: ActorContext,
  row: store.CheckRow,
  input: NewDecision,
): Promise<void> {
  const hits = row.hits.filter(({ id }) => input.hitIds.includes(id));
  const shown = await showHits(context, context.actor, hits);
  const known = new Map(shown.map((hit) => [hit.id, hit]));
  if (input.hitIds.some((hitId) => !known.has(hitId)))
    throw invalidField('hitIds', 'Select a match');
  const isAsked = input.decision === 'asked';
  if (shown.some(({ severity }) => (severity === 'hidden') !== isAsked))
    throw invalidField(
      'decision',
      isAsked ? 'Only a hidden hit is decided by asking' : 'A hidden hit is decided by asking',
    );
  if (input.decision === 'waiver' && !(await hasFile(asActor(context), input.url ?? '')))
    throw invalidField('url', 'Please attach the waiver');
  if (input.decision !== 'wall') return;
  if (!wallOf(row)) throw invalidField('decision', 'This check has no matter to wall off');
  if (input.screened.length === 0) throw invalidField('screened', 'Please select any user');
}

async function findPeople(context: Context, ids: string[]): Promise<Person[]> {
  if (ids.length === 0) return [];
  const people = await listActivePeople(context.db.asSystem(WHY), ids.filter(isId));
  if (people.length < new Set(ids).size) throw invalidField('screened', 'Please select any user');
  return people;
}

/** @throws Refusal notPermitted, notFound, conflict while hits have no decision, or when it was concluded */
export async function concludeCheck(
  context: ActorContext,
  id: string,
  conclusion: Conclusion,
): Promise<Check> {
  allow(context.actor, 'clearConflicts');
  const row = await findVisibleCheck(asActor(context), id);
  await write(context, async (unit) => {
    await requireOpenCheck(unit, row);
    const left = await countUndecided(context, unit, row);
    if (left > 0)
      throw new Refusal(
        'conflict',
        left === 1 ? '1 hit has no decision' : `${left} hits have no decision`,
      );
    await store.insertEntry(unit.trx, id, {
      by: context.actor.id,
      action: 'concluded',
      body: conclusion,
    });
    const about = aboutSubject({ caseId: row.case_id });
    const after = { outcome: conclusion.outcome };
    await unit.record({ ...about, entityId: id, action: 'concluded', after });
    const text = conclusion.outcome;
    if (row.intake_id !== null)
      await checkChanged.run(context, unit, row.intake_id, { by: context.actor.id, text });
  });
  return readCheck(context, id);
}

/** Counts hits that need a decision and have none. Only an answer decides a hidden hit. */
async function countUndecided(
  context: ActorContext,
  unit: Unit,
  row: store.CheckRow,
): Promise<number> {
  const made = decisionsByHit(await store.listEntries(unit.trx, [row.id]));
  const shown = await showHits(context, context.actor, row.hits);
  const isDecided = ({ id, severity }: Hit) =>
    (made.get(id) ?? []).some(({ decision }) => severity !== 'hidden' || decision === 'asked');
  return shown.filter((hit) => rules.needsDecision(hit) && !isDecided(hit)).length;
}

async function requireOpenCheck(unit: Unit, row: store.CheckRow): Promise<void> {
  await store.lockChecks(unit.trx);
  if (conclusionOf(await store.listEntries(unit.trx, [row.id])))
    throw new Refusal('conflict', 'Run it again');
}

/** Runs a check again with the same names and those of the subject today. @throws Refusal notFound */
export async function rerunCheck(
  context: ActorContext,
  id: string,
  once?: IdempotencyKey,
): Promise<Check> {
  const row = await findVisibleCheck(asActor(context), id);
  const subject = { caseId: row.case_id, intakeId: row.intake_id };
  const names = await addSubjectNames(context, subject, row.names);
  const asked = { names, texts: row.with_texts, subject, rerunOf: row.id };
  const run = (unit: Unit) => saveCheck(context, unit, asked);
  return readCheck(context, await write(context, run, once));
}

/** The case or intake of a check, as `access` names it. */
function wallOf({ case_id: id, intake_id: intakeId }: store.CheckRow): Screening['wall'] | null {
  if (id !== null) return { kind: 'cases', id };
  return intakeId === null ? null : { kind: 'intakes', id: intakeId };
}

type Screening = {
  wall: { kind: 'cases' | 'intakes'; id: string };
  screened: Person[];
  reason: string;
};

/** The change of access that screens more people from a matter. */
async function toAccessChange(
  context: ActorContext,
  { wall, screened, reason }: Screening,
): Promise<{ matter: Screening['wall']; change: AccessChange }> {
  const now = await readAccess(context, wall);
  const already = now.screened.map((entry) => ({ person: entry.person.id, reason: entry.reason }));
  const added = screened
    .filter(({ id }) => !already.some(({ person }) => person === id))
    .map(({ id }) => ({ person: id, reason }));
  const people = now.people.filter(({ why }) => why === 'added').map(({ person }) => person.id);
  const { mode, updatedAt } = now;
  const change = { mode, people, screened: [...already, ...added], reason, updatedAt };
  return { matter: wall, change };
}
