import { afterEach, describe, expect, test } from 'vitest';
import {
  mailPushRoutes,
  type MailReceived,
  mailAccountRoutes,
} from '@matterdesk/contract/mails.ts';
import { startTestApp } from '../../../testing/app.ts';
import { nextEvent } from '../../../testing/client.ts';
import { eventually } from '../../../testing/eventually.ts';
import { registerUser, type SignedInPerson } from '../../../testing/factories.ts';
import { newKeys, signJwt } from '../../../testing/google-accounts.ts';
import {
  ADA,
  BEN,
  connect,
  makeDue,
  plainMail,
  startMailTest,
  type MailTest,
} from '../../../testing/mail.ts';

let running: MailTest;
let ada: SignedInPerson;

afterEach(() => running.close());

/** Ada's mailbox is watched, and its next poll is an hour away. */
async function start() {
  running = await startMailTest({ isPushed: true });
  ada = await registerUser(running.app);
  await connect(running, ada);
  await watched();
  await change({ poll_at: new Date(Date.now() + 3_600_000) });
}

const grants = () => running.app.db.selectFrom('google_grants').selectAll().execute();
const change = (values: { poll_at?: Date; watch_at?: Date; watched_until?: Date }) =>
  running.app.db.updateTable('google_grants').set(values).execute();
const asked = (path: RegExp) =>
  running.google.requests.filter((request) => path.test(request.path)).length;
const watched = () =>
  eventually(async () =>
    expect((await grants()).every(({ watched_until: until }) => until !== null)).toBe(true),
  );
const path = mailPushRoutes.receivePush.path;
const secondsUntil = (date: Date | null | undefined) =>
  ((date?.getTime() ?? 0) - Date.now()) / 1000;

describe('a push from Google', () => {
  test('reports new mail at once, with one call to Google and no token in the log', async () => {
    await start();
    const socket = await running.app.socket(ada.token);
    const news = nextEvent(socket, 'mail.received');
    const { id } = await running.google.deliver(ADA.email, plainMail());
    expect(await news).toEqual({ section: 'inbox', ids: [id] });
    expect(asked(/history$/)).toBe(1);
    const log = JSON.stringify(running.app.logLines());
    expect(log).toContain(path);
    expect(log).not.toMatch(/eyJ|ada@firm/);
  });

  test('reports each of many mails once, also when pushes overlap', async () => {
    await start();
    const socket = await running.app.socket(ada.token);
    const events: string[] = [];
    socket.on('mail.received', (news: MailReceived) => events.push(...news.ids));
    const mails = Array.from({ length: 5 }, () => running.google.deliver(ADA.email, plainMail()));
    const ids = (await Promise.all(mails)).map(({ id }) => id);
    await eventually(() => expect(events).toHaveLength(5));
    expect(events.toSorted()).toEqual(ids.toSorted());
  });

  test('causes no request to Google when it is repeated, outdated, or about an unconnected mailbox', async () => {
    await start();
    const { pushes } = running.google;
    const [grant] = await grants();
    const known = BigInt(grant?.history_id ?? 0);
    const changes = [
      { emailAddress: ADA.email, historyId: known.toString() },
      { emailAddress: ADA.email, historyId: (known - 1n).toString() },
      { emailAddress: BEN.email, historyId: (known + 1n).toString() },
      { emailAddress: ADA.email, historyId: '-1' },
      { emailAddress: ADA.email, historyId: {} },
      { emailAddress: `${ADA.email}\0`, historyId: '9' },
      { emailAddress: ADA.email, historyId: '9'.repeat(41) },
      { message: 'a test of the topic' },
      [],
    ];
    for (const data of changes) expect(await pushes.send(pushes.compose(data))).toBe(204);
    expect(asked(/history$/)).toBe(0);
    const outdated = pushes.compose({
      emailAddress: ADA.email.toUpperCase(),
      historyId: Date.now(),
    });
    await makeDue(running);
    expect(await pushes.send(outdated)).toBe(204);
    expect(await pushes.send({ ...outdated, body: '{"message":{"data":"%%%"}}' })).toBe(204);
  });

  test('is refused when it is forged, expired, or meant for another audience', async () => {
    await start();
    const { pushes } = running.google;
    const push = { emailAddress: ADA.email, historyId: '9'.repeat(20) };
    const now = Math.floor(Date.now() / 1000);
    const foreign = { aud: pushes.subscription?.audience, email_verified: true, iat: now };
    const claims = [
      { iat: now - 7200, exp: now - 3600 },
      { iat: now + 3600, exp: now + 7200 },
      { aud: 'https://elsewhere.example/api/v1/mails/google/push' },
      { aud: undefined },
      { iss: 'https://elsewhere.example' },
      { email: 'push@elsewhere.iam.gserviceaccount.com' },
      { email: undefined },
      { email_verified: false },
    ];
    const { authorization, body } = pushes.compose(push);
    const [head, , signature] = authorization.split('.');
    const forged = signJwt({ ...foreign, exp: now + 60 }, newKeys().privateKey);
    const bad = [
      ...claims.map((claim) => pushes.compose(push, claim).authorization),
      `Bearer ${forged}`,
      `${head}.${Buffer.from('{}').toString('base64url')}.${signature}`,
      authorization.slice(0, -4),
      authorization.replace('Bearer', 'Basic'),
      'Bearer x',
      `Bearer ${'x.'.repeat(50_000)}`.slice(0, 9000),
      '',
    ];
    for (const value of bad)
      expect([value, await pushes.send({ authorization: value, body })]).toEqual([value, 403]);
    expect(await pushes.send({ authorization: '', body: '{' })).toBe(403);
    for (const wrong of ['{', '{}', '{"message":{}}', '{"message":{"data":1}}'])
      expect(await pushes.send({ authorization, body: wrong })).toBe(400);
    expect(asked(/history$/)).toBe(0);
    expect(await pushes.send({ authorization, body })).toBe(204);
  });

  test('is resent later when Google’s keys cannot be read', async () => {
    await start();
    const { pushes, faults } = running.google;
    faults.push({ path: /certs/, status: 503, times: Infinity });
    const push = pushes.compose({ emailAddress: ADA.email, historyId: '1' });
    expect(await pushes.send(push)).toBe(502);
    faults.length = 0;
    expect(await pushes.send(push)).toBe(204);
  });
});

describe('a mailbox', () => {
  test('is watched again each day, and polled rarely while it is watched', async () => {
    await start();
    expect(running.google.pushes.watched.get(ADA.email)).toBe(
      running.google.pushEnv['GOOGLE_PUBSUB_TOPIC'],
    );
    await running.app.renewWatches();
    expect(asked(/watch$/)).toBe(1);
    await change({ watch_at: new Date(0), watched_until: new Date(0) });
    await running.app.socket(ada.token);
    const secondsToLook = async () => {
      await makeDue(running);
      await running.app.checkMail();
      return secondsUntil((await grants())[0]?.poll_at);
    };
    expect(await secondsToLook()).toBeLessThan(21);
    await running.app.renewWatches();
    const left = async () => secondsUntil((await grants())[0]?.watched_until);
    await eventually(async () => expect(await left()).toBeGreaterThan(600_000));
    expect(asked(/watch$/)).toBe(2);
    expect(secondsUntil((await grants())[0]?.watch_at)).toBeGreaterThan(80_000);
    expect(await secondsToLook()).toBeGreaterThan(60);
  });

  test('is watched for a new topic, although Google allows one topic at a time', async () => {
    await start();
    running.google.pushes.watched.set(ADA.email, 'projects/firm-desk/topics/older');
    await change({ watch_at: new Date(0) });
    await running.app.renewWatches();
    const topic = running.google.pushEnv['GOOGLE_PUBSUB_TOPIC'];
    await eventually(() => expect(running.google.pushes.watched.get(ADA.email)).toBe(topic));
  });

  test('is no longer watched once its last user disconnects', async () => {
    await start();
    const ben = await registerUser(running.app);
    await connect(running, ben);
    await watched();
    const leave = ({ token }: SignedInPerson) =>
      running.app.call(mailAccountRoutes.disconnect, { token });
    await leave(ben);
    await leave(ada);
    await eventually(() => expect(asked(/revoke$/)).toBeGreaterThan(0));
    expect(asked(/stop$/)).toBeGreaterThan(0);
    expect(running.google.pushes.watched.size).toBe(0);
  });

  test('is polled when Google refuses the watch, which is requested again within the hour', async () => {
    running = await startMailTest({ isPushed: true });
    running.google.faults.push({ path: /watch$/, status: 401, times: Infinity });
    ada = await registerUser(running.app);
    await connect(running, ada);
    await eventually(() => expect(asked(/watch$/)).toBeGreaterThan(0));
    const [grant] = await grants();
    expect(grant?.watched_until).toBeNull();
    expect(secondsUntil(grant?.watch_at)).toBeLessThan(3601);
    running.google.faults.length = 0;
    await change({ watch_at: new Date(0) });
    await running.app.renewWatches();
    await watched();
  });
});

test('without push settings the call is refused', async () => {
  running = await startMailTest();
  const none = await startTestApp();
  const send = ({ request }: typeof none) =>
    request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  const [half, whole] = [await send(running.app), await send(none)];
  expect([half.status, half.message]).toEqual([
    503,
    "Google push isn't set up. Ask your administrator.",
  ]);
  expect([whole.status, whole.message]).toEqual([
    503,
    "Email isn't set up yet. Ask your administrator.",
  ]);
  await none.close();
});
