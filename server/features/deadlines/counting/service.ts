// Court calendars, the firm's rules, and the deadlines that they count for a matter.

import type {
  Computation,
  ComputedDate,
  Jurisdiction,
  JurisdictionPatch,
  NewJurisdiction,
  NewRule,
  Rule,
  RulePatch,
  RuleStep,
} from '@matterdesk/contract/court-rules.ts';
import type { Deadline } from '@matterdesk/contract/deadlines.ts';
import type { Application } from '@matterdesk/contract/proposals.ts';
import { type ActorContext, type Context, hook, write } from '../../../context.ts';
import { allow, type Actor } from '../../../core/actor.ts';
import type { IdempotencyKey } from '../../../core/idempotency-key.ts';
import { isId } from '../../../core/ids.ts';
import { invalidField, notFound } from '../../../core/refusal.ts';
import type { Executor } from '../../../db/schema.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { insertDeadline, requireCaseOfDeadline, requireDeadline } from '../service.ts';
import * as deadlines from '../store.ts';
import { countDate, countStep } from './rules.ts';
import * as store from './store.ts';

const WHY = 'a court calendar counts in every matter';

/** The date that steps count from, and its source. */
type Trigger = { event: string | null; deadline: string | null; title: string; date: string };
type RuleApplication = { rule: Rule; court: Jurisdiction; trigger: Trigger };

/** A court's holidays changed; in the transaction. */
export const holidaysChanged =
  hook<[unit: Unit, actor: Actor, change: { before: Jurisdiction; after: Jurisdiction }]>();

/** @throws Refusal invalidInput for an unknown jurisdiction */
export async function computeDate(
  context: Context,
  { jurisdiction, ...span }: Computation,
): Promise<ComputedDate> {
  return countDate(await requireJurisdiction(context.db, jurisdiction), span);
}

export function listJurisdictions(context: Context): Promise<Jurisdiction[]> {
  return store.listJurisdictions(context.db);
}

/** @throws Refusal notPermitted */
export async function addJurisdiction(
  context: ActorContext,
  input: NewJurisdiction,
  once?: IdempotencyKey,
): Promise<Jurisdiction> {
  allow(context.actor, 'editCalendar');
  return write(
    context,
    async (unit) => {
      const added = await store.insertJurisdiction(unit.trx, sorted(input));
      await unit.record({ ...aboutJurisdiction(added), action: 'created', after: added });
      return added;
    },
    once,
  );
}

/** @throws Refusal notPermitted, notFound */
export async function changeJurisdiction(
  context: ActorContext,
  id: string,
  patch: JurisdictionPatch,
): Promise<Jurisdiction> {
  allow(context.actor, 'editCalendar');
  return context.writer.runAsSystem(context.actor, WHY, async (unit) => {
    const before = isId(id) ? await store.lockJurisdiction(unit.trx, id) : undefined;
    if (!before) throw notFound('Jurisdiction');
    const wanted = sorted({
      name: patch.name ?? before.name,
      timeZone: patch.timeZone ?? before.timeZone,
      weekend: patch.weekend ?? before.weekend,
      holidays: patch.holidays ?? before.holidays,
    });
    const after = await store.updateJurisdiction(unit.trx, id, wanted);
    await unit.record({ ...aboutJurisdiction(after), action: 'updated', before, after });
    await holidaysChanged.run(context, unit, context.actor, { before, after });
    return after;
  });
}

export function listCourtRules(context: Context): Promise<Rule[]> {
  return store.listRules(context.db);
}

/** @throws Refusal notPermitted, invalidInput for an unknown jurisdiction */
export async function addCourtRule(
  context: ActorContext,
  input: NewRule,
  once?: IdempotencyKey,
): Promise<Rule> {
  allow(context.actor, 'editCalendar');
  return write(
    context,
    async (unit) => {
      await requireJurisdiction(unit.trx, input.jurisdiction);
      const row = { ...input, steps: wholeSteps(input.steps), version: 1 };
      const reviewedBy = input.reviewed ? context.actor.id : null;
      const added = await store.insertRule(unit.trx, row, { reviewedBy });
      await unit.record({ ...aboutRule(added), action: 'created', after: added });
      return added;
    },
    once,
  );
}

/**
 * Makes a new version; a change of `reviewed` alone signs the present one, or takes that back.
 * @throws Refusal notPermitted, notFound, invalidInput for an unknown jurisdiction
 */
export async function changeCourtRule(
  context: ActorContext,
  id: string,
  patch: RulePatch,
): Promise<Rule> {
  allow(context.actor, 'editCalendar');
  return write(context, async (unit) => {
    const before = isId(id) ? await store.lockRule(unit.trx, id) : undefined;
    if (!before) throw notFound('Rule');
    const { jurisdiction, steps } = patch;
    if (jurisdiction !== undefined) await requireJurisdiction(unit.trx, jurisdiction);
    const reviewed = patch.reviewed ?? false;
    const reviewedBy = reviewed ? context.actor.id : null;
    const isSignature = Object.keys(patch).every((member) => member === 'reviewed');
    const version = {
      name: patch.name ?? before.name,
      jurisdiction: jurisdiction ?? before.jurisdiction,
      trigger: patch.trigger ?? before.trigger,
      steps: steps ? wholeSteps(steps) : before.steps,
      reviewed,
      version: before.version + 1,
    };
    const after = isSignature
      ? await store.signRule(unit.trx, id, reviewedBy)
      : await store.insertRule(unit.trx, version, { id, reviewedBy });
    const action = isSignature && reviewed ? 'reviewed' : 'updated';
    await unit.record({ ...aboutRule(after), action, before, after });
    return after;
  });
}

/**
 * Adds the deadlines of a rule to a matter.
 * @throws Refusal invalidInput for an unknown case, rule or trigger, conflict for a second limitation
 */
export async function applyCourtRule(
  context: ActorContext,
  input: Application,
  once?: IdempotencyKey,
): Promise<{ deadlines: Deadline[] }> {
  return write(
    context,
    (unit) => insertRuleDeadlines(context, unit, input),
    once && {
      ...once,
      requireVisible: async (trx, first) => {
        for (const { id } of first.deadlines) await requireDeadline(trx, id);
      },
    },
  );
}

async function insertRuleDeadlines(context: ActorContext, unit: Unit, input: Application) {
  await requireCaseOfDeadline(unit, input.case);
  const rule = isId(input.rule) ? await store.lockRule(unit.trx, input.rule) : undefined;
  const court = rule && (await store.findJurisdiction(unit.trx, rule.jurisdiction));
  if (!rule || !court) throw invalidField('rule', 'Please select a rule');
  const trigger = await findTrigger(unit, input);
  const added: Deadline[] = [];
  for (const step of stepsOf(rule, input))
    added.push(await insertStepDeadline(context, unit, { step, input, rule, court, trigger }));
  return { deadlines: added };
}

async function insertStepDeadline(
  context: ActorContext,
  unit: Unit,
  { step, input, rule, court, trigger }: RuleApplication & { step: RuleStep; input: Application },
): Promise<Deadline> {
  const { title, kind, hard, count, unit: of, direction, roll, authority } = step;
  const service = input.service ?? step.service;
  const span = { count, unit: of, direction, roll, service, authority };
  const how = { ...span, jurisdiction: court.id };
  const { date, lines } = countStep(court, { counting: how, ...trigger });
  const counted = {
    basis: { rule: rule.id, version: rule.version, trigger, lines },
    counting: how,
  };
  const { case: caseId, owner, second } = input;
  const dated = { title, kind, hard, date, time: null, timeZone: court.timeZone };
  const rest = { workingDate: null, note: '', source: null };
  const wanted = { ...dated, ...rest, case: caseId, owner, second };
  return insertDeadline(context, unit, { input: wanted, counted });
}

function stepsOf({ steps }: Rule, { steps: wanted }: Application): RuleStep[] {
  if (!wanted) return steps;
  const found = [...new Set(wanted)].map((place) => steps[place]);
  if (found.includes(undefined)) throw invalidField('steps', 'Steps must be places in the rule');
  return found.filter((step) => step !== undefined);
}

/** @throws Refusal invalidInput for a trigger that is unknown, canceled or part of another matter */
async function findTrigger(unit: Unit, input: Application): Promise<Trigger> {
  const { trigger, case: caseId } = input;
  if ('title' in trigger) return { event: null, deadline: null, ...trigger };
  if ('event' in trigger) {
    const { event: id } = trigger;
    const found = isId(id) ? await store.findTriggerEvent(unit.trx, { id, caseId }) : undefined;
    if (!found) throw invalidField('trigger', 'Please select an event of this matter');
    return { event: id, deadline: null, ...found };
  }
  const { deadline: id } = trigger;
  const row = isId(id) ? await deadlines.lockDeadline(unit.trx, id) : undefined;
  if (row?.case_id !== caseId || row.status === 'vacated')
    throw invalidField('trigger', 'Please select a deadline of this matter');
  return { event: null, deadline: id, title: row.title, date: row.date };
}

async function requireJurisdiction(db: Executor, id: string): Promise<Jurisdiction> {
  const found = isId(id) ? await store.findJurisdiction(db, id) : undefined;
  if (!found) throw invalidField('jurisdiction', 'Please select a jurisdiction');
  return found;
}

/** Holidays by date, each date once, the last entry of a date winning. */
function sorted<Input extends NewJurisdiction>(input: Input): Input {
  const byDate = new Map(input.holidays.map((holiday) => [holiday.date, holiday]));
  const holidays = [...byDate.values()].toSorted((a, b) => a.date.localeCompare(b.date));
  return { ...input, weekend: [...new Set(input.weekend)].toSorted((a, b) => a - b), holidays };
}

/** A step without `roll` or `service` rolls in its direction and adds no days. */
function wholeSteps(steps: NewRule['steps']): Rule['steps'] {
  return steps.map((step) => ({ ...step, roll: step.roll ?? null, service: step.service ?? 0 }));
}

function aboutJurisdiction({ id }: Jurisdiction) {
  return { entity: 'jurisdiction', entityId: id } as const;
}

function aboutRule({ id }: Rule) {
  return { entity: 'rule', entityId: id } as const;
}
