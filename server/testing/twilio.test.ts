import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import openTwilio from 'twilio';
import { afterEach, expect, test } from 'vitest';
import { startTwilio, type Twilio, type TwilioOptions } from './twilio.ts';

const OURS = '+14155550110';
const OTHERS = '+12125550177';
const PUBLIC = 'https://desk.example.com';

type Call = { path: string; isSigned: boolean; form: Record<string, string> };

let twilio: Twilio;
let product: Server | undefined;

afterEach(async () => {
  await twilio.close();
  product?.close();
  product = undefined;
});

async function start(options: TwilioOptions = {}) {
  const smsUrl = `${PUBLIC}/in?a=1`;
  twilio = await startTwilio({ numbers: [{ phoneNumber: OURS, smsUrl }], ...options });
  const { TWILIO_ACCOUNT_SID = '', TWILIO_AUTH_TOKEN = '', TWILIO_BASE_URL = '' } = twilio.env;
  const client = openTwilio(TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN);
  client.api.baseUrl = TWILIO_BASE_URL;
  return client;
}

/** Calls to the product's webhooks, verified with Twilio's own library. */
async function listen(reply = '<Response/>') {
  const calls: Call[] = [];
  product = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      const path = request.url ?? '';
      const signature = String(request.headers['x-twilio-signature']);
      const token = twilio.env['TWILIO_AUTH_TOKEN'] ?? '';
      const isSigned = openTwilio.validateRequest(token, signature, PUBLIC + path, form);
      calls.push({ path, isSigned, form });
      response.end(reply);
    });
  }).listen(0, '127.0.0.1');
  await once(product, 'listening');
  twilio.webhookBase = `http://127.0.0.1:${(product.address() as AddressInfo).port}`;
  return calls;
}

test('the stand-in offers numbers, sells each once and reports whose texts arrive where', async () => {
  const client = await start({ numbers: [] });
  const offers = await client.availablePhoneNumbers('US').local.list({ areaCode: 415, limit: 5 });
  const [first, second] = offers;
  expect(first).toMatchObject({ region: 'CA', friendlyName: '(415) 555-0110' });
  expect(first?.capabilities).toMatchObject({ SMS: true });
  const phoneNumber = first?.phoneNumber ?? '';
  const bought = await client.incomingPhoneNumbers.create({ phoneNumber, smsUrl: `${PUBLIC}/in` });
  expect(bought).toMatchObject({ phoneNumber, smsUrl: `${PUBLIC}/in` });
  await expect(client.incomingPhoneNumbers.create({ phoneNumber })).rejects.toMatchObject({
    status: 400,
    code: 21_422,
  });
  twilio.sellElsewhere(second?.phoneNumber ?? '');
  const left = await client.availablePhoneNumbers('US').local.list({ areaCode: 415 });
  expect(left.map((offer) => offer.phoneNumber)).not.toContain(second?.phoneNumber);
  const [found] = await client.incomingPhoneNumbers.list({ phoneNumber });
  expect(found?.sid).toBe(bought.sid);
  expect(twilio.violations).toEqual([]);
  const other = openTwilio(twilio.env['TWILIO_ACCOUNT_SID'], 'wrong');
  other.api.baseUrl = twilio.env['TWILIO_BASE_URL'] ?? '';
  await expect(other.messages.list()).rejects.toMatchObject({ status: 401, code: 20_003 });
});

test('the stand-in accepts a text, advances it and sends signed updates', async () => {
  const client = await start();
  const calls = await listen();
  const statusCallback = `${PUBLIC}/status`;
  const sent = { from: OURS, to: OTHERS, body: `Grüße ${'😀'.repeat(80)}`, statusCallback };
  const message = await client.messages.create(sent);
  expect(message).toMatchObject({ status: 'queued', dateSent: null, numSegments: '3' });
  await twilio.advance(message.sid, 'sent');
  await twilio.advance(message.sid, 'undelivered', 30_034);
  expect(calls.map(({ isSigned, form }) => [isSigned, form['MessageStatus']])).toEqual([
    [true, 'sent'],
    [true, 'undelivered'],
  ]);
  expect(calls.at(-1)?.form).toMatchObject({ ErrorCode: '30034', MessageSid: message.sid });
  const kept = await client.messages(message.sid).fetch();
  expect(kept).toMatchObject({ status: 'undelivered', errorCode: 30_034, body: sent.body });
  expect(kept.dateSent).toBeInstanceOf(Date);
});

test.each([
  [{ to: '+15005550001' }, 21_211],
  [{ to: '+15005550002' }, 21_612],
  [{ to: '+15005550003' }, 21_408],
  [{ to: '+15005550004' }, 21_610],
  [{ to: '+15005550009' }, 21_614],
  [{ to: 'nobody' }, 21_211],
  [{ to: OURS }, 21_266],
  [{ from: OTHERS }, 21_606],
  [{ body: '' }, 21_602],
  [{ body: 'x'.repeat(1601) }, 21_617],
])('the stand-in refuses %o with %i', async (given, code) => {
  const client = await start();
  const sent = { from: OURS, to: OTHERS, body: 'Hello', ...given };
  await expect(client.messages.create(sent)).rejects.toMatchObject({ status: 400, code });
});

test('delivers a text with an image to the webhook, and its reply back', async () => {
  const client = await start();
  const calls = await listen('<Response><Message>Thank &amp; you</Message></Response>');
  const media = [{ contentType: 'image/png', bytes: Buffer.from('picture') }];
  const { status, sid } = await twilio.receive({ from: OTHERS, to: OURS, body: 'Hi', media });
  expect(status).toBe(200);
  const [call] = calls;
  expect(call).toMatchObject({ isSigned: true, path: '/in?a=1' });
  expect(call?.form).toMatchObject({ From: OTHERS, NumMedia: '1', MessageSid: sid });
  const address = call?.form['MediaUrl0'] ?? '';
  expect((await fetch(address)).status).toBe(401);
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } = twilio.env;
  const authorization = `Basic ${btoa(`${TWILIO_ACCOUNT_SID}:${TWILIO_AUTH_TOKEN}`)}`;
  const picture = await fetch(address, { headers: { authorization } });
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect(await picture.text()).toBe('picture');
  const [reply] = await client.messages.list({ from: OURS, to: OTHERS });
  expect(reply).toMatchObject({ body: 'Thank & you', direction: 'outbound-reply' });
});

test('obeys STOP and START, even without the webhook', async () => {
  const client = await start();
  const calls = await listen();
  const text = { from: OURS, to: OTHERS, body: 'Hello' };
  await twilio.receive({ from: OTHERS, to: OURS, body: ' stop ', missed: true });
  expect(calls).toEqual([]);
  await expect(client.messages.create(text)).rejects.toMatchObject({ code: 21_610 });
  await twilio.receive({ from: OTHERS, to: OURS, body: 'START' });
  expect((await client.messages.create(text)).status).toBe('queued');
});

test('pages through one conversation during others, and filters by day', async () => {
  const client = await start();
  for (let index = 0; index < 25; index += 1) {
    const from = index % 2 === 0 ? OTHERS : '+13125550199';
    await twilio.receive({ from, to: OURS, body: String(index), missed: true });
  }
  const page = await client.messages.page({ from: OTHERS, pageSize: 10 });
  await twilio.receive({ from: OTHERS, to: OURS, body: 'late', missed: true });
  const next = await page.nextPage();
  const seen = [...page.instances, ...(next?.instances ?? [])].map(({ body }) => body);
  expect(seen).toEqual(Array.from({ length: 13 }, (_, index) => String(24 - index * 2)));
  const tomorrow = new Date(Date.now() + 86_400_000);
  expect(await client.messages.list({ dateSentAfter: tomorrow })).toEqual([]);
  expect(await client.messages.list({ dateSentBefore: tomorrow })).toHaveLength(26);
  expect(twilio.violations).toEqual([]);
});

test('delivers a text to another number of the firm by itself', async () => {
  const client = await start({
    numbers: [{ phoneNumber: OURS }, { phoneNumber: OTHERS, smsUrl: `${PUBLIC}/in` }],
    pace: 1,
  });
  const calls = await listen();
  const { sid } = await client.messages.create({ from: OURS, to: OTHERS, body: 'Over there' });
  await expect.poll(async () => (await client.messages(sid).fetch()).status).toBe('delivered');
  await expect.poll(() => calls.map(({ form }) => form['Body'])).toEqual(['Over there']);
  const lost = await client.messages.create({ from: OURS, to: '+15005550034', body: 'x' });
  await expect.poll(async () => (await client.messages(lost.sid).fetch()).errorCode).toBe(30_034);
});

test('the stand-in records what Twilio’s description does not allow', async () => {
  await start();
  const { TWILIO_BASE_URL, TWILIO_ACCOUNT_SID } = twilio.env;
  const root = `${TWILIO_BASE_URL}/2010-04-01/Accounts/${TWILIO_ACCOUNT_SID}`;
  const body = new URLSearchParams({ To: '555', Text: 'x', StatusCallback: '/status' });
  await fetch(`${root}/Messages.json`, { method: 'POST', body });
  await fetch(`${root}/Messages.json?PageSize=5000&DateSent%3E=yesterday`);
  await fetch(`${root}/Messages/SM1.json`);
  expect(twilio.violations).toEqual([
    'CreateMessage: From or MessagingServiceSid is missing',
    'CreateMessage: Body or MediaUrl or ContentSid is missing',
    'CreateMessage: To is no phone-number',
    'CreateMessage: Text is unknown',
    'CreateMessage: StatusCallback is no uri',
    'ListMessage: PageSize is no integer',
    'ListMessage: DateSent> is no date-time',
    'GET of an unknown path',
  ]);
});

test('loses the reply of a sent text on request', async () => {
  const client = await start();
  twilio.faults.push({ path: /Messages/, method: 'POST', destroy: true, afterwards: true });
  const text = { from: OURS, to: OTHERS, body: 'Twice?' };
  await expect(client.messages.create(text)).rejects.toThrow('');
  expect(await client.messages.list(text)).toHaveLength(1);
  twilio.faults.push({ path: /Messages/, status: 429, retryAfter: 1 });
  await expect(client.messages.create(text)).rejects.toMatchObject({ status: 429, code: 20_429 });
  expect(twilio.requests.at(-1)?.form).toMatchObject({ Body: 'Twice?' });
});
