import ICAL from 'ical.js';
import ical from 'node-ical';
import PostalMime from 'postal-mime';
import { beforeEach, describe, expect, test } from 'vitest';
import { eventInvitationRoutes } from '@matterdesk/contract/calendar-exchange.ts';
import {
  calendarRoutes,
  type CalendarEvent,
  type SeriesScope,
} from '@matterdesk/contract/calendar.ts';
import { courtRuleRoutes } from '@matterdesk/contract/court-rules.ts';
import { mailRoutes } from '@matterdesk/contract/mails.ts';
import { proposalRoutes } from '@matterdesk/contract/proposals.ts';
import { nextEvent } from '../../../testing/client.ts';
import { composeMail } from '../../../testing/compose-mail.ts';
import {
  addEvent,
  openCase,
  registerAdmin,
  registerManager,
  registerUser,
  type SignedInPerson,
  restrict,
} from '../../../testing/factories.ts';
import type { SentMail } from '../../../testing/google-gmail.ts';
import { ADA, BEN, connect, connected, mailSuite } from '../../../testing/mail.ts';

const ANN = { name: 'Ann Ryan', email: 'ann@client.example' };
const BOB = { name: '', email: 'Bob@client.example' };

let sent: SentMail[] = [];
const { running, ada, ben } = mailSuite(
  { ada: connected(registerAdmin), ben: connected(registerManager, BEN) },
  { onSend: (mail) => sent.push(mail) },
);
beforeEach(() => {
  sent = [];
});

type By = { by?: SignedInPerson };
type Asked = By & { text?: string; key?: string };

function invite({ id }: { id: string }, guests: string[], { by = ada, text, key }: Asked = {}) {
  return running.app.call(eventInvitationRoutes.inviteGuests, {
    token: by.token,
    params: { id },
    body: { guests, ...(text !== undefined && { text }) },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
}

async function change(
  { id }: { id: string },
  body: object,
  { by = ada, scope }: By & { scope?: SeriesScope } = {},
) {
  const query = scope && { scope };
  const asked = { token: by.token, params: { id }, body, ...(query && { query }) };
  const reply = await running.app.call(calendarRoutes.changeEvent, asked);
  expect(reply.status).toBe(200);
  return reply.body.event;
}

function states({ guests }: CalendarEvent) {
  return guests.map(({ email, invited }) => [email, invited?.sequence, invited?.state]);
}

/** A sent mail and its invitation, as two independent parsers agree on it. */
async function opened({ raw, to }: SentMail) {
  const mail = await PostalMime.parse(raw);
  const files = mail.attachments.map(({ content }) => new TextDecoder().decode(content as Buffer));
  const text = files.find((one) => one.startsWith('BEGIN:VCALENDAR')) ?? '';
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  const [component, ...more] = calendar.getAllSubcomponents('vevent');
  if (!component || more.length > 0) throw new Error('not one event');
  const event = new ICAL.Event(component);
  const other = Object.values(ical.sync.parseICS(text)).find((one) => one?.type === 'VEVENT');
  const method = String(calendar.getFirstPropertyValue('method'));
  expect(raw.toString()).toMatch(new RegExp(`text/calendar;[^:]*method=${method}`, 'i'));
  expect(other).toMatchObject({
    uid: event.uid,
    summary: event.summary,
    method,
    start: event.startDate.toJSDate(),
    end: event.endDate.toJSDate(),
    status: String(component.getFirstPropertyValue('status')),
  });
  expect(Number(other?.type === 'VEVENT' && other.sequence)).toBe(event.sequence);
  const { subject, text: letter } = mail;
  const attendees = event.attendees.map((one) => String(one.getFirstValue()));
  const organizer = component.getFirstProperty('organizer');
  const { uid, sequence, summary } = event;
  const about = { uid, sequence, summary, attendees, start: event.startDate.toString() };
  return { to, raw: raw.toString(), subject, letter, method, ...about, organizer };
}

/** Mails by recipient, since they are sent in any order. */
async function mails() {
  const all = await Promise.all(sent.map(opened));
  sent = [];
  return all.toSorted((one, other) => (one.to[0] ?? '').localeCompare(other.to[0] ?? ''));
}

describe('guests of an event', () => {
  test('are invited, updated and canceled by mails that each name one guest alone', async () => {
    const own = { title: 'Mediation', location: 'Room 5', notes: 'Our floor is $90,000' };
    const event = await addEvent(running.app, ada.token, { ...own, guests: [ANN, BOB] });
    const { status, body } = await invite(event, [ANN.email, 'bob@client.example'], { text: 'Hi' });
    expect(status).toBe(200);
    expect(states(body)).toEqual([
      [ANN.email, 0, 'sent'],
      [BOB.email, 0, 'sent'],
    ]);
    const [toAnn, toBob] = await mails();
    expect(toAnn).toMatchObject({
      to: [ANN.email],
      subject: 'Invitation: Mediation',
      method: 'REQUEST',
      uid: `${event.id}@matterdesk`,
      sequence: 0,
      attendees: [`mailto:${ANN.email}`],
      start: '2038-02-03T15:00:00Z',
    });
    expect(toAnn?.letter).toMatch(
      /^Hi\n\nMediation\nWednesday, February 3, 2038 at .*\nWhere: Room 5/,
    );
    expect(toAnn?.organizer?.getFirstValue()).toBe(`mailto:${ADA.email}`);
    expect(toAnn?.raw.toLowerCase()).not.toMatch(/bob@|90,000/);
    expect(toBob?.raw).not.toMatch(/ann@|Ryan/);

    // Guests are not notified of changes that they do not see.
    expect((await change(event, { notes: 'Less', people: [ada.id, ben.id] })).sequence).toBe(0);
    const moved = await change(event, { start: event.end, end: '2038-02-03T17:00:00.000Z' });
    expect(states(moved)[0]).toEqual([ANN.email, 0, 'sent']);
    await invite(event, [ANN.email], { by: ben });
    const [update] = await mails();
    expect(update).toMatchObject({ method: 'REQUEST', sequence: 1, uid: toAnn?.uid });
    expect(update?.subject).toBe('Updated invitation: Mediation');
    // The calendar of the guest takes updates from the first organizer alone.
    expect(update?.organizer?.getFirstValue()).toBe(`mailto:${ADA.email}`);
    expect(update?.organizer?.getParameter('sent-by')).toBe(`mailto:${BEN.email}`);

    expect(states(await change(event, { cancelled: true }))).toEqual([
      [ANN.email, 2, 'sent'],
      [BOB.email, 2, 'sent'],
    ]);
    const last = await mails();
    expect(last.map(({ to }) => to)).toEqual([[ANN.email], ['bob@client.example']]);
    for (const mail of last)
      expect(mail).toMatchObject({ method: 'CANCEL', sequence: 2, subject: 'Canceled: Mediation' });
    await change(event, { cancelled: true });
    expect(sent).toEqual([]);
  });

  test('receive no cancellation of what they were never invited to', async () => {
    const event = await addEvent(running.app, ada.token, { guests: [ANN, BOB] });
    await invite(event, [BOB.email]);
    await mails();
    const canceled = await change(event, { cancelled: true });
    expect(states(canceled)).toEqual([
      [ANN.email, undefined, undefined],
      [BOB.email, 1, 'sent'],
    ]);
    expect(await mails()).toMatchObject([{ method: 'CANCEL', to: ['bob@client.example'] }]);
  });

  test('receive the cancellation of each occurrence that they were invited to', async () => {
    const series = { recurrence: 'FREQ=DAILY;COUNT=4', guests: [ANN] };
    const first = await addEvent(running.app, ada.token, series);
    const { rows } = await running.app.pool.query<{ id: string }>(
      'select id from events where series_id = $1 order by slot',
      [first.series],
    );
    for (const occurrence of rows.slice(0, 3)) await invite(occurrence, [ANN.email]);
    await mails();
    await change({ id: rows[1]?.id ?? '' }, { cancelled: true }, { scope: 'following' });
    const canceled = await mails();
    expect(canceled.map(({ method, uid }) => [method, uid])).toEqual(
      rows.slice(1, 3).map(({ id }) => ['CANCEL', `${id}@matterdesk`]),
    );
  });

  test('stay to be told of a cancellation that could not be sent', async () => {
    const carl = await registerUser(running.app);
    const people = [ada.id, carl.id];
    const event = await addEvent(running.app, ada.token, { guests: [ANN], people });
    await invite(event, [ANN.email]);
    await mails();
    // Without a connected account.
    const canceled = await change(event, { cancelled: true }, { by: carl });
    expect([sent.length, states(canceled)]).toEqual([0, [[ANN.email, 0, 'sent']]]);
    await change(event, { cancelled: false });
    running.google.faults.push({ path: /send$/, status: 429, times: Infinity });
    expect(states(await change(event, { cancelled: true }))).toEqual([[ANN.email, 3, 'failed']]);
    running.google.faults.length = 0;
    expect((await invite(event, [ANN.email])).status).toBe(200);
    expect(await mails()).toMatchObject([{ method: 'CANCEL', sequence: 3 }]);
  });

  test('are sent a cancellation once removed, and a higher sequence if they come back', async () => {
    const event = await addEvent(running.app, ada.token, { guests: [ANN, BOB] });
    await invite(event, [ANN.email]);
    // A guest who was never invited leaves without a trace.
    const without = await change(event, { guests: [] });
    expect([without.guests, without.sequence]).toEqual([[], 1]);
    expect((await invite(event, [BOB.email])).message).toBe(`Not a guest: ${BOB.email}`);
    await mails();
    expect((await invite(event, [ANN.email])).status).toBe(200);
    expect(await mails()).toMatchObject([{ method: 'CANCEL', sequence: 1, to: [ANN.email] }]);
    const back = await change(event, { guests: [BOB, ANN] });
    expect(back.sequence).toBe(2);
    await invite(event, [ANN.email]);
    expect(await mails()).toMatchObject([{ method: 'REQUEST', sequence: 2 }]);
  });

  test('are invited to one occurrence of a series, and new occurrences start without invitations', async () => {
    const series = { recurrence: 'FREQ=DAILY;COUNT=2', guests: [ANN] };
    const first = await addEvent(running.app, ada.token, series);
    expect((await invite(first, [ANN.email])).status).toBe(200);
    expect((await mails())[0]?.raw).not.toContain('RRULE');
    const longer = { recurrence: 'FREQ=DAILY;COUNT=3', guests: [ANN, BOB] };
    const changed = await change(first, longer, { scope: 'all' });
    expect(states(changed)).toEqual([
      [ANN.email, 0, 'sent'],
      [BOB.email, undefined, undefined],
    ]);
    const { rows } = await running.app.pool.query<{ guests: CalendarEvent['guests'] }>(
      'select guests from events where series_id = $1 and id <> $2',
      [changed.series, first.id],
    );
    expect(rows).toHaveLength(2);
    for (const { guests } of rows)
      expect(guests.map(({ invited }) => invited)).toEqual([null, null]);
  });

  test('get each version once for a key, and what became of the mail is kept', async () => {
    const event = await addEvent(running.app, ada.token, { guests: [ANN, BOB] });
    const { faults } = running.google;
    faults.push({ path: /send$/, destroy: true, afterwards: true });
    const lost = await invite(event, [ANN.email], { key: 'lost' });
    expect([lost.status, sent.length]).toEqual([504, 1]);
    expect((await invite(event, [ANN.email], { key: 'lost' })).status).toBe(504);
    expect(sent).toHaveLength(1);
    faults.push({ path: /send$/, status: 429, times: Infinity });
    expect((await invite(event, [BOB.email], { key: 'busy' })).status).toBe(429);
    faults.length = 0;
    const asked = { token: ada.token, params: { id: event.id } };
    const { body } = await running.app.call(calendarRoutes.readEvent, asked);
    expect(states(body).map(([, , state]) => state)).toEqual(['unknown', 'failed']);
    for (const _ of [1, 2])
      expect((await invite(event, [BOB.email], { key: 'busy' })).status).toBe(200);
    expect(sent).toHaveLength(2);
    // The failed one was never received.
    expect((await mails())[1]?.subject).toMatch(/^Invitation: /);
    await change(event, { title: 'Elsewhere' });
    await invite(event, [BOB.email], { key: 'busy' });
    expect((await mails()).map(({ sequence }) => sequence)).toEqual([1]);
  });

  test('are invited by its people with a mailbox alone, never through a wall', async () => {
    const eve = await registerUser(running.app);
    const { token } = ada;
    const matter = await openCase(running.app, token);
    const people = [ada.id, eve.id];
    const event = await addEvent(running.app, token, { case: matter.id, guests: [ANN], people });
    const [unconnected, signedOut] = [
      await invite(event, [ANN.email], { by: eve }),
      await invite(event, [ANN.email], { by: { ...eve, token: '' } }),
    ];
    expect([unconnected.status, unconnected.code]).toEqual([409, 'googleNotConnected']);
    expect(signedOut.message).toBe('Unauthorized token provided');
    const hers = await addEvent(running.app, token, { private: true, guests: [ANN] });
    expect((await invite(hers, [ANN.email], { by: ben })).status).toBe(403);
    expect((await invite(event, [])).message).toBe('Choose a guest');
    await change(event, { cancelled: true });
    expect((await invite(event, [ANN.email])).message).toBe(`Not invited yet: ${ANN.email}`);
    await restrict(running.app, { token, id: matter.id, people: [ada.id] });
    const hidden = await invite(event, [ANN.email], { by: ben });
    const unknown = await invite({ id: ada.id }, [ANN.email], { by: ben });
    expect([hidden.status, hidden.text]).toEqual([404, unknown.text]);
    expect(sent).toEqual([]);
  });
});

const COURT = 'clerk@court.example';

type Calendar = {
  uid: string;
  sequence?: number;
  method?: string;
  lines?: string[];
  from?: string;
};

/** Delivers an invitation to Ada. @returns the id of its mail */
async function deliver({
  uid,
  sequence = 0,
  method = 'REQUEST',
  lines = [],
  from = COURT,
}: Calendar) {
  const event = [
    `UID:${uid}`,
    `SEQUENCE:${sequence}`,
    `DTSTAMP:2038010${sequence + 1}T000000Z`,
    `ORGANIZER:mailto:${COURT}`,
    'SUMMARY:Status conference',
    'DTSTART:20380210T150000Z',
    'DTEND:20380210T160000Z',
    ...lines,
  ];
  const all = ['BEGIN:VCALENDAR', 'VERSION:2.0', `METHOD:${method}`, 'BEGIN:VEVENT', ...event];
  const content = [...all, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
  const raw = await composeMail({
    from: `The clerk <${from}>`,
    to: ADA.email,
    subject: 'Status conference',
    text: 'See the invitation.',
    icalEvent: { method, content },
  });
  return (await running.google.deliver(ADA.email, raw)).id;
}

async function invitationIn(mailId: string) {
  const params = { userEmail: ada.email, mailId };
  const reply = await running.app.call(mailRoutes.readMail, { token: ada.token, params });
  expect(reply.status).toBe(200);
  return reply.body.data.invitation;
}

function take(mailId: string, body: object = {}, { by = ada, key }: Asked = {}) {
  return running.app.call(eventInvitationRoutes.takeInvitation, {
    token: by.token,
    params: { mailId },
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
}

describe('an invitation in a mail', () => {
  test('is taken by a click, then updated and canceled by its organizer alone', async () => {
    const uid = 'status-1@court.example';
    const matter = await openCase(running.app, ada.token);
    const first = await deliver({ uid });
    const about = {
      title: 'Status conference',
      start: '2038-02-10T15:00:00.000Z',
      end: '2038-02-10T16:00:00.000Z',
      organizer: COURT,
    };
    expect(await invitationIn(first)).toEqual({ ...about, action: 'add', event: null });
    const socket = await running.app.socket(ben.token);
    const created = nextEvent(socket, 'event.created');
    const updated = nextEvent(socket, 'event.updated');
    const taken = await take(first, { case: matter.id, kind: 'hearing' });
    expect(taken.status).toBe(201);
    expect((await created).id).toBe(taken.body.id);
    const { body: event } = taken;
    expect(event).toMatchObject({
      title: about.title,
      start: about.start,
      end: about.end,
      kind: 'hearing',
      case: { id: matter.id },
      source: { type: 'mail', id: first },
      organizer: { id: ada.id },
    });
    expect(await invitationIn(first)).toMatchObject({ action: 'skip', event: event.id });

    const lines = ['LOCATION:Room 9'];
    const forged = await deliver({ uid, sequence: 2, lines, from: 'eve@evil.example' });
    expect(await invitationIn(forged)).toMatchObject({ action: 'skip', event: event.id });
    expect((await take(forged)).status).toBe(409);
    const update = await deliver({ uid, sequence: 1, lines });
    expect(await invitationIn(update)).toMatchObject({ action: 'update', event: event.id });
    const moved = (await take(update)).body;
    expect(await updated).toMatchObject({ id: event.id, location: 'Room 9' });
    expect(moved).toMatchObject({ id: event.id, location: 'Room 9', case: { id: matter.id } });
    // An older version that is read late changes nothing.
    expect((await take(first)).body.location).toBe('Room 9');
    const end = await deliver({ uid, sequence: 2, method: 'CANCEL' });
    expect(await invitationIn(end)).toMatchObject({ action: 'cancel', event: event.id });
    expect((await take(end)).body).toMatchObject({ id: event.id, cancelled: true });
  });

  test('that is canceled by its organizer proposes to vacate what counts from it', async () => {
    const uid = 'trigger@court.example';
    const { token } = ada;
    const matter = await openCase(running.app, token);
    const { body: event } = await take(await deliver({ uid }), { case: matter.id });
    const { rules } = (await running.app.call(courtRuleRoutes.listRules, { token })).body;
    const rule = { rule: rules[0]?.id ?? '', steps: [0], trigger: { event: event.id } };
    const body = { ...rule, case: matter.id, owner: ada.id, second: ben.id };
    expect((await running.app.call(proposalRoutes.applyRule, { token, body })).status).toBe(201);
    await take(await deliver({ uid, sequence: 1, method: 'CANCEL' }));
    const { proposals } = (await running.app.call(proposalRoutes.listProposals, { token })).body;
    expect(proposals).toMatchObject([{ trigger: { id: event.id }, items: [{ to: null }] }]);
  });

  test('of a series is taken with its occurrences, and one of them alone is moved', async () => {
    const uid = 'weekly@court.example';
    const all = await deliver({ uid, lines: ['RRULE:FREQ=WEEKLY;COUNT=3'] });
    const { body: event } = await take(all);
    expect(event.recurrence).toBe('FREQ=WEEKLY;COUNT=3');
    const second = ['RECURRENCE-ID:20380217T150000Z', 'LOCATION:Elsewhere'];
    const part = await deliver({ uid, sequence: 1, lines: second });
    expect(await invitationIn(part)).toMatchObject({ action: 'update' });
    const moved = (await take(part)).body;
    expect(moved).toMatchObject({ series: event.series, location: 'Elsewhere' });
    expect(moved.id).not.toBe(event.id);
  });

  test('is none where nothing can be taken, and its mail is read all the same', async () => {
    const uid = 'odd@court.example';
    const reply = await deliver({ uid, method: 'REPLY' });
    const hostile = await deliver({ uid, lines: ['RRULE:FREQ=SECONDLY'] });
    const long = await deliver({ uid, lines: [`DESCRIPTION:${'x'.repeat(600_000)}`] });
    for (const id of [reply, hostile, long]) expect(await invitationIn(id)).toBeNull();
    expect((await take(reply)).message).toBe('Invitation not found');
    const unknown = await deliver({ uid, method: 'CANCEL' });
    expect(await invitationIn(unknown)).toMatchObject({ action: 'skip', event: null });
    expect((await take(unknown)).message).toBe('The organizer canceled it');
    expect((await take('unknown')).status).toBe(404);
    const theirs = await deliver({ uid });
    expect((await take(theirs, {}, { by: ben })).status).toBe(404);
    expect((await take(theirs, { case: ben.id })).message).toBe('Please select any case');
    // An invitation by this calendar is not added again.
    const own = await addEvent(running.app, ben.token);
    const sent = await deliver({ uid: `${own.id}@matterdesk`, sequence: 5 });
    expect(await invitationIn(sent)).toMatchObject({ action: 'skip', event: own.id });
    expect((await take(sent)).body).toMatchObject({ id: own.id, title: own.title });
  });

  test('behind a wall is that of an unknown event', async () => {
    const eve = await registerAdmin(running.app);
    const [uid, token] = ['walled@court.example', eve.token];
    const matter = await openCase(running.app, token);
    await connect(running, eve, ADA.email);
    const id = await deliver({ uid });
    const { body } = await take(id, { case: matter.id }, { by: eve });
    const params = { kind: 'cases', id: matter.id };
    await restrict(running.app, { token, ...params, people: [eve.id] });
    const update = await deliver({ uid, sequence: 1 });
    expect(await invitationIn(update)).toMatchObject({ action: 'add', event: null });
    const { body: event } = await take(update, {}, { key: 'walled' });
    expect(event.id).not.toBe(body.id);
    expect((await take(update, {}, { key: 'walled' })).body.id).toBe(event.id);
  });
});
