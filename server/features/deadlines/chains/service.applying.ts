// Adds the deadlines of a rule to a matter.

import type { Jurisdiction, Rule, RuleStep } from '@matterdesk/contract/court-rules.ts';
import type { Deadline } from '@matterdesk/contract/deadlines.ts';
import type { Application } from '@matterdesk/contract/proposals.ts';
import { isId } from '../../../core/ids.ts';
import type { Once } from '../../../core/once.ts';
import { invalidField } from '../../../core/refusal.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import * as counting from '../counting/store.ts';
import * as deadlines from '../store.ts';
import { countStep } from './rules.ts';
import * as store from './store.ts';
import { type ActorContext, write } from '../../../context.ts';
import { addDeadlineWithin, requireCaseOfDeadline, requireDeadline } from '../service.ts';

/** What steps count from. */
type Trigger = { event: string | null; deadline: string | null; title: string; date: string };
type Applied = { rule: Rule; court: Jurisdiction; trigger: Trigger };

/** @throws Refusal invalidInput for what is unknown, conflict for a second limitation */
export async function applyCourtRule(
  context: ActorContext,
  input: Application,
  once?: Once,
): Promise<{ deadlines: Deadline[] }> {
  return write(
    context,
    (unit) => applyRuleWithin(context, unit, input),
    once && {
      ...once,
      again: async (trx, first) => {
        for (const { id } of first.deadlines) await requireDeadline(trx, id);
      },
    },
  );
}

async function applyRuleWithin(context: ActorContext, unit: Unit, input: Application) {
  await requireCaseOfDeadline(unit, input.case);
  const rule = isId(input.rule) ? await counting.lockRule(unit.trx, input.rule) : undefined;
  const court = rule && (await counting.findJurisdiction(unit.trx, rule.jurisdiction));
  if (!rule || !court) throw invalidField('rule', 'Please select a rule');
  const trigger = await findTrigger(unit, input);
  const added: Deadline[] = [];
  for (const step of stepsOf(rule, input))
    added.push(await addRuleStep(context, unit, { step, input, rule, court, trigger }));
  return { deadlines: added };
}

async function addRuleStep(
  context: ActorContext,
  unit: Unit,
  { step, input, rule, court, trigger }: Applied & { step: RuleStep; input: Application },
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
  return addDeadlineWithin(context, unit, { input: wanted, counted });
}

function stepsOf({ steps }: Rule, { steps: wanted }: Application): RuleStep[] {
  if (!wanted) return steps;
  const found = [...new Set(wanted)].map((place) => steps[place]);
  if (found.includes(undefined)) throw invalidField('steps', 'Steps must be places in the rule');
  return found.filter((step) => step !== undefined);
}

/** @throws Refusal invalidInput for what is unknown, canceled or of another matter */
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
