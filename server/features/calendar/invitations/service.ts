// Invites guests by mails from the sender's Google account, one for each guest; later mails update or cancel the event in
// the guest's calendar. Each occurrence of a series is an event of its own. Also accepts invitations from mails.

import { createHash, randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import type { TakeInvitation, Invite } from '@matterdesk/contract/calendar-exchange.ts';
import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import type { MailInvitation } from '@matterdesk/contract/mails.ts';
import { type ActorContext, perContext, write, type Context, asActor } from '../../../context.ts';
import { type Actor, fullName } from '../../../core/actor.ts';
import { nowAt } from '../../../core/dates.ts';
import type { IdempotencyKey } from '../../../core/idempotency-key.ts';
import { isId } from '../../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../../core/refusal.ts';
import type { FullRow, StoredGuest } from '../../../db/schema-calendar.ts';
import type { Transaction } from '../../../db/schema.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { ReadEvent } from '../../../integrations/icalendar/reader.ts';
import { writeCalendar } from '../../../integrations/icalendar/write.ts';
import { requireActive } from '../../accounts/service.ts';
import { readFirm } from '../../firm/service.ts';
import { sendMail } from '../../mails/compose/service.ts';
import { readMailInvitation } from '../../mails/read/service.ts';
import { findGrant, requireGrant } from '../../mails/service.access.ts';
import { entryOf } from '../exchange/rules.ts';
import { planSteps, type Step, takeSteps } from '../exchange/service.ts';
import { lockImports } from '../exchange/store.ts';
import { isSameAddress, mayEdit, toEvent } from '../rules.ts';
import { requireParts, calendarFilesOf } from '../service.fields.ts';
import { publishEvent } from '../service.ts';
import { findEvent, lockEvent, updateEvents } from '../store.ts';

type State = NonNullable<StoredGuest['invited']>['state'];
type InvitationMail = {
  event: CalendarEvent;
  guest: StoredGuest;
  text: string;
  once: IdempotencyKey;
};
type InvitationBatch = {
  event: CalendarEvent;
  asked: StoredGuest[];
  /** The sender's address. */
  email: string;
  text: string;
  once: IdempotencyKey | undefined;
};
/** Outcome of a mail, with the error unless it was sent. */
type Outcome = { state: State; error?: unknown };

type SentInvitations = { event: CalendarEvent; sender: Sender; sent: Map<string, Outcome> };

/** Mails at a time. */
const AT_ONCE = 4;

const limitOf = perContext(() => pLimit(AT_ONCE));

/**
 * Invites guests, or updates them. Each version of the event is sent once for a key; its outcome is kept with the guest.
 * @throws Refusal notFound, notPermitted, invalidInput, googleNotConnected; the reason when no mail was sent
 */
export async function inviteGuests(
  context: ActorContext,
  { id, guests, text }: Invite & { id: string },
  once?: IdempotencyKey,
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
 * Notifies the guests who have a canceled event in their calendars. Each mail's outcome is kept with the guest. While the
 * caller has no account to send from, all of them stay to be notified.
 */
export async function cancelInvitations(context: ActorContext, id: string): Promise<void> {
  const grant = await findGrant(context, context.actor.id);
  if (!grant) return;
  const begun = await beginSending(context, id, uninformedGuests);
  if (begun.asked.length > 0)
    await sendInvitations(context, { ...begun, email: grant.email, text: '', once: undefined });
}

type InvitationOfMail = TakeInvitation & { mailId: string };

/**
 * Adds the event of a mail, or applies its organizer's changes. Accepting it again does nothing more.
 * @throws Refusal notFound, invalidInput, conflict, googleNotConnected
 */
export async function takeEventInvitation(
  context: ActorContext,
  { mailId, ...asked }: InvitationOfMail,
  once?: IdempotencyKey,
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
      return applySteps(context, unit, { steps, asked, mailId });
    },
    once && { ...once, requireVisible: (trx, { id }) => requireEvent(trx, id) },
  );
}

async function applySteps(
  context: ActorContext,
  unit: Unit,
  { steps, asked, mailId }: { steps: Step[]; asked: TakeInvitation; mailId: string },
): Promise<CalendarEvent> {
  const problem = steps.find((step) => step.problem !== null)?.problem;
  if (problem != null) throw new Refusal('conflict', problem);
  const known = steps.flatMap(({ held }) => held)[0];
  const target = {
    context,
    caseId: known ? known.case_id : asked.case,
    kind: asked.kind,
    isPrivate: known ? known.is_private : asked.private,
    source: { type: 'mail' as const, id: mailId },
  };
  const changed = await takeSteps(unit, steps, target);
  const id = changed[0] ?? knownIdOf(steps);
  if (id === null) throw new Refusal('conflict', 'The organizer canceled it');
  const row = await requireEvent(unit.trx, id);
  const isAlone = row.series_id === null && changed.length === 1;
  if (isAlone) await publishEvent(unit, known ? 'event.updated' : 'event.created', row);
  else if (changed.length > 0)
    unit.emit('series.changed', { series: row.series_id, case: target.caseId });
  return toEvent(row, context.actor);
}

async function requireEvent(trx: Transaction, id: string) {
  const row = await findEvent(trx, id);
  if (!row) throw notFound('Event');
  return row;
}

async function sendInvitations(
  context: ActorContext,
  { event, asked, email, text, once }: InvitationBatch,
) {
  const key = once ?? { userId: context.actor.id, key: randomUUID(), fingerprint: '' };
  const sent = await Promise.all(
    asked.map((guest) =>
      limitOf(context)(async () => {
        const sending = { event, guest, text, once: mailKeyOf(key, event, guest) };
        return [guest.email, await sendInvitation(context, email, sending)] as const;
      }),
    ),
  );
  const sender = senderOf(context.actor, email);
  const settled = await settleSending(context, { event, sender, sent: new Map(sent) });
  return { settled, errors: sent.map(([, { error }]) => error) };
}

/** Marks mails as unknown until their outcome is known: they may have been sent, also after a crash. */
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
  sending: InvitationMail,
): Promise<Outcome> {
  const { event, guest, text, once } = sending;
  try {
    const mail = {
      ...writeInvitationMail(event, guest, text),
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

async function settleSending(context: ActorContext, { event, sender, sent }: SentInvitations) {
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

function senderOf(actor: Actor, email: string): Sender {
  return { name: fullName(actor), email };
}

function writeInvitation(event: CalendarEvent, guest: StoredGuest, sender: Sender) {
  const method = methodFor(event, guest);
  const organizer = organizerFor(guest, sender);
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

/** Only invited guests are notified of a canceled event. @throws Refusal invalidInput */
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

/** Key of the mail to one guest about one version. */
function mailKeyOf(
  { key, ...once }: IdempotencyKey,
  { sequence }: CalendarEvent,
  { email }: StoredGuest,
): IdempotencyKey {
  const parts = [key, sequence, email.toLowerCase()].join('\n');
  return { ...once, key: `invitation-${createHash('sha256').update(parts).digest('base64url')}` };
}

// Invitations to people outside of the firm.

type Method = 'REQUEST' | 'CANCEL';
type Sender = { name: string; email: string };

/** Cancels the event for removed guests. */
function methodFor(event: CalendarEvent, guest: StoredGuest): Method {
  return event.cancelled || guest.isRemoved === true ? 'CANCEL' : 'REQUEST';
}

/** Updates come from the organizer that a guest's calendar knows, from any sender of the firm. */
function organizerFor({ organizer }: StoredGuest, sender: Sender) {
  if (!organizer || organizer.email === sender.email) return sender;
  return { ...organizer, sentBy: sender.email };
}

/** Subject and text of the mail to a guest. @param text the sender's own words */
function writeInvitationMail(event: CalendarEvent, guest: StoredGuest, text: string) {
  const isCanceled = methodFor(event, guest) === 'CANCEL';
  const isKnown = guest.invited !== null && guest.invited.state !== 'failed';
  const news = isCanceled ? 'Canceled' : isKnown ? 'Updated invitation' : 'Invitation';
  const facts = [
    event.title,
    whenInWords(event),
    ...(event.location === '' ? [] : [`Where: ${event.location}`]),
    ...(event.link === '' ? [] : [`Link: ${event.link}`]),
  ];
  const parts = [...(text === '' ? [] : [text]), facts.join('\n')];
  return { subject: `${news}: ${event.title}`, text: parts.join('\n\n') };
}

const DAY = { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' } as const;
const TIME = { hour: 'numeric', minute: '2-digit' } as const;

/** Formats times in the event's zone, named for guests elsewhere. */
function whenInWords({ allDay, start, end, timeZone }: CalendarEvent): string {
  if (allDay) {
    const dayOf = (day: string) =>
      new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { ...DAY, timeZone: 'UTC' });
    return start === end ? dayOf(start) : `${dayOf(start)} to ${dayOf(end)}`;
  }
  const format = (at: string, options: Intl.DateTimeFormatOptions) =>
    new Date(at).toLocaleString('en-US', { ...options, timeZone });
  const isOneDay = format(start, DAY) === format(end, DAY);
  const until = format(end, isOneDay ? TIME : { ...DAY, ...TIME });
  const times = start === end ? '' : ` to ${until}`;
  return `${format(start, { ...DAY, ...TIME })}${times} (${timeZone})`;
}

// Reads the invitations in mails from outside.

type SentNote = { text: string; sender: string };

/** Methods of messages that bring events; those of guests' answers do not. */
const METHODS = new Set(['REQUEST', 'PUBLISH', 'CANCEL', '']);

/** Describes an invitation and the effect of accepting it; null for other files, or unreadable ones. */
export async function findInvitation(
  context: ActorContext,
  sent: SentNote,
): Promise<MailInvitation | null> {
  const read = await readInvitationText(context, sent);
  if (read.length === 0) return null;
  const { sender } = sent;
  const taker = { reader: context.actor, caseId: undefined, sender };
  return toInvitation(await planSteps(asActor(context), read, taker));
}

/** The events of the mail's first series, which may have changed occurrences. */
async function readInvitationText(
  context: Context,
  { text }: Pick<SentNote, 'text'>,
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
function knownIdOf(steps: Step[]): string | null {
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
