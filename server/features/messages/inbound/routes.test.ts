import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  messageRoutes,
  type TextMessage,
  textWebhookRoutes,
} from '@matterdesk/contract/messages.ts';
import { nextEvent } from '../../../testing/client.ts';
import { registerUser } from '../../../testing/factories.ts';
import { PUBLIC_URL, registerWithNumber, textSuite } from '../../../testing/texting.ts';

const { app, twilio, line } = textSuite({ line: registerWithNumber });

const inbound = textWebhookRoutes.receiveText.path;
const status = textWebhookRoutes.receiveStatus.path;
let callers = 0;
const newCaller = () => {
  callers += 1;
  return `+1646555${String(1000 + callers)}`;
};
const history = async (to: string, from = line): Promise<TextMessage[]> => {
  const { body } = await app.call(messageRoutes.readHistory, {
    token: from.token,
    body: { from: from.phoneNumber, to },
  });
  return body.messages;
};
const send = (to: string, message = 'Hello') =>
  app.call(messageRoutes.sendText, {
    token: line.token,
    body: { from: line.phoneNumber, to, message },
  });
const formOf = (own: Record<string, string> = {}) => ({
  AccountSid: twilio.env['TWILIO_ACCOUNT_SID'] ?? '',
  MessageSid: `SM${'a'.repeat(32)}`,
  From: '+16465550000',
  To: line.phoneNumber,
  Body: 'Hello',
  NumMedia: '0',
  ...own,
});
const post = (path: string, form: Record<string, string>, own: Record<string, string> = {}) =>
  app.request(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': twilio.sign(`${PUBLIC_URL}${path}`, form),
      ...own,
    },
    body: new URLSearchParams(form).toString(),
  });

describe('an incoming text', () => {
  test('gets an empty TwiML reply and notifies its owner alone', async () => {
    const from = newCaller();
    const stranger = await registerWithNumber(app);
    const other = await app.socket(stranger.token);
    const receivedByOther: unknown[] = [];
    // The event of the number that was just bought can still arrive.
    other.onAny((name: string) => name.startsWith('message') && receivedByOther.push(name));
    const socket = await app.socket(line.token);
    const news = nextEvent(socket, 'message.received');
    const reply = await twilio.receive({ to: line.phoneNumber, from, body: 'Grüße & Küsse\n100%' });
    const text = await news;
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.text).toContain('<Response></Response>');
    expect(text).toMatchObject({
      from,
      to: line.phoneNumber,
      body: 'Grüße & Küsse\n100%',
      status: 'received',
      error: null,
      media: [],
    });
    expect(await history(from)).toMatchObject([{ id: text.id }]);
    expect(receivedByOther).toEqual([]);
  });

  test('is stored once, however often Twilio reports it', async () => {
    const from = newCaller();
    const form = formOf({ From: from, MessageSid: `SM${'b'.repeat(32)}` });
    const replies = await Promise.all([1, 2, 3].map(() => post(inbound, form)));
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200]);
    expect(await history(from)).toHaveLength(1);
  });

  test('has Twilio’s time and is sorted by it', async () => {
    const from = newCaller();
    const { sid } = await twilio.receive({
      to: line.phoneNumber,
      from,
      body: 'second',
      missed: true,
    });
    const first = twilio.messages.find((text) => text.sid === sid);
    if (first) first.sent = new Date('2026-01-02T03:04:05Z');
    await twilio.receive({ to: line.phoneNumber, from, body: 'first told' });
    await post(inbound, formOf({ MessageSid: sid, From: from, Body: 'second' }));
    await expect
      .poll(async () => (await history(from)).map(({ body }) => body))
      .toEqual(['second', 'first told']);
    const [message] = await history(from);
    expect(message?.dateSent).toBe('2026-01-02T03:04:05.000Z');
  });

  test('to a number without an owner is stored and shown to no one', async () => {
    // Emulators have ids of their own form.
    const form = formOf({ To: '+14155559999', MessageSid: 'SMout7of9' });
    expect(await post(inbound, form)).toMatchObject({ status: 200 });
    const { rows } = await app.pool.query('select owner_id from text_messages where sid = $1', [
      form.MessageSid,
    ]);
    expect(rows).toEqual([{ owner_id: null }]);
  });

  test('shows its attachments to the owner of the number alone', async () => {
    const from = newCaller();
    const bytes = Buffer.from(
      '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489',
      'hex',
    );
    const media = [
      { contentType: 'image/png', bytes },
      { contentType: 'text/html', bytes: Buffer.from('<script>') },
    ];
    await twilio.receive({ to: line.phoneNumber, from, body: '', media });
    await expect.poll(async () => (await history(from))[0]?.media.length).toBe(2);
    const [message] = await history(from);
    const [picture, page] = message?.media ?? [];
    expect(picture?.mimeType).toBe('image/png');
    const ask = (url = '', token = line.token) =>
      fetch(app.url + url, { headers: { 'x-auth-token': token } });
    const shown = await ask(picture?.url);
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(shown.headers.get('content-disposition')).toContain('inline');
    expect(shown.headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    );
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(bytes);
    const hostile = await ask(page?.url);
    expect(hostile.headers.get('content-type')).toBe('application/octet-stream');
    expect(hostile.headers.get('content-disposition')).toContain('attachment');
    const stranger = await registerUser(app);
    expect((await ask(picture?.url, stranger.token)).status).toBe(404);
  });
});

describe('a webhook', () => {
  test.each([inbound, status])('%s changes nothing when forged', async (path) => {
    const form = formOf({ MessageSid: `SM${'d'.repeat(32)}`, MessageStatus: 'delivered' });
    const foreign = createHmac('sha1', 'guessed').update(path).digest('base64');
    const attempts = [
      post(path, form, { 'x-twilio-signature': foreign }),
      post(path, form, { 'x-twilio-signature': '' }),
      // Signed for the address of a forged Host header.
      post(path, form, { 'x-twilio-signature': twilio.sign(`${app.url}${path}`, form) }),
      post(path, form, { 'x-twilio-signature': twilio.sign(`${PUBLIC_URL}${path}?a=1`, form) }),
      post(
        path,
        { ...form, Body: 'Other' },
        { 'x-twilio-signature': twilio.sign(`${PUBLIC_URL}${path}`, form) },
      ),
      post(path, { ...form, AccountSid: `AC${'0'.repeat(32)}` }),
    ];
    for (const { status: code } of await Promise.all(attempts)) expect(code).toBe(403);
    const { rows } = await app.pool.query(
      `select sid from text_messages where sid = $1 union all select sid from text_statuses where sid = $1`,
      [form.MessageSid],
    );
    expect(rows).toEqual([]);
  });

  test('is refused when it is truncated, too long or not a form', async () => {
    const form = formOf();
    const body = new URLSearchParams(form).toString();
    const signature = twilio.sign(`${PUBLIC_URL}${inbound}`, form);
    const raw = (text: string, type = 'application/x-www-form-urlencoded') =>
      app.request(inbound, {
        method: 'POST',
        headers: { 'content-type': type, 'x-twilio-signature': signature },
        body: text,
      });
    expect(await raw(body.slice(0, -3))).toMatchObject({ status: 403 });
    expect(await raw(`${body}${'x'.repeat(70_000)}`)).toMatchObject({ status: 413 });
    expect(await raw('{}', 'application/json')).toMatchObject({ status: 415 });
    expect(await post(inbound, formOf({ MessageSid: 'nonsense' }))).toMatchObject({ status: 400 });
  });
});

describe('a hostile form', () => {
  const raw = (text: string, type = 'application/x-www-form-urlencoded') =>
    app.request(inbound, { method: 'POST', headers: { 'content-type': type }, body: text });

  test.each([
    ['of ten thousand names', Array.from({ length: 10_000 }, (_, at) => `${at}`).join('&')],
    ['of one name ten thousand times', 'a&'.repeat(10_000)],
    ['with names of objects', '__proto__=x&constructor=y&toString=z'],
    ['of bytes that are not text', 'Body=%ff%fe%00&%'],
    ['without anything', ''],
  ])('%s is refused without a signature', async (_name, text) => {
    expect(await raw(text)).toMatchObject({ status: 403, body: null });
  });

  test.each(['multipart/form-data; boundary=x', 'text/plain', 'text/xml'])(
    'as %s is unsupported',
    async (type) => {
      expect(await raw('--x--', type)).toMatchObject({ status: 415 });
    },
  );

  test('that repeats a member counts as lacking it', async () => {
    const { MessageSid, ...form } = formOf({ MessageSid: `SM${'e'.repeat(32)}` });
    const text = `${new URLSearchParams(form).toString()}&MessageSid=${MessageSid}&MessageSid=SM`;
    const fields = Object.entries({ ...form, MessageSid: 'SMMessageSid' + MessageSid });
    const signature = twilio.sign(`${PUBLIC_URL}${inbound}`, Object.fromEntries(fields));
    const reply = await app.request(inbound, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signature,
      },
      body: text,
    });
    expect(reply).toMatchObject({ status: 400 });
  });

  test('that is signed can contain anything without breaking the server', async () => {
    const from = newCaller();
    const form = formOf({
      From: from,
      MessageSid: `MM${'f'.repeat(32)}`,
      Body: '\0\ud800 \u202e',
      NumMedia: '1e9',
      MediaUrl0: `https://evil.example/Media/ME${'0'.repeat(32)}`,
      MediaContentType0: '\0image/png',
      MediaUrl1: 'file:///etc/passwd',
    });
    expect(await post(inbound, form)).toMatchObject({ status: 200 });
    const { sid } = (await send(from)).body.message && (twilio.messages.at(-1) ?? { sid: '' });
    for (const ErrorCode of ['1e309', '-1', '30003.5', 'x', '99999999999999'])
      expect(
        await post(status, formOf({ MessageSid: sid, MessageStatus: 'undelivered', ErrorCode })),
      ).toMatchObject({ status: 204 });
    expect((await history(from)).find((text) => text.status === 'undelivered')?.error).toEqual({
      code: 0,
      message: 'The carrier gave no reason',
    });
  });
});

describe('an attachment', () => {
  const incoming = async (bytes: Buffer) => {
    const from = newCaller();
    const media = [{ contentType: 'image/png', bytes }];
    await twilio.receive({ to: line.phoneNumber, from, body: 'Look', media });
    await expect.poll(async () => (await history(from))[0]?.media.length).toBe(1);
    const [message] = await history(from);
    return app.request(message?.media[0]?.url ?? '', { headers: { 'x-auth-token': line.token } });
  };

  test('of more than 20 MB is requested once and refused, and its text stays', async () => {
    const asked = twilio.requests.length;
    const reply = await incoming(Buffer.alloc(20 * 1024 * 1024 + 1));
    expect(reply).toMatchObject({
      status: 404,
      message: 'Twilio couldn’t deliver this attachment',
    });
    const served = twilio.requests.slice(asked).filter(({ path }) => path.startsWith('/media/'));
    expect(served).toHaveLength(1);
    await app.runMessageJobs();
    expect(twilio.requests.filter(({ path }) => path === served[0]?.path)).toHaveLength(1);
  });

  test('that Twilio does not have is not found', async () => {
    twilio.faults.push({ path: /\/Media\//, status: 404 });
    expect(await incoming(Buffer.from('gone'))).toMatchObject({ status: 404 });
  });
});

describe('a status', () => {
  test('only moves forward and notifies the owner', async () => {
    const to = newCaller();
    const { body } = await send(to);
    const socket = await app.socket(line.token);
    // A status can be reported twice, the second time with Twilio's time.
    const statuses = new Set<string>();
    socket.on('message.statusChanged', (text) => {
      if (text.to === to) statuses.add(text.status);
    });
    const sid = twilio.messages.at(-1)?.sid ?? '';
    expect(await twilio.advance(sid, 'sent')).toMatchObject({ status: 204 });
    await twilio.advance(sid, 'delivered');
    await twilio.advance(sid, 'sending');
    await twilio.advance(sid, 'sent');
    expect(await history(to)).toMatchObject([{ id: body.message.id, status: 'delivered' }]);
    await expect.poll(() => [...statuses]).toEqual(['sent', 'delivered']);
  });

  test('that arrives before our own record applies once the record exists', async () => {
    const to = newCaller();
    twilio.faults.push({ path: /Messages\.json$/, method: 'POST', delayMs: 2000 });
    const sending = send(to);
    const sidOf = () => twilio.messages.find((text) => text.to === to)?.sid;
    await expect.poll(sidOf).toBeDefined();
    const form = formOf({ MessageSid: sidOf() ?? '', MessageStatus: 'delivered' });
    expect(await post(status, form)).toMatchObject({ status: 204 });
    expect(await history(to)).toMatchObject([{ status: 'sending' }]);
    expect((await sending).body.message.status).toBe('delivered');
    expect(await history(to)).toMatchObject([{ status: 'delivered' }]);
  });

  test('says why a text did not arrive', async () => {
    const to = newCaller();
    await send(to);
    await twilio.advance(twilio.messages.at(-1)?.sid ?? '', 'undelivered', 30034);
    expect(await history(to)).toMatchObject([
      { status: 'undelivered', error: { code: 30034, message: /10DLC/ } },
    ]);
  });
});

describe('STOP', () => {
  test('blocks texts to that person from that number until START, and is in the ledger', async () => {
    const from = newCaller();
    const say = (body: string) => twilio.receive({ to: line.phoneNumber, from, body });
    const consent = async (token = line.token) =>
      (await app.call(messageRoutes.readConsent, { token, query: { to: from } })).body.consent;
    await send(from);
    expect(await consent()).toBe(null);
    await say('Help');
    expect(await consent()).toMatchObject({ keyword: 'HELP' });
    await say(' stop ');
    const refused = await send(from, 'Are you there?');
    expect(refused).toMatchObject({
      status: 409,
      code: 'recipientStopped',
      message: /replied STOP/,
    });
    expect((await history(from)).map(({ body }) => body)).toEqual(['Hello', 'Help', ' stop ']);
    await say('INFO');
    expect(await consent()).toMatchObject({ keyword: 'STOP', at: expect.any(String) as string });
    expect(await consent((await registerWithNumber(app)).token)).toBe(null);
    await say('START');
    expect(await consent()).toMatchObject({ keyword: 'START' });
    expect(await send(from, 'Welcome back')).toMatchObject({ status: 200 });
    const { rows } = await app.pool.query(
      'select keyword, word from text_consents where other_number = $1 order by id',
      [from],
    );
    expect(rows).toEqual([
      { keyword: 'HELP', word: 'Help' },
      { keyword: 'STOP', word: 'stop' },
      { keyword: 'HELP', word: 'INFO' },
      { keyword: 'START', word: 'START' },
    ]);
    await expect(app.pool.query('delete from text_consents')).rejects.toThrow('append-only');
  });

  test('within a sentence does not count, nor does a yes without a STOP before it', async () => {
    const from = newCaller();
    await twilio.receive({ to: line.phoneNumber, from, body: 'Stop by on Monday' });
    await twilio.receive({ to: line.phoneNumber, from, body: 'Yes' });
    expect(await send(from)).toMatchObject({ status: 200 });
    const { rows } = await app.pool.query('select 1 from text_consents where other_number = $1', [
      from,
    ]);
    expect(rows).toEqual([]);
  });
});

test('the log contains no text and no phone number', async () => {
  const from = '+16465557777';
  await twilio.receive({ to: line.phoneNumber, from, body: 'planted-inbound' });
  await send(from, 'planted-outbound');
  await send('+15005550001', 'planted-refused');
  twilio.faults.push({ path: /Messages\.json$/, method: 'POST', status: 500 });
  await send(from, 'planted-unknown');
  await history(from);
  await app.runMessageJobs();
  const log = JSON.stringify(app.logLines());
  for (const word of [
    'planted',
    '6465557777',
    '5005550001',
    twilio.env['TWILIO_AUTH_TOKEN'] ?? '?',
  ])
    expect(log).not.toContain(word);
});
