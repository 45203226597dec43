// Takes invitations from mails, only when a person asks for it.

import type { TakeInvitation } from '@matterdesk/contract/calendar-invitations.ts';
import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import { type ActorContext, write } from '../../../context.ts';
import type { Actor } from '../../../core/actor.ts';
import type { Once } from '../../../core/once.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import type { Transaction } from '../../../db/schema.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { requireActive } from '../../accounts/service.ts';
import { readMailInvitation } from '../../mails/read/service.ts';
import { planSteps, takeSteps, type Step } from '../exchange/service.taking.ts';
import { lockImports } from '../exchange/store.ts';
import { toEvent } from '../rules.ts';
import { requireParts } from '../service.fields.ts';
import { findEvent } from '../store.ts';
import { knownIdOf, readInvitationText } from './service.finding.ts';

type Taking = TakeInvitation & { mailId: string };

/**
 * Adds the event, or follows what its organizer changed; taken twice it does nothing more.
 * @throws Refusal notFound, invalidInput, conflict, googleNotConnected
 */
export async function takeEventInvitation(
  context: ActorContext,
  { mailId, ...asked }: Taking,
  once?: Once,
) {
  const sent = await readMailInvitation(context, mailId);
  const read = sent ? await readInvitationText(context, sent) : [];
  if (!sent || read.length === 0) throw notFound('Invitation');
  return write(
    context,
    async (unit) => {
      await requireParts(unit, { asked });
      await requireActive(unit.trx, context.actor);
      await lockImports(unit.trx);
      const taker = { reader: context.actor, caseId: undefined, sender: sent.sender };
      const steps = await planSteps(unit.trx, read, taker);
      return takeAllSteps(unit, context.actor, { steps, asked, mailId });
    },
    once && { ...once, again: (trx, { id }) => requireEvent(trx, id) },
  );
}

async function takeAllSteps(
  unit: Unit,
  actor: Actor,
  { steps, asked, mailId }: { steps: Step[]; asked: TakeInvitation; mailId: string },
): Promise<CalendarEvent> {
  const problem = steps.find((step) => step.problem !== null)?.problem;
  if (problem != null) throw new Refusal('conflict', problem);
  const known = steps.flatMap(({ held }) => held)[0];
  const target = {
    actor,
    caseId: known ? known.case_id : asked.case,
    kind: asked.kind,
    isPrivate: known ? known.is_private : asked.private,
    source: { type: 'mail' as const, id: mailId },
  };
  const changed = await takeSteps(unit, steps, target);
  const id = changed[0] ?? knownIdOf(steps);
  if (id === null) throw new Refusal('conflict', 'The organizer canceled it');
  if (changed.length > 0) unit.emit('series.changed', { series: null, case: target.caseId });
  return toEvent(await requireEvent(unit.trx, id), actor);
}

async function requireEvent(trx: Transaction, id: string) {
  const row = await findEvent(trx, id);
  if (!row) throw notFound('Event');
  return row;
}
