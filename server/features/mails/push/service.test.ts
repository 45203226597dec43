import { expect, test } from 'vitest';
import type { MailReceived } from '@matterdesk/contract/mails.ts';
import { nextEvent } from '../../../testing/client.ts';
import { eventually } from '../../../testing/eventually.ts';
import { registerUser, type SignedInPerson } from '../../../testing/factories.ts';
import { ADA, BEN, connected, mailSuite, makeDue, plainMail } from '../../../testing/mail.ts';

const { running, ada, ben } = mailSuite(
  { ada: connected(registerUser), ben: connected(registerUser, BEN) },
  { isFresh: true },
);

async function look() {
  await makeDue(running);
  await running.app.checkMail();
}
const grantOf = ({ id }: SignedInPerson) =>
  running.app.db
    .selectFrom('google_grants')
    .selectAll()
    .where('user_id', '=', id)
    .executeTakeFirst();
const looks = () => running.google.requests.filter(({ path }) => path.endsWith('/history')).length;

test('new mail notifies all open pages of its owner and no one else', async () => {
  const [first, second, others] = await Promise.all([
    running.app.socket(ada.token),
    running.app.socket(ada.token),
    running.app.socket(ben.token),
  ]);
  const events: MailReceived[] = [];
  others?.on('mail.received', (news) => events.push(news));
  const news = [first, second].map((socket) => socket && nextEvent(socket, 'mail.received'));
  const { id } = await running.google.deliver(ADA.email, plainMail());
  await look();
  for (const event of news) expect(await event).toEqual({ section: 'inbox', ids: [id] });
  const own = others && nextEvent(others, 'mail.received');
  const bens = await running.google.deliver(BEN.email, plainMail(), { labels: ['SENT'] });
  await look();
  expect(await own).toEqual({ section: 'sent', ids: [bens.id] });
  expect(events).toHaveLength(1);
});

test('the server does not check the mailbox of a user without an open page', async () => {
  const looking = await running.startBeside({ waits: { google: { tick: 20 } } });
  const socket = await looking.socket(ben.token);
  const news = nextEvent(socket, 'mail.received');
  await running.google.deliver(BEN.email, plainMail());
  await makeDue(running);
  await news;
  expect((await grantOf(ada))?.poll_at).toEqual(new Date(0));
  await looking.close();
});

test('one of two processes checks the mailbox, and both notify', async () => {
  const other = await running.startBeside();
  const here = await running.app.socket(ada.token);
  const there = await other.socket(ada.token);
  const news = [nextEvent(here, 'mail.received'), nextEvent(there, 'mail.received')];
  const { id } = await running.google.deliver(ADA.email, plainMail());
  const before = looks();
  await makeDue(running);
  await Promise.all([running.app, other].map((app) => app.checkMail()));
  for (const event of news) expect(await event).toEqual({ section: 'inbox', ids: [id] });
  expect(looks() - before).toBe(1);
  await other.close();
});

test('rereads everything when Google’s history has expired, and then receives new mail again', async () => {
  const socket = await running.app.socket(ada.token);
  await running.google.deliver(ADA.email, plainMail());
  await running.google.forgetHistory();
  const refreshed = nextEvent(socket, 'mail.received');
  await running.app.db.updateTable('google_grants').set({ history_id: '1' }).execute();
  await look();
  expect((await refreshed).ids).toEqual([]);
  expect((await grantOf(ada))?.history_id).not.toBe('1');
  const known: string[] = [];
  socket.on('mail.received', ({ ids }) => known.push(...ids));
  const { id } = await running.google.deliver(ADA.email, plainMail());
  await look();
  await eventually(() => expect(known).toEqual([id]));
});

test('a failure of Google is retried with growing waits, and a revoked grant ends the retries', async () => {
  const socket = await running.app.socket(ada.token);
  running.google.faults.push({ path: /history/, status: 429, retryAfter: 600, times: 1 });
  await look();
  expect((await grantOf(ada))?.failures).toBe(1);
  const { poll_at: next } = (await grantOf(ada)) ?? {};
  expect(next?.getTime()).toBeGreaterThan(Date.now() + 500_000);
  const news = nextEvent(socket, 'mail.received');
  await running.google.deliver(ADA.email, plainMail());
  await look();
  await news;
  expect((await grantOf(ada))?.failures).toBe(0);
  const deactivated = nextEvent(socket, 'user.updated');
  running.google.revokeAll();
  await look();
  expect((await deactivated).id).toBe(ada.id);
  expect(await grantOf(ada)).toBeUndefined();
});
