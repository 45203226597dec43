// Courts' calendars, the rules of the firm, and what they make of a date.

import type {
  Computation,
  Counted,
  Jurisdiction,
  JurisdictionPatch,
  NewJurisdiction,
  NewRule,
  Rule,
  RulePatch,
} from '@matterdesk/contract/court-rules.ts';
import { allow, type Actor } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import type { Once } from '../../../core/once.ts';
import { invalidField, notFound } from '../../../core/refusal.ts';
import type { Executor } from '../../../db/schema.ts';
import { countDate } from './rules.ts';
import * as store from './store.ts';
import { type ActorContext, type Context, hook, write } from '../../../context.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
const WHY = 'a court calendar counts in every matter';

/** A court's holidays changed; in the transaction. */
export const holidaysChanged =
  hook<[unit: Unit, actor: Actor, change: { before: Jurisdiction; after: Jurisdiction }]>();

/** @throws Refusal invalidInput for an unknown jurisdiction */
export async function computeDate(
  context: Context,
  { jurisdiction, ...span }: Computation,
): Promise<Counted> {
  return countDate(await requireJurisdiction(context.db, jurisdiction), span);
}

export function listJurisdictions(context: Context): Promise<Jurisdiction[]> {
  return store.listJurisdictions(context.db);
}

/** @throws Refusal notPermitted */
export async function addJurisdiction(
  context: ActorContext,
  input: NewJurisdiction,
  once?: Once,
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
  once?: Once,
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
