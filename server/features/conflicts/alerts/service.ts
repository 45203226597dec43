// Alerts: new and changed names that match others, and the decisions about them. Also runs the first check of new cases.

import type { Alert, AlertDecision, Hit, AskedName } from '@matterdesk/contract/conflicts.ts';
import { type ActorContext, asActor, write, type Context } from '../../../context.ts';
import { allow } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../../core/refusal.ts';
import {
  countUnchecked,
  listUnchecked,
  markChecked,
  type UncheckedName,
} from '../../../db/names.ts';
import type { Transaction } from '../../../db/schema.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { JobRun } from '../../../jobs/queue.ts';
import * as checks from '../checks/rules.ts';
import { showHits, decisionsByHit } from '../checks/service.records.ts';
import { countSources, searchNames, type Find } from '../checks/service.search.ts';
import {
  MAX_CHECK_HITS,
  aboutSubject,
  findCheckHits,
  saveFoundHits,
  addSubjectNames,
} from '../checks/service.ts';
import { listContactRoles } from '../checks/store.facts.ts';
import { listChecks, listEntries } from '../checks/store.ts';
import { findAgreements, type Agreement } from '../matching/service.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

type SearchedSources = Awaited<ReturnType<typeof countSources>>;
type Question = { asked: AskedName; subject: rules.Subject; place: string };

/** Cases, or names, that are listed at once. */
const BATCH = 100;
/** Hits per name. */
const MAX_HITS = 20;
/** Runs of a check that are searched for decisions. */
const MAX_RUNS = 20;
/** Milliseconds after which names are counted again. Counting seven hundred thousand takes longer than a check. */
const COUNT_TTL_MS = 60_000;
/** Milliseconds of checks of new cases until new names have their turn: while people are served, each check rests. */
const CHECK_TURN_MS = 5000;
const WHY = 'new names are compared with the names of all matters';

/** Newest first; without clearConflicts those of the caller's own matters. */
export async function listAlerts(context: ActorContext, isDecided: boolean): Promise<Alert[]> {
  const assigned = context.actor.permissions.clearConflicts ? undefined : context.actor.id;
  const rows = await store.listAlerts(asActor(context), { isDecided, assigned });
  return showAlerts(context, rows);
}

/** Leaves out alerts that the reader may not know of. */
async function showAlerts(context: ActorContext, rows: store.AlertRow[]): Promise<Alert[]> {
  const kept = rows.map(({ id, hit }) => ({ ...hit, id, name: 0 }));
  const shown = await showHits(context, context.actor, kept);
  const hits = new Map(shown.map((hit) => [hit.id, hit]));
  return rows.flatMap((row): Alert[] => {
    const hit = hits.get(row.id);
    if (!hit) return [];
    const { id, at, name: asked } = row;
    const decision = decisionFor(hit, row);
    return [{ id, at: at.toISOString(), asked, subject: subjectOf(row), hit, decision }];
  });
}

/** @throws Refusal notPermitted, notFound, invalidInput, conflict for what is decided */
export async function decideAlert(
  context: ActorContext,
  id: string,
  input: AlertDecision,
): Promise<Alert> {
  allow(context.actor, 'clearConflicts');
  const before = await readAlert(context, id);
  const isHidden = before.hit.severity === 'hidden';
  if (isHidden !== (input.decision === 'asked'))
    throw invalidField(
      'decision',
      isHidden ? 'A hidden hit is decided by asking' : 'Only a hidden hit is decided by asking',
    );
  await write(context, async (unit) => {
    const { id: personId, firstName, lastName } = context.actor;
    const decision = {
      ...input,
      url: null,
      screened: [],
      by: { id: personId, firstName, lastName },
      at: new Date().toISOString(),
    };
    if (!(await store.decideAlert(unit.trx, id, decision)))
      throw new Refusal('conflict', 'This alert is decided already');
    const after = { decision: input.decision };
    const { subject } = before;
    const about = aboutSubject({ caseId: subject?.kind === 'cases' ? subject.id : null });
    await unit.record({ ...about, entityId: id, action: 'decided', after });
  });
  return readAlert(context, id);
}

async function readAlert(context: ActorContext, id: string): Promise<Alert> {
  const row = isId(id) ? await store.findAlert(asActor(context), id) : undefined;
  const [alert] = row ? await showAlerts(context, [row]) : [];
  if (!alert) throw notFound('Alert');
  return alert;
}

/** Decisions of those who see a hidden hit are not for others. */
function decisionFor({ severity }: Hit, { decision }: store.AlertRow): Alert['decision'] {
  return severity === 'hidden' && decision?.decision !== 'asked' ? null : decision;
}

function subjectOf(row: store.AlertRow): Alert['subject'] {
  if (row.case_id !== null) return { kind: 'cases', id: row.case_id, name: row.case_name ?? '' };
  if (row.intake_id === null) return null;
  return { kind: 'intakes', id: row.intake_id, name: row.intake_name ?? '' };
}

/** Checks new cases, and raises alerts about new and changed names. */
export async function raiseAlerts(context: Context, { signal }: JobRun): Promise<void> {
  let searched: { at: number; counts: Promise<SearchedSources> } | undefined;
  const count = () => {
    const now = performance.now();
    if (!searched || now > searched.at + COUNT_TTL_MS)
      searched = { at: now, counts: context.pace.give(() => countSources(context, false), signal) };
    return searched.counts;
  };
  const cases = checkNewCases(context, signal, count);
  let [hasCases, hasNames] = [true, true];
  let held: string | undefined;
  // Takes turns, so that new names don't wait until an import's cases are checked.
  while ((hasCases || hasNames) && !signal.aborted) {
    hasCases &&= (await cases.next()).done !== true;
    const compared = await compareNames(context, signal);
    hasNames = compared.names >= BATCH;
    held = compared.held ?? held;
  }
  if (held !== undefined) await reportHeld(context, held);
}

/** One event for all that the names of an import match. */
async function reportHeld({ writer }: Context, id: string): Promise<void> {
  await writer.runAsSystem(null, WHY, (unit) => {
    unit.emit('conflict.alerted', { id }, { audience: { permission: 'clearConflicts' } });
    return Promise.resolve();
  });
}

/**
 * Caches the search of each name, since new matters share clients and counsel, and pauses between searches. Create it
 * after listing the names to compare: of two new names, the later must find the earlier.
 */
function findOnce(context: Context, signal: AbortSignal): Find {
  const known = new Map<string, Promise<Agreement[]>>();
  const db = context.db.asSystem(WHY);
  const search = async (asked: AskedName, most: number) => {
    const find = () => findAgreements(db, [asked], most);
    return (await context.pace.give(find, signal))[0] ?? [];
  };
  return async (names, most) => {
    const found: Agreement[][] = [];
    for (const asked of names) {
      signal.throwIfAborted();
      const { name, emails, phoneNumbers, otherNames } = asked;
      const key = JSON.stringify([name, emails, phoneNumbers, otherNames, most]);
      const searched = known.get(key) ?? search(asked, most);
      known.set(key, searched);
      found.push(await searched);
    }
    return found;
  };
}

/** Checks the cases that wait, and pauses after each turn. */
async function* checkNewCases(
  context: Context,
  signal: AbortSignal,
  count: () => Promise<SearchedSources>,
): AsyncGenerator<undefined, undefined> {
  let begunAt = performance.now();
  for (;;) {
    const waiting = await store.listUncheckedCases(context.db.asSystem(WHY), BATCH);
    const find = findOnce(context, signal);
    for (const row of waiting) {
      await checkNewCase(context, row, { signal, find, searched: await count() });
      if (performance.now() < begunAt + CHECK_TURN_MS) continue;
      yield;
      begunAt = performance.now();
    }
    if (waiting.length < BATCH) return;
  }
}

type AlertSearch = { signal: AbortSignal; find: Find; searched: SearchedSources };

async function checkNewCase(
  context: Context,
  { case_id: caseId, by_id: by }: store.UncheckedCase,
  { signal, find, searched }: AlertSearch,
): Promise<void> {
  const subject = { caseId, intakeId: null };
  const names = await addSubjectNames(context, subject, []);
  const asked = { names, texts: false, subject, rerunOf: null };
  await find(names, MAX_CHECK_HITS);
  const save = async () => {
    const hits = await findCheckHits(context, asked, find);
    await context.writer.runAsSystem(null, WHY, async (unit) => {
      if (!(await store.removeUncheckedCase(unit.trx, caseId))) return;
      await saveFoundHits(context, unit, { ...asked, by, hits, searched });
    });
  };
  await context.pace.give(save, signal);
}

/** Names that were compared, and an alert that was not announced. */
type ComparedNames = { names: number; held: string | undefined };

/** Compares the newest names that wait, and raises each alert at once; those of an import are not announced one by one. */
async function compareNames(context: Context, signal: AbortSignal): Promise<ComparedNames> {
  const names = await listUnchecked(context.db.asSystem(WHY), BATCH);
  let held: string | undefined;
  if (names.length === 0) return { names: 0, held };
  const find = findOnce(context, signal);
  for (const name of names.filter(rules.raisesAlerts))
    for (const question of await listQuestions(context, name)) {
      await find([question.asked], MAX_HITS);
      const answer = () => answerQuestion(context, name, { ...question, find });
      const found = await context.pace.give(answer, signal);
      if (found.length === 0) continue;
      await context.writer.runAsSystem(null, WHY, async (unit) => {
        for (const alert of found) {
          const id = await store.insertAlert(unit.trx, alert);
          if (id === undefined) continue;
          if (name.is_held) held = id;
          else await announceAlert(unit, alert, id);
        }
      });
    }
  await context.writer.runAsSystem(null, WHY, ({ trx }) =>
    markChecked(
      trx,
      names.map(({ id }) => id),
    ),
  );
  return { names: names.length, held };
}

/** New matters and names that wait to be compared with all others. */
export async function countWaiting(context: Context): Promise<{ cases: number; names: number }> {
  const db = context.db.asSystem(WHY);
  const [cases, names] = await Promise.all([store.countUncheckedCases(db), countUnchecked(db)]);
  return { cases, names };
}

/** The questions about a name: for a contact, one for each of its matters with its role there. */
async function listQuestions(context: Context, name: UncheckedName): Promise<Question[]> {
  const { source_id: id, contact_id: contactId, case_id: caseId, intake_id: intakeId } = name;
  if (contactId === null) {
    const place = caseId ?? intakeId ?? id;
    return [{ asked: rules.toAsked(name, name.role), subject: { caseId, intakeId }, place }];
  }
  const standings = await listContactRoles(context.db.asSystem(WHY), [contactId]);
  return standings
    .filter(({ relation }) => relation === null)
    .map(({ role, case_id: of }) => ({
      asked: rules.toAsked(name, role ?? name.role),
      subject: { caseId: of, intakeId: null },
      place: of ?? id,
    }));
}

async function answerQuestion(
  context: Context,
  name: UncheckedName,
  { asked, subject, place, find }: Question & { find: Find },
) {
  const hits = await searchNames(context, {
    names: [asked],
    subject,
    withTexts: false,
    most: MAX_HITS,
    find,
  });
  const alarming = rules.alarmingHits(name, hits);
  if (alarming.length === 0) return [];
  const decided = await listDecidedKeys(context, subject);
  return alarming
    .filter((hit) => !decided.has(checks.keyOf(asked.name, hit)))
    .map((hit) => ({
      ...subject,
      pair: rules.pairOf({ name: asked.name, place }, hit),
      name: { name: asked.name, role: asked.role },
      hit,
    }));
}

/** Keys of hits that were decided in any run of the subject's checks. */
async function listDecidedKeys(
  context: Context,
  { caseId, intakeId }: rules.Subject,
): Promise<Set<string>> {
  if (caseId === null && intakeId === null) return new Set();
  const filter = caseId === null ? { intakeId: intakeId ?? '' } : { caseId };
  const db = context.db.asSystem(WHY);
  const rows = await listChecks(db, filter, { limit: MAX_RUNS });
  const ids = rows.map(({ id }) => id);
  const made = decisionsByHit(await listEntries(db, ids));
  const decided = rows.flatMap(({ hits, names }) =>
    hits
      .filter((hit) => made.has(hit.id))
      .map((hit) => checks.keyOf(names[hit.name]?.name ?? '', hit)),
  );
  return new Set(decided);
}

async function announceAlert(unit: Unit, alert: store.NewAlert, id: string): Promise<void> {
  const userIds = await store.listAssigned(unit.trx, alert);
  // Only the id: each reader reads the rest through their walls.
  unit.emit('conflict.alerted', { id }, { audience: { userIds, permission: 'clearConflicts' } });
}

/** Queues the first check of a new case for the next round. */
export async function queueConflictCheck(
  trx: Transaction,
  caseId: string,
  by: string,
): Promise<void> {
  await store.insertUncheckedCase(trx, caseId, by);
}

/** Deletes the alerts of an erased intake, and those that found it. */
export async function deleteAlertsOfIntake(trx: Transaction, intakeId: string): Promise<void> {
  await store.deleteAlertsOfIntake(trx, intakeId);
}
