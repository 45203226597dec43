// Decides about hits, concludes checks and runs them again.

import type { Person } from '@matterdesk/contract/cases.ts';
import type { Check, Conclusion, Hit, NewDecision } from '@matterdesk/contract/conflicts.ts';
import { type ActorContext, type Context, asActor, write } from '../../../context.ts';
import { allow } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../../core/refusal.ts';
import type { Scoped } from '../../../db/schema.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { changeAccess, readAccess } from '../../access/service.ts';
import { noteCheck } from '../../intakes/service.keeping.ts';
import * as rules from './rules.ts';
import { concludedOf, madeOf } from './service.records.ts';
import { showHits } from './service.showing.ts';
import { aboutSubject, keepCheck, readCheck, withNamesOf } from './service.ts';
import { hasFile, listActivePeople } from './store.facts.ts';
import * as store from './store.ts';

const WHY = 'people are found by their ids';

/**
 * Adds a decision about hits of a check; the screened lose access to its subject at once.
 * @throws Refusal notPermitted, notFound, invalidInput, conflict for a concluded check
 */
export async function decideHits(
  context: ActorContext,
  id: string,
  decision: NewDecision,
): Promise<Check> {
  allow(context.actor, 'clearConflicts');
  const row = await findDecidedCheck(asActor(context), id);
  await requireFit(context, row, decision);
  const screened = await peopleOf(context, decision.screened);
  const subject = subjectOf(row);
  if (decision.decision === 'wall' && subject)
    await screen(context, { subject, screened, reason: decision.reason });
  await write(context, async (unit) => {
    await requireOpenCheck(unit, row);
    const { hitIds, decision: made, reason, url = null } = decision;
    const body = { hitIds, decision: made, reason, url, screened };
    await store.insertEntry(unit.trx, id, { by: context.actor.id, action: 'decided', body });
    const after = { decision: made, hits: hitIds.length };
    const about = aboutSubject({ caseId: row.case_id });
    await unit.record({ ...about, entityId: id, action: 'decided', after });
    if (row.intake_id !== null) await noteCheck(unit, row.intake_id);
  });
  return readCheck(context, id);
}

async function requireFit(
  context: ActorContext,
  row: store.CheckRow,
  input: NewDecision,
): Promise<void> {
  const hits = row.hits.filter(({ id }) => input.hitIds.includes(id));
  const shown = await showHits(context, context.actor, { hits });
  const known = new Map(shown.map((hit) => [hit.id, hit]));
  if (input.hitIds.some((hitId) => !known.has(hitId)))
    throw invalidField('hitIds', 'Please select any hit');
  const isAsked = input.decision === 'asked';
  if (shown.some(({ severity }) => (severity === 'hidden') !== isAsked))
    throw invalidField(
      'decision',
      isAsked ? 'Only a hidden hit is decided by asking' : 'A hidden hit is decided by asking',
    );
  if (input.decision === 'waiver' && !(await hasFile(asActor(context), input.url ?? '')))
    throw invalidField('url', 'Please attach the waiver');
  if (input.decision !== 'wall') return;
  if (!subjectOf(row)) throw invalidField('decision', 'This check has no matter to wall off');
  if (input.screened.length === 0) throw invalidField('screened', 'Please select any user');
}

async function peopleOf(context: Context, ids: string[]): Promise<Person[]> {
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
  const row = await findDecidedCheck(asActor(context), id);
  await write(context, async (unit) => {
    await requireOpenCheck(unit, row);
    const left = await listUndecided(context, unit, row);
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
      await noteCheck(unit, row.intake_id, { by: context.actor.id, text });
  });
  return readCheck(context, id);
}

/** Hits above known without a decision; hidden ones without an answer, whatever those decided who see them. */
async function listUndecided(
  context: ActorContext,
  unit: Unit,
  row: store.CheckRow,
): Promise<number> {
  const made = madeOf(await store.listEntries(unit.trx, [row.id]));
  const shown = await showHits(context, context.actor, { hits: row.hits });
  const isDecided = ({ id, severity }: Hit) =>
    (made.get(id) ?? []).some(({ decision }) => severity !== 'hidden' || decision === 'asked');
  return shown.filter((hit) => rules.needsDecision(hit) && !isDecided(hit)).length;
}

async function requireOpenCheck(unit: Unit, row: store.CheckRow): Promise<void> {
  await store.lockChecks(unit.trx);
  if (concludedOf(await store.listEntries(unit.trx, [row.id])))
    throw new Refusal('conflict', 'Run it again');
}

/** The same names and today's of the subject, against what is known today. @throws Refusal notFound */
export async function rerunCheck(context: ActorContext, id: string): Promise<Check> {
  const row = await findDecidedCheck(asActor(context), id);
  const subject = { caseId: row.case_id, intakeId: row.intake_id };
  const names = await withNamesOf(context, subject, row.names);
  const asked = { names, texts: row.with_texts, subject, rerunOf: row.id };
  const kept = await write(context, (unit) =>
    keepCheck(context, unit, { by: context.actor, asked }),
  );
  return readCheck(context, kept);
}

async function findDecidedCheck(db: Scoped, id: string): Promise<store.CheckRow> {
  const row = isId(id) ? await store.findCheck(db, id) : undefined;
  if (!row) throw notFound('Conflict check');
  return row;
}

type Subject = { kind: 'cases' | 'intakes'; id: string };

function subjectOf({ case_id: caseId, intake_id: intakeId }: store.CheckRow): Subject | null {
  if (caseId !== null) return { kind: 'cases', id: caseId };
  return intakeId === null ? null : { kind: 'intakes', id: intakeId };
}

type Screening = { subject: Subject; screened: Person[]; reason: string };

/** Adds people to those who are screened from a matter. */
async function screen(
  context: ActorContext,
  { subject, screened, reason }: Screening,
): Promise<void> {
  const now = await readAccess(context, subject);
  const already = now.screened.map((entry) => ({ person: entry.person.id, reason: entry.reason }));
  const added = screened
    .filter(({ id }) => !already.some(({ person }) => person === id))
    .map(({ id }) => ({ person: id, reason }));
  const people = now.people.filter(({ why }) => why === 'added').map(({ person }) => person.id);
  const { mode, updatedAt } = now;
  await changeAccess(context, subject, {
    mode,
    people,
    screened: [...already, ...added],
    reason,
    updatedAt,
  });
}
