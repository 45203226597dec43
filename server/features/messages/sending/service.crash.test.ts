import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { registerUser } from '../../../testing/factories.ts';
import { newPlace, startProcess, type ServerProcess } from '../../../testing/process.ts';
import { registerWithNumber, type PersonWithNumber } from '../../../testing/texting.ts';
import { startTwilio, type Twilio } from '../../../testing/twilio.ts';

let place: Awaited<ReturnType<typeof newPlace>>;
let env: Record<string, string>;
let twilio: Twilio;
let server: ServerProcess;
let line: PersonWithNumber;

beforeAll(async () => {
  place = await newPlace();
  twilio = await startTwilio();
  env = { ...twilio.env, ...place.env };
  server = startProcess({ env });
  await server.ready;
  line = await registerWithNumber(server);
});
afterAll(async () => {
  await server.kill();
  await twilio.close();
  place.remove();
});

/** Kills the server with all its processes and starts another. */
async function crash(): Promise<void> {
  await server.kill();
  server = startProcess({ env });
  await server.ready;
}

test('a text that is being sent is neither lost nor sent twice when the server is killed', async () => {
  const to = '+12125550100';
  const body = { from: line.phoneNumber, to, message: 'The hearing is on Monday' };
  const send = () =>
    server.call(messageRoutes.sendText, {
      token: line.token,
      body,
      headers: { 'idempotency-key': 'hearing' },
    });
  const history = async () => {
    const asked = { token: line.token, body: { from: line.phoneNumber, to } };
    return (await server.call(messageRoutes.readHistory, asked)).body.messages;
  };
  twilio.faults.push({ path: /Messages\.json$/, method: 'POST', delayMs: 60_000 });
  const cutOff = send().catch(() => 'cut off');
  await expect.poll(() => twilio.messages.length).toBe(1);
  await crash();
  expect(await cutOff).toBe('cut off');
  expect(await history()).toHaveLength(1);
  await expect.poll(async () => (await history())[0]?.status).toBe('queued');
  const again = await send();
  expect(again).toMatchObject({ status: 200, body: { message: { status: 'queued' } } });
  expect(twilio.messages).toHaveLength(1);
});

test('a number that is being bought is not lost when the server is killed', async () => {
  const { token, email } = await registerUser(server);
  const phoneNumber = '+16175550112';
  twilio.faults.push({ path: /IncomingPhoneNumbers\.json$/, method: 'POST', delayMs: 60_000 });
  const body = { phoneNumber, email };
  const cutOff = server.call(messageRoutes.buyNumber, { token, body }).catch(() => 'cut off');
  await expect
    .poll(() => twilio.requests.some(({ form }) => form['PhoneNumber'] === phoneNumber))
    .toBe(true);
  await crash();
  expect(await cutOff).toBe('cut off');
  const me = async () => (await server.call(accountRoutes.me, { token })).body.twilioConfig;
  await expect.poll(me).toEqual({ twilioPhoneNumber: phoneNumber, messagingEnabled: true });
});
