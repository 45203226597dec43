import ICAL from 'ical.js';
import ical from 'node-ical';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { calendarRoutes, type CalendarEvent, type Scope } from '@matterdesk/contract/calendar.ts';
import { eventInvitationRoutes } from '@matterdesk/contract/calendar-invitations.ts';
import {
  addEvent,
  openCase,
  registerAdmin,
  registerManager,
  registerUser,
  type SignedInPerson,
} from '../../../testing/factories.ts';
import type { SentMail } from '../../../testing/google-gmail.ts';
import { ADA, BEN, connect, startMailTest, type MailTest } from '../../../testing/mail.ts';

const ANN = { name: 'Ann Ryan', email: 'ann@client.example' };
const BOB = { name: '', email: 'Bob@client.example' };

let running: MailTest;
let ada: SignedInPerson;
let ben: SignedInPerson;
let sent: SentMail[] = [];

beforeAll(async () => {
  running = await startMailTest({ onSend: (mail) => sent.push(mail) });
  ada = await registerAdmin(running.app);
  ben = await registerManager(running.app);
  await connect(running, ada, ADA.email);
  await connect(running, ben, BEN.email);
});
afterAll(() => running.close());
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
  { by = ada, scope }: By & { scope?: Scope } = {},
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

/** By recipient, since they are sent in any order. */
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
    expect(states(body.event)).toEqual([
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
      start: '2027-02-03T15:00:00Z',
    });
    expect(toAnn?.letter).toMatch(
      /^Hi\n\nMediation\nWednesday, February 3, 2027 at .*\nWhere: Room 5/,
    );
    expect(toAnn?.organizer?.getFirstValue()).toBe(`mailto:${ADA.email}`);
    expect(toAnn?.raw.toLowerCase()).not.toMatch(/bob@|90,000/);
    expect(toBob?.raw).not.toMatch(/ann@|Ryan/);

    // What guests do not see is no news for them.
    expect((await change(event, { notes: 'Less', people: [ada.id, ben.id] })).sequence).toBe(0);
    const moved = await change(event, { start: event.end, end: '2027-02-03T17:00:00.000Z' });
    expect(states(moved)[0]).toEqual([ANN.email, 0, 'sent']);
    await invite(event, [ANN.email], { by: ben });
    const [update] = await mails();
    expect(update).toMatchObject({ method: 'REQUEST', sequence: 1, uid: toAnn?.uid });
    expect(update?.subject).toBe('Updated invitation: Mediation');
    // The calendar of the guest takes updates from the first organizer alone.
    expect(update?.organizer?.getFirstValue()).toBe(`mailto:${ADA.email}`);
    expect(update?.organizer?.getParameter('sent-by')).toBe(`mailto:${BEN.email}`);

    await change(event, { cancelled: true });
    const { body: last } = await invite(event, [ANN.email, BOB.email]);
    expect(states(last.event).map(([, sequence]) => sequence)).toEqual([2, 2]);
    for (const mail of await mails())
      expect(mail).toMatchObject({ method: 'CANCEL', sequence: 2, subject: 'Canceled: Mediation' });
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
    expect(states(body.event).map(([, , state]) => state)).toEqual(['unknown', 'failed']);
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
    const event = await addEvent(running.app, token, { case: matter.id, guests: [ANN] });
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
    const params = { kind: 'cases', id: matter.id };
    const { access } = (await running.app.call(accessRoutes.readAccess, { token, params })).body;
    const wall = { mode: 'restricted', people: [ada.id], screened: [], reason: 'Wall' };
    const body = { ...wall, updatedAt: access.updatedAt };
    const walled = await running.app.call(accessRoutes.changeAccess, { token, params, body });
    expect(walled.status).toBe(200);
    const hidden = await invite(event, [ANN.email], { by: ben });
    const unknown = await invite({ id: ada.id }, [ANN.email], { by: ben });
    expect([hidden.status, hidden.text]).toEqual([404, unknown.text]);
    expect(sent).toEqual([]);
  });
});
