import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import type { TakeInvitation } from '@matterdesk/contract/calendar-invitations.ts';
import type { Actor } from '../../../core/actor.ts';
import type { Once } from '../../../core/once.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import type { Transaction } from '../../../db/schema.ts';
import type { Unit, Writer } from '../../../db/unit-of-work.ts';
import type { ReadingService } from '../../mails/read/service.ts';
import { lockImports } from '../exchange/store.ts';
import { planSteps, takeSteps, type Step } from '../exchange/service.taking.ts';
import { toEvent } from '../rules.ts';
import { requireParts, type Neighbours } from '../service.fields.ts';
import { findEvent } from '../store.ts';
import { knownIdOf, type FoundInvitations } from './service.finding.ts';

type Parts = Neighbours & {
  writer: Writer;
  found: FoundInvitations;
  mails: Pick<ReadingService, 'readInvitation'>;
};

type Taking = TakeInvitation & { mailId: string };

/** Takes invitations from mails, only when a person asks for it. */
export class TakingService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Adds the event, or follows what its organizer changed; taken twice it does nothing more.
   * @throws Refusal notFound, invalidInput, conflict, googleNotConnected
   */
  async take(actor: Actor, { mailId, ...asked }: Taking, once?: Once) {
    const { found, mails, writer, accounts } = this.#parts;
    const sent = await mails.readInvitation(actor, mailId);
    const read = sent ? await found.read(sent) : [];
    if (!sent || read.length === 0) throw notFound('Invitation');
    return writer.run(
      actor,
      async (unit) => {
        await requireParts(unit, this.#parts, { asked });
        await accounts.requireActive(unit.trx, actor);
        await lockImports(unit.trx);
        const taker = { reader: actor, caseId: undefined, sender: sent.sender };
        const steps = await planSteps(unit.trx, read, taker);
        return this.#takeAll(unit, actor, { steps, asked, mailId });
      },
      once && { ...once, again: (trx, { id }) => requireEvent(trx, id) },
    );
  }

  async #takeAll(
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
}

async function requireEvent(trx: Transaction, id: string) {
  const row = await findEvent(trx, id);
  if (!row) throw notFound('Event');
  return row;
}
