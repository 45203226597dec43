// Reads the invitations in mails from outside.

import type { MailInvitation } from '@matterdesk/contract/mails.ts';
import { type ActorContext, type Context, asActor } from '../../../context.ts';
import { nowAt } from '../../../core/clocks.ts';
import type { ReadEvent } from '../../../integrations/icalendar/answers.ts';
import { readFirm } from '../../firm/service.ts';
import { planSteps, type Step } from '../exchange/service.ts';
import { calendarFilesOf } from '../service.fields.ts';

type Sent = { text: string; sender: string };

/** Methods of messages that bring events; those of guests' answers do not. */
const METHODS = new Set(['REQUEST', 'PUBLISH', 'CANCEL', '']);

/** Describes an invitation and the effect of accepting it; null for other files, or unreadable ones. */
export async function findInvitation(
  context: ActorContext,
  sent: Sent,
): Promise<MailInvitation | null> {
  const read = await readInvitationText(context, sent);
  if (read.length === 0) return null;
  const { sender } = sent;
  const taker = { reader: context.actor, caseId: undefined, sender };
  return toInvitation(await planSteps(asActor(context), read, taker));
}

/** The events of the mail's first series, which may have changed occurrences. */
export async function readInvitationText(
  context: Context,
  { text }: Pick<Sent, 'text'>,
): Promise<ReadEvent[]> {
  const { timeZone } = await readFirm(context);
  const today = nowAt(new Date(), timeZone).day;
  const reading = await calendarFilesOf(context).read({ text, timeZone, today });
  if ('problem' in reading || !METHODS.has(reading.method)) return [];
  const [first] = reading.events;
  const events = reading.events.filter(({ uid }) => uid === first?.uid);
  return events.some(({ problem }) => problem !== null) ? [] : events;
}

/** Id of the existing event that the steps are about. */
export function knownIdOf(steps: Step[]): string | null {
  for (const { own, held } of steps) {
    const id = own ?? held[0]?.event_id;
    if (id !== undefined) return id;
  }
  return null;
}

function toInvitation(steps: Step[]): MailInvitation | null {
  const step = steps.find(({ action }) => action !== 'skip') ?? steps[0];
  const time = step?.event.times[0];
  if (!step || !time) return null;
  const { title, organizer } = step.event;
  const { start, end } = time;
  return { title, start, end, organizer, action: step.action, event: knownIdOf(steps) };
}
