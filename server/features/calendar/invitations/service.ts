// Invites guests by mails from the Google account of who invites, each naming one guest alone; later mails update or
// cancel what the guest's calendar has. Of a series, each occurrence is an event of its own.

import { createHash, randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import type { Invite } from '@matterdesk/contract/calendar-invitations.ts';
import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import { type ActorContext, perContext, write } from '../../../context.ts';
import type { Actor } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import type { Once } from '../../../core/once.ts';
import { invalidField, notFound, Refusal } from '../../../core/refusal.ts';
import type { FullRow, StoredGuest } from '../../../db/schema-calendar.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { writeCalendar } from '../../../integrations/icalendar/write.ts';
import { sendMail } from '../../mails/compose/service.sending.ts';
import { findGrant, requireGrant } from '../../mails/service.access.ts';
import { entryOf } from '../exchange/rules.ts';
import { isSameAddress } from '../rules.guests.ts';
import { mayEdit, toEvent } from '../rules.ts';
import { publishEvent } from '../service.news.ts';
import { findEvent, lockEvent, updateEvents } from '../store.ts';
import * as rules from './rules.ts';

type State = NonNullable<StoredGuest['invited']>['state'];
type Sending = { event: CalendarEvent; guest: StoredGuest; text: string; once: Once };
type Mailing = {
  event: CalendarEvent;
  asked: StoredGuest[];
  /** The sender's own. */
  email: string;
  text: string;
  once: Once | undefined;
};
/** What became of a mail; `error` unless it was sent. */
type Outcome = { state: State; error?: unknown };

type Settling = { event: CalendarEvent; sender: rules.Sender; sent: Map<string, Outcome> };

/** Mails at a time. */
const AT_ONCE = 4;

const limitOf = perContext(() => pLimit(AT_ONCE));

/**
 * Each version of the event is sent once for a key; what became of it is kept with the guest.
 * @throws Refusal notFound, notPermitted, invalidInput, googleNotConnected; why, when no mail was sent
 */
export async function inviteGuests(
  context: ActorContext,
  { id, guests, text }: Invite & { id: string },
  once?: Once,
) {
  const { email } = await requireGrant(context);
  const begun = await beginSending(context, id, (row) => {
    if (!mayEdit(row, context.actor)) throw new Refusal('notPermitted');
    return guests.map((address) => requireGuest(row, address));
  });
  const { settled, errors } = await sendInvitations(context, { ...begun, email, text, once });
  const bug = errors.find((error) => error !== undefined && !(error instanceof Refusal));
  if (bug ?? errors.every((error) => error !== undefined)) throw bug ?? errors[0];
  return settled;
}

/**
 * Tells the guests of a canceled event whose calendars have it. What becomes of each mail is kept with the guest; all
 * stay to be told while the caller has no account to send from.
 */
export async function cancelInvitations(context: ActorContext, id: string): Promise<void> {
  const grant = await findGrant(context, context.actor.id);
  if (!grant) return;
  const begun = await beginSending(context, id, uninformedGuests);
  if (begun.asked.length > 0)
    await sendInvitations(context, { ...begun, email: grant.email, text: '', once: undefined });
}

async function sendInvitations(
  context: ActorContext,
  { event, asked, email, text, once }: Mailing,
) {
  const key = once ?? { userId: context.actor.id, key: randomUUID(), fingerprint: '' };
  const sent = await Promise.all(
    asked.map((guest) =>
      limitOf(context)(async () => {
        const sending = { event, guest, text, once: onceFor(key, event, guest) };
        return [guest.email, await sendInvitation(context, email, sending)] as const;
      }),
    ),
  );
  const sender = senderOf(context.actor, email);
  const settled = await settleSending(context, { event, sender, sent: new Map(sent) });
  return { settled, errors: sent.map(([, { error }]) => error) };
}

/** Until a mail's outcome is known it may have been sent, also after a crash. */
async function beginSending(
  context: ActorContext,
  id: string,
  choose: (row: FullRow) => StoredGuest[],
) {
  return write(context, async (unit) => {
    const row = isId(id) ? await lockEvent(unit.trx, id) : undefined;
    if (!row) throw notFound('Event');
    const { sequence } = row;
    const chosen = new Set(choose(row));
    const isAsked = (guest: StoredGuest) => chosen.has(guest);
    const event = toEvent(row, context.actor);
    if (chosen.size === 0) return { event, asked: [] };
    const invited = { sequence, at: new Date().toISOString(), state: 'unknown' } as const;
    await updateEvents(unit.trx, [id], {
      guests: row.guests.map((guest) => (isAsked(guest) ? { ...guest, invited } : guest)),
    });
    return { event, asked: row.guests.filter(isAsked) };
  });
}

async function sendInvitation(
  context: ActorContext,
  address: string,
  sending: Sending,
): Promise<Outcome> {
  const { event, guest, text, once } = sending;
  try {
    const mail = {
      ...rules.writeLetter(event, guest, text),
      from: address,
      to: guest.email,
      calendar: writeInvitation(event, guest, senderOf(context.actor, address)),
    };
    await sendMail(context, mail, once);
    return { state: 'sent' };
  } catch (error) {
    const isUnsure = error instanceof Refusal && error.code === 'outcomeUnknown';
    return { state: isUnsure ? 'unknown' : 'failed', error };
  }
}

async function settleSending(context: ActorContext, { event, sender, sent }: Settling) {
  const { id, sequence } = event;
  return write(context, async (unit) => {
    const row = await lockEvent(unit.trx, id);
    if (!row) throw notFound('Event');
    const at = new Date().toISOString();
    await updateEvents(unit.trx, [id], {
      guests: row.guests.map((guest) => {
        const outcome = sent.get(guest.email);
        // A later change may have been sent meanwhile.
        if (!outcome || (guest.invited?.sequence ?? sequence) > sequence) return guest;
        const { state } = outcome;
        const organizer = state === 'failed' ? guest.organizer : (guest.organizer ?? sender);
        return { ...guest, invited: { sequence, at, state }, ...(organizer && { organizer }) };
      }),
    });
    const states = [...sent.values()].map(({ state }) => state);
    return report(unit, context.actor, { id, states });
  });
}

async function report(unit: Unit, actor: Actor, { id, states }: { id: string; states: State[] }) {
  const row = await findEvent(unit.trx, id);
  if (!row) throw notFound('Event');
  const event = toEvent(row, actor);
  await unit.record({
    entity: 'event',
    entityId: id,
    action: 'invited',
    ...(event.case && { caseId: event.case.id }),
    after: {
      guests: states.length,
      sent: states.filter((state) => state === 'sent').length,
      sequence: event.sequence,
    },
  });
  await publishEvent(unit, 'event.updated', row);
  return event;
}

function senderOf({ firstName, lastName }: Actor, email: string): rules.Sender {
  return { name: `${firstName} ${lastName}`, email };
}

function writeInvitation(event: CalendarEvent, guest: StoredGuest, sender: rules.Sender) {
  const method = rules.methodFor(event, guest);
  const organizer = rules.organizerFor(guest, sender);
  const about = { method, at: new Date(), attendance: { organizer, attendee: guest } };
  const entry = { ...entryOf(event, { withNotes: false }), isCanceled: method === 'CANCEL' };
  return { method, text: [...writeCalendar(about, [entry])].join('') };
}

/** Guests whose calendars may have an earlier version. */
function uninformedGuests({ guests, sequence }: FullRow): StoredGuest[] {
  return guests.filter(
    ({ invited, isRemoved }) =>
      isRemoved !== true &&
      invited !== null &&
      invited.state !== 'failed' &&
      invited.sequence < sequence,
  );
}

/** Only who was invited learns that an event is canceled. @throws Refusal invalidInput */
function requireGuest(
  { guests, cancelled_at: cancelledAt }: FullRow,
  address: string,
): StoredGuest {
  const guest = guests.find(({ email }) => isSameAddress(email, address));
  if (!guest) throw invalidField('guests', `Not a guest: ${address}`);
  if (cancelledAt !== null && guest.invited === null)
    throw invalidField('guests', `Not invited yet: ${address}`);
  return guest;
}

/** A key of the mail to one guest about one version. */
function onceFor(
  { key, ...once }: Once,
  { sequence }: CalendarEvent,
  { email }: StoredGuest,
): Once {
  const parts = [key, sequence, email.toLowerCase()].join('\n');
  return { ...once, key: `invitation-${createHash('sha256').update(parts).digest('base64url')}` };
}
