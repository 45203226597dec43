import { describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { messageRoutes, type TextMessage } from '@matterdesk/contract/messages.ts';
import { startTestApp, type TestAppOptions } from '../../testing/app.ts';
import { nextEvent } from '../../testing/client.ts';
import { registerUser } from '../../testing/factories.ts';
import { registerWithNumber, textingEnv, textSuite } from '../../testing/texting.ts';
import { newMessage } from '../../testing/twilio-world.ts';

const { app, twilio, line } = textSuite({ line: registerWithNumber });

/** A second process of the same firm, without jobs. */
const startBeside = (options: TestAppOptions = {}) =>
  startTestApp({ env: textingEnv(twilio), database: app.database, jobs: false, ...options });
const post = { path: /Messages\.json$/, method: 'POST' };
const buying = { path: /IncomingPhoneNumbers\.json$/, method: 'POST' };
let callers = 0;
const newCaller = () => {
  callers += 1;
  return `+1646555${String(2000 + callers)}`;
};
const history = async (to: string): Promise<TextMessage[]> => {
  const body = { from: line.phoneNumber, to, limit: 200 };
  return (await app.call(messageRoutes.readHistory, { token: line.token, body })).body.messages;
};
const send = (to: string, { message = 'Hello', key = '', by = app } = {}) =>
  by.call(messageRoutes.sendText, {
    token: line.token,
    body: { from: line.phoneNumber, to, message },
    ...(key && { headers: { 'idempotency-key': key } }),
  });
const age = (to: string, minutes: number) =>
  app.pool.query(
    `update text_messages set created_at = created_at - make_interval(mins => $2) where other_number = $1`,
    [to, minutes],
  );

describe('a send whose reply is lost', () => {
  test('is unknown until it is found at Twilio, and never sent again', async () => {
    const to = newCaller();
    twilio.faults.push({ ...post, destroy: true, afterwards: true });
    expect(await send(to, { key: 'lost' })).toMatchObject({ status: 502 });
    expect(await history(to)).toMatchObject([{ status: 'unknown' }]);
    expect(await send(to, { key: 'lost' })).toMatchObject({
      status: 504,
      message: /Don’t send this text again/,
    });
    const socket = await app.socket(line.token);
    const news = nextEvent(socket, 'message.statusChanged');
    await app.runMessageJobs();
    expect(await news).toMatchObject({ to, status: 'queued' });
    expect(await history(to)).toMatchObject([{ status: 'queued', error: null }]);
    expect(await send(to, { key: 'lost' })).toMatchObject({ status: 200 });
    expect(twilio.messages.filter((text) => text.to === to)).toHaveLength(1);
  });

  test('fails after ten minutes when Twilio never received it', async () => {
    const to = newCaller();
    twilio.faults.push({ ...post, status: 503 });
    await send(to);
    await app.runMessageJobs();
    expect(await history(to)).toMatchObject([{ status: 'unknown' }]);
    await age(to, 11);
    await app.runMessageJobs();
    expect(await history(to)).toMatchObject([
      {
        status: 'failed',
        error: { message: 'Twilio has no record of this text, so it wasn’t sent' },
      },
    ]);
    expect(twilio.messages.some((text) => text.to === to)).toBe(false);
  });

  test('is not confused with an identical text', async () => {
    const to = newCaller();
    twilio.faults.push({ ...post, destroy: true, afterwards: true });
    await send(to);
    twilio.faults.push({ ...post, destroy: true });
    await send(to);
    await send(to);
    await app.runMessageJobs();
    const found = await history(to);
    expect(found.map(({ status }) => status).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'queued',
      'queued',
      'unknown',
    ]);
    expect(twilio.messages.filter((text) => text.to === to)).toHaveLength(2);
  });

  test('is reported in time when Twilio is slow', async () => {
    const to = newCaller();
    const impatient = await startBeside({ waits: { twilio: 300 } });
    twilio.faults.push({ ...post, delayMs: 20_000 });
    expect(await send(to, { by: impatient })).toMatchObject({ status: 504 });
    await impatient.close();
    expect(await history(to)).toMatchObject([{ status: 'unknown' }]);
    await app.runMessageJobs();
    expect(await history(to)).toMatchObject([{ status: 'queued' }]);
  });
});

describe('the backfill', () => {
  test('finds missed texts with their time and attachments', async () => {
    const from = newCaller();
    const media = [{ contentType: 'image/gif', bytes: Buffer.from('GIF89a') }];
    await twilio.receive({ to: line.phoneNumber, from, body: 'missed', media, missed: true });
    const { body } = await send(from, { message: 'sent' });
    const message = twilio.messages.at(-1);
    if (message) Object.assign(message, { status: 'delivered', sent: new Date() });
    const elsewhere = { from: line.phoneNumber, to: from, body: 'from the console' };
    twilio.messages.push(
      newMessage({ ...elsewhere, direction: 'outbound-api', status: 'sent', sent: new Date() }),
    );
    await app.runMessageJobs();
    const found = await history(from);
    expect(found).toHaveLength(3);
    expect(found.find((text) => text.id === body.message.id)?.status).toBe('delivered');
    expect(found.find((text) => text.body === 'missed')).toMatchObject({
      status: 'received',
      media: [{ mimeType: 'image/gif' }],
    });
    expect(found.find((text) => text.body === 'from the console')?.status).toBe('sent');
    await app.runMessageJobs();
    expect(await history(from)).toHaveLength(3);
  });

  test('finds any number of missed texts', async () => {
    const from = newCaller();
    for (let count = 0; count < 150; count += 1) {
      const explanation = { from, to: line.phoneNumber, body: `Text ${count}` };
      const sent = new Date(Date.now() - (150 - count) * 1000);
      twilio.messages.push(
        newMessage({
          ...explanation,
          direction: 'inbound',
          status: 'received',
          created: sent,
          sent,
        }),
      );
    }
    await app.runMessageJobs();
    const found = await history(from);
    expect(found.map(({ body }) => body)).toEqual(
      Array.from({ length: 150 }, (_, count) => `Text ${count}`),
    );
  });
});

describe('an interrupted purchase', () => {
  const buy = async (phoneNumber: string) => {
    const person = await registerUser(app);
    const { token, email } = person;
    const body = { phoneNumber, email };
    const reply = await app.call(messageRoutes.buyNumber, { token, body });
    const me = async () => (await app.call(accountRoutes.me, { token })).body.twilioConfig;
    return { ...person, reply, me, body };
  };

  test('is found at Twilio at once and belongs to the buyer', async () => {
    twilio.faults.push({ ...buying, destroy: true, afterwards: true });
    const { reply, me } = await buy('+16175550112');
    expect(reply.status).toBe(200);
    expect(await me()).toEqual({ twilioPhoneNumber: '+16175550112', messagingEnabled: true });
  });

  test('is found at Twilio later where it cannot be asked at once', async () => {
    twilio.faults.push({ ...buying, destroy: true, afterwards: true });
    twilio.faults.push({ ...buying, method: 'GET', destroy: true });
    const { reply, me } = await buy('+16175550110');
    expect(reply).toMatchObject({ status: 502, message: /purchase isn’t confirmed yet/ });
    expect(await me()).toEqual({ twilioPhoneNumber: null, messagingEnabled: false });
    await app.runMessageJobs();
    expect(await me()).toEqual({ twilioPhoneNumber: '+16175550110', messagingEnabled: true });
  });

  test('that Twilio never received can be repeated', async () => {
    twilio.faults.push({ ...buying, destroy: true });
    const { token, reply, body, me } = await buy('+16175550111');
    expect(reply.status).toBe(502);
    await app.runMessageJobs();
    expect(await app.call(messageRoutes.buyNumber, { token, body })).toMatchObject({ status: 409 });
    await app.pool.query(`update phone_numbers set created_at = created_at - interval '3 minutes'`);
    await app.runMessageJobs();
    expect(await app.call(messageRoutes.buyNumber, { token, body })).toMatchObject({ status: 200 });
    expect(await me()).toMatchObject({ twilioPhoneNumber: '+16175550111' });
  });
});

test('every request to Twilio matches its published description', () => {
  expect(twilio.violations).toEqual([]);
});
