// Looks and records of conflict checks; what is decided about hits is in `service.deciding.ts`.

import type { AskedName, Check, Hit, Look, NewCheck } from '@matterdesk/contract/conflicts.ts';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { type ActorContext, type Context, asActor, write } from '../../../context.ts';
import { isId } from '../../../core/ids.ts';
import type { Once } from '../../../core/once.ts';
import { invalidField, notFound } from '../../../core/refusal.ts';
import type { Scoped } from '../../../db/schema.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { cutPage, describeTotal, readCursor, type PageQuery } from '../../../http/paging.ts';
import { noteCheck } from '../../intakes/service.record.ts';
import { type Subject, countSources, searchNames } from './service.finding.ts';
import { readCheckRecord, readCheckRecords } from './service.records.ts';
import { showHits } from './service.showing.ts';
import {
  findIntakeNames,
  findParties,
  listAddedParties,
  listVisibleCases,
  listVisibleIntakes,
} from './store.facts.ts';
import * as store from './store.ts';

type About = { caseId?: string | null | undefined; intakeId?: string | null | undefined };

/** Hits of one name: on the screen while it is typed, and in a record. */
const LOOK_MOST = 20;
const CHECK_MOST = 100;
/** Checks hold all their hits. */
const PAGE = 20;
const WHY = 'a check is run for all names of its matter';
const NUMBER = /^\d{1,9}$/;

/** What the names meet. Kept is only who asked, and how many. @throws Refusal invalidInput */
export async function previewCheck(
  context: ActorContext,
  { names, ...about }: Look,
): Promise<Hit[]> {
  const subject = await subjectOf(asActor(context), about);
  const found = await searchNames(context, { names, subject, withTexts: false, most: LOOK_MOST });
  const hits = await showHits(context, context.actor, { hits: found });
  const hidden = hits.filter(({ severity }) => severity === 'hidden').length;
  const after = { names: names.length, hits: hits.length, hidden };
  await write(context, (unit) =>
    unit.record({ ...aboutSubject(subject), entityId: null, action: 'looked', after }),
  );
  return hits;
}

/** Runs a check and keeps it. @throws Refusal invalidInput */
export async function runCheck(
  context: ActorContext,
  input: NewCheck,
  once?: Once,
): Promise<Check> {
  const subject = await subjectOf(asActor(context), input);
  const id = await write(
    context,
    (unit) =>
      keepCheck(context, unit, { by: context.actor, asked: { ...input, subject, rerunOf: null } }),
    once && { ...once, again: (trx, first) => findVisibleCheck(trx, first) },
  );
  return readCheckRecord(context, context.actor, await findVisibleCheck(asActor(context), id));
}

/** Runs a check within a transaction. @returns its id */
export async function keepCheck(
  context: Context,
  unit: Unit,
  { by, asked }: { by: { id: string } | null; asked: AskedCheck },
): Promise<string> {
  const hits = await findCheckHits(context, asked);
  const searched = await countSources(context, asked.texts);
  return keepFoundHits(unit, by, { ...asked, hits, searched });
}

export function findCheckHits(context: Context, { names, subject, texts: withTexts }: AskedCheck) {
  return searchNames(context, { names, subject, withTexts, most: CHECK_MOST });
}

/** Keeps what a check has found. @returns its id */
export async function keepFoundHits(
  unit: Unit,
  by: { id: string } | null,
  found: FoundCheck,
): Promise<string> {
  const { names, texts: withTexts, subject, rerunOf, hits, searched } = found;
  const row = { by: by?.id ?? null, ...subject, names, withTexts, searched, hits, rerunOf };
  const entityId = await store.insertCheck(unit.trx, row);
  const after = { names: names.length, hits: hits.length };
  await unit.record({ ...aboutSubject(subject), entityId, action: 'created', after });
  if (subject.intakeId !== null)
    await noteCheck(unit, subject.intakeId, { by: by?.id ?? null, text: 'opened' });
  return entityId;
}

/** The names that were asked, and today's of the subject. */
export async function withNamesOf(
  context: Context,
  { caseId, intakeId }: Subject,
  names: AskedName[],
): Promise<AskedName[]> {
  const db = context.db.asSystem(WHY);
  const row = caseId === null ? undefined : await findParties(db, caseId);
  const intake = intakeId === null ? undefined : await findIntakeNames(db, intakeId);
  const asked = new Set(names.map(({ name }) => name.toLowerCase()));
  const added = caseId === null ? [] : await listAddedParties(db, caseId);
  const today = [...(row ? toAsked(row) : []), ...added, ...(intake ? ofIntake(intake) : [])];
  return [...names, ...today.filter(({ name }) => !asked.has(name.toLowerCase()))];
}

async function subjectOf(db: Scoped, { caseId, intakeId }: About): Promise<Subject> {
  if (caseId && intakeId) throw invalidField('intakeId', 'Name a case or an intake, not both');
  if (caseId && (!isId(caseId) || !(await listVisibleCases(db, [caseId])).has(caseId)))
    throw invalidField('caseId', 'Please select any case');
  if (intakeId && (!isId(intakeId) || !(await listVisibleIntakes(db, [intakeId])).has(intakeId)))
    throw invalidField('intakeId', 'Please select any intake');
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
    store.countChecks(db, filter, TOTAL_CAP + 1),
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

type AskedCheck = Pick<NewCheck, 'names' | 'texts'> & { subject: Subject; rerunOf: string | null };
type FoundCheck = AskedCheck & Pick<store.NewCheckRow, 'hits' | 'searched'>;

/** Fields of every audit entry about a check. */
export function aboutSubject({ caseId }: Pick<Subject, 'caseId'>) {
  return { entity: 'conflict', ...(caseId !== null && { caseId }) } as const;
}

type IntakeNames = NonNullable<Awaited<ReturnType<typeof findIntakeNames>>>;

/** The people of an intake, to be checked. */
function ofIntake({ name, email, phone_number: phone, parties }: IntakeNames): AskedName[] {
  const none = { emails: [], phoneNumbers: [], otherNames: [] };
  const emails = email === null ? [] : [email];
  const phoneNumbers = phone === null ? [] : [phone];
  const asks = { name, role: 'client' as const, emails, phoneNumbers, otherNames: [] };
  return [asks, ...parties.map((party) => ({ ...none, ...party }))];
}

type Parties = NonNullable<Awaited<ReturnType<typeof findParties>>>;

/** The client and the other side of a case, to be checked. */
function toAsked(row: Parties): AskedName[] {
  const counsel = { emails: [row.counsel_email], phoneNumbers: [row.counsel_phone_number] };
  const client = { emails: [row.client_email], phoneNumbers: [row.client_phone_number] };
  const named: AskedName[] = [
    { name: row.client_name, role: 'client', ...client, otherNames: [] },
    { name: row.counsel_name, role: 'opposingCounsel', ...counsel, otherNames: [] },
    { name: row.counsel_organization, role: 'opposingCounsel', ...counsel, otherNames: [] },
  ];
  return named.filter(({ name }) => name !== '');
}
