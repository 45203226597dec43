import { describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import { messageRoutes, textWebhookRoutes } from '@matterdesk/contract/messages.ts';
import { startTestApp } from '../../testing/app.ts';
import { NOT_PERMITTED } from '../../testing/client.ts';
import { addIntake, openCase, registerAdmin, registerUser } from '../../testing/factories.ts';
import { registerWithNumber, textSuite } from '../../testing/texting.ts';

const { app, twilio, line } = textSuite({ line: registerWithNumber });

const CLIENT = '+12125550100';
const buy = (token: string, body: object, headers?: Record<string, string>) =>
  app.call(messageRoutes.buyNumber, { token, body, ...(headers && { headers }) });
const send = (body: object, headers?: Record<string, string>, token = line.token) =>
  app.call(messageRoutes.sendText, { token, body, ...(headers && { headers }) });
const history = async (to: string, from = line) => {
  const { body } = await app.call(messageRoutes.readHistory, {
    token: from.token,
    body: { from: from.phoneNumber, to },
  });
  return body.messages;
};

describe('a number', () => {
  test('is offered and bought, and enables messaging everywhere', async () => {
    const { token, email, id } = await registerUser(app);
    const { body: offers } = await app.call(messageRoutes.listOffers, {
      token,
      query: { country: 'US', areaCode: '415' },
    });
    const [first] = offers.numbers;
    expect(first).toMatchObject({ country: 'US', capabilities: { SMS: true } });
    expect(first?.monthlyPrice).toEqual({ amount: '1.15', currency: 'USD' });
    const phoneNumber = first?.phoneNumber ?? '';
    const twilioConfig = { twilioPhoneNumber: phoneNumber, messagingEnabled: true };
    expect(await buy(token, { phoneNumber, email })).toMatchObject({
      status: 200,
      body: { data: { id, email, twilioConfig } },
    });
    const { body: me } = await app.call(accountRoutes.me, { token });
    expect(me.twilioConfig).toEqual(twilioConfig);
    const { body } = await app.call(messageRoutes.readNumber, { token });
    expect(body).toMatchObject({ phoneNumber, registration: 'missing' });
    expect(body.notice).toContain('A2P 10DLC registration');
    expect(await buy(token, { phoneNumber, email })).toMatchObject({
      status: 409,
      code: 'numberOwned',
      message: 'You already have a number',
    });
  });

  test('goes to one of two buyers, and the other is refused', async () => {
    const [buyer, rival] = [await registerUser(app), await registerUser(app)];
    const phoneNumber = '+14155550117';
    const replies = await Promise.all(
      [buyer, rival].map(({ token, email }) => buy(token, { phoneNumber, email })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.find(({ status }) => status === 409)?.message).toBe(
      'This number was just taken. Choose another one.',
    );
  });

  test('that was just taken is refused, and another can be bought', async () => {
    const { token, email } = await registerUser(app);
    twilio.sellElsewhere('+14155550118');
    expect(await buy(token, { phoneNumber: '+14155550118', email })).toMatchObject({
      status: 409,
      code: 'numberTaken',
      message: 'This number was just taken. Choose another one.',
    });
    expect(await buy(token, { phoneNumber: '+14155550119', email })).toMatchObject({ status: 200 });
  });

  test('is bought once per key, however often it is requested', async () => {
    const { token, email } = await registerUser(app);
    const body = { phoneNumber: '+14155550120', email };
    const replies = await Promise.all(
      [1, 2, 3].map(() => buy(token, body, { 'idempotency-key': 'one' })),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('is bought for the caller’s own account only', async () => {
    const { token } = await registerUser(app);
    const body = { phoneNumber: '+14155550121', email: line.email };
    expect(await buy(token, body)).toMatchObject(NOT_PERMITTED);
  });
});

describe('a text', () => {
  test('is sent once per key and appears in the history', async () => {
    const body = { from: line.phoneNumber, to: CLIENT, message: 'The hearing is on Monday' };
    const replies = await Promise.all(
      [1, 2, 3].map(() => send(body, { 'idempotency-key': 'hearing' })),
    );
    const [first] = replies;
    expect(first).toMatchObject({
      status: 200,
      message: 'Your message has been sent successfully',
      body: { message: { from: line.phoneNumber, to: CLIENT, status: 'queued', error: null } },
    });
    for (const reply of replies) expect(reply.body).toEqual(first?.body);
    expect(twilio.messages.filter((text) => text.body === body.message)).toHaveLength(1);
    expect(await history(CLIENT)).toEqual([first?.body.message]);
  });

  test.each([
    ['+15005550001', 400, 'This phone number can’t be reached'],
    ['+15005550009', 400, 'This phone number can’t receive texts'],
    ['+15005550003', 409, /region/],
    ['+15005550004', 409, /replied STOP/],
    ['+15005550002', 409, /can’t deliver from your number/],
  ])('to %s that Twilio refuses stays in the history as failed', async (to, status, message) => {
    const reply = await send({ from: line.phoneNumber, to, message: 'Hello' });
    expect(reply.status).toBe(status);
    expect(reply.message).toMatch(message);
    const code = { '1': 21211, '2': 21612, '3': 21408, '4': 21610, '9': 21614 }[to.slice(-1)];
    expect(await history(to)).toMatchObject([
      { status: 'failed', error: { code, message: reply.message } },
    ]);
  });

  test.each([
    [30032, 409, /toll-free verification/],
    [30034, 409, /A2P 10DLC/],
    [20003, 503, /its SID and token/],
  ])('refused with %i says what an administrator has to do', async (code, status, message) => {
    const to = `+1212555${String(code).slice(1)}`;
    const body = { code, message: 'Refused', status: 400 };
    twilio.faults.push({ path: /Messages\.json$/, method: 'POST', status: 400, body });
    const reply = await send({ from: line.phoneNumber, to, message: 'Hello' });
    expect(reply.status).toBe(status);
    expect(reply.message).toMatch(message);
    expect(await history(to)).toMatchObject([{ status: 'failed', error: { code } }]);
  });

  test('refused without a code fails with code 0', async () => {
    const to = '+12125550777';
    const body = { message: 'No' };
    twilio.faults.push({ path: /Messages\.json$/, method: 'POST', status: 400, body });
    const reply = await send({ from: line.phoneNumber, to, message: 'Hello' });
    expect(reply).toMatchObject({ status: 502, message: 'Twilio rejected this: No' });
    expect(await history(to)).toMatchObject([
      { status: 'failed', error: { code: 0, message: 'Twilio rejected this: No' } },
    ]);
  });

  test('to the sender’s own number is refused and leaves no row', async () => {
    const { phoneNumber } = line;
    expect(await send({ from: phoneNumber, to: phoneNumber, message: 'Me' })).toMatchObject({
      status: 400,
      message: 'This is your own number',
      errors: [{ path: 'to', message: 'This is your own number' }],
    });
    expect(await history(phoneNumber)).toEqual([]);
  });

  test('belongs to its key and sender: a changed text is refused, another user’s is sent', async () => {
    const other = await registerWithNumber(app);
    const key = { 'idempotency-key': 'shared' };
    const to = '+12125550778';
    const text = { from: line.phoneNumber, to, message: 'One' };
    expect(await send(text, key)).toMatchObject({ status: 200 });
    expect(await send({ ...text, message: 'Two' }, key)).toMatchObject({ status: 409 });
    const theirs = { ...text, from: other.phoneNumber };
    expect(await send(theirs, key, other.token)).toMatchObject({ status: 200 });
    expect(twilio.messages.filter((text) => text.to === to)).toHaveLength(2);
  });

  test('is refused from a number that is not the sender’s own', async () => {
    const other = await registerWithNumber(app);
    for (const from of [other.phoneNumber, '+14155559999', 'x'])
      expect(await send({ from, to: CLIENT, message: 'Hello' })).toMatchObject(NOT_PERMITTED);
    expect(await send({ to: CLIENT, message: 'Hello' })).toMatchObject({
      status: 400,
      message: 'From is required',
    });
    expect(await send({ from: line.phoneNumber, to: CLIENT, message: ' ' })).toMatchObject({
      status: 400,
      message: 'Please enter message',
    });
  });

  test.each([
    [{ status: 500 }, 502, 'unknown'],
    [{ status: 429, times: 5 }, 429, 'failed'],
    [{ status: 401 }, 503, 'failed'],
    [{ destroy: true }, 502, 'unknown'],
  ])('is refused with the right status on %j from Twilio', async (fault, status, kept) => {
    const to = `+1212555${String(2000 + JSON.stringify(fault).length * 1000 + status).slice(-4)}`;
    twilio.faults.push({ path: /Messages\.json$/, method: 'POST', ...fault });
    const reply = await send({ from: line.phoneNumber, to, message: 'Hello' });
    expect(reply.status).toBe(status);
    expect(await history(to)).toMatchObject([{ status: kept }]);
    expect(twilio.messages.some((text) => text.to === to)).toBe(false);
  });

  test('is sent once when Twilio is briefly busy', async () => {
    const to = '+12125550429';
    twilio.faults.push({ path: /Messages\.json$/, method: 'POST', status: 429, times: 2 });
    expect((await send({ from: line.phoneNumber, to, message: 'Hello' })).status).toBe(200);
    expect(twilio.messages.filter((text) => text.to === to)).toHaveLength(1);
  });
});

test('a text to an open intake is its first response, whose words its author alone reads', async () => {
  const admin = await registerAdmin(app);
  const granted = { permissions: { handleIntakes: true } };
  const asked = { token: admin.token, params: { id: line.id }, body: granted };
  expect((await app.call(accountRoutes.changeUser, asked)).status).toBe(200);
  const to = '+12125550188';
  const { id } = await addIntake(app, line.token, { phoneNumber: to });
  const read = async ({ token }: { token: string }) =>
    (await app.call(intakeRoutes.readIntake, { token, params: { id } })).body;
  expect((await read(line)).intake.firstResponseAt).toBeNull();
  const sent = await send({ from: line.phoneNumber, to, message: 'We call you at noon' });
  expect(sent.status).toBe(200);
  const { intake, activity } = await read(line);
  expect(intake.firstResponseAt).not.toBeNull();
  const noted = activity.find(({ kind }) => kind === 'message');
  expect(noted?.text).toBe('We call you at noon');
  const ofOthers = await read(admin);
  expect(ofOthers.activity.map(({ kind }) => kind)).toContain('message');
  expect(JSON.stringify(ofOthers)).not.toContain('noon');
});

const signedIn = Object.entries(messageRoutes);

describe('a signed-out client', () => {
  test.each(signedIn)('is refused by %s', async (_name, { path, method }) => {
    const headers = { 'content-type': 'application/json' };
    const init = method === 'GET' ? {} : { headers, body: '{}' };
    expect(await app.request(path, { method, ...init })).toMatchObject({
      status: 400,
      code: 'invalidToken',
      message: 'Unauthorized token provided',
    });
  });
});

test('a purchase that Twilio is too busy for says when to try again, and so does its repeat', async () => {
  const { token, email } = await registerUser(app);
  twilio.faults.push({ path: /IncomingPhoneNumbers/, status: 429, times: Infinity });
  const body = { phoneNumber: '+14155550129', email };
  for (const _ of ['first', 'again']) {
    const reply = await buy(token, body, { 'idempotency-key': 'busy' });
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '60']);
  }
});

describe('the list of offers', () => {
  const ask = (query = {}) => app.call(messageRoutes.listOffers, { token: line.token, query });

  test('is requested again after 429, within limits', async () => {
    twilio.faults.push({ path: /Available/, status: 429, times: 2 });
    expect(await ask()).toMatchObject({ status: 200 });
    twilio.faults.push({ path: /Available/, status: 429, times: Infinity });
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test.each([
    [{ status: 401 }, 503, /TWILIO_AUTH_TOKEN/],
    [{ status: 500 }, 502, /can’t be reached/],
    [{ destroy: true }, 502, /can’t be reached/],
  ])('explains %j from Twilio', async (fault, status, message) => {
    twilio.faults.push({ path: /Available/, ...fault });
    expect(await ask()).toMatchObject({ status, message });
  });

  test('is empty for a country without numbers', async () => {
    expect(await ask({ country: 'ZZ' })).toMatchObject({ status: 200, body: { numbers: [] } });
    expect(await ask({ country: 'usa' })).toMatchObject({ status: 400 });
  });
});

describe('a history', () => {
  test('has its newest page first, each page oldest first, and is its owner’s alone', async () => {
    const own = await registerWithNumber(app);
    for (const body of ['one', 'two', 'three', 'four', 'five'])
      await twilio.receive({ to: own.phoneNumber, from: CLIENT, body });
    // From here on each has Twilio's time and keeps its position.
    await app.runMessageJobs();
    const read = async (cursor?: string | null, token = own.token) =>
      app.call(messageRoutes.readHistory, {
        token,
        body: { from: own.phoneNumber, to: CLIENT, limit: 2, ...(cursor && { cursor }) },
      });
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const { body }: Awaited<ReturnType<typeof read>> = await read(cursor);
      pages.push(body.messages.map((text) => text.body));
      cursor = body.nextCursor;
    } while (cursor);
    expect(pages).toEqual([['four', 'five'], ['two', 'three'], ['one']]);
    expect(await read(null, line.token)).toMatchObject(NOT_PERMITTED);
    expect(await read('invented')).toMatchObject({ status: 400 });
    const nameless = { from: own.phoneNumber, to: 'abc' };
    expect(
      await app.call(messageRoutes.readHistory, { token: own.token, body: nameless }),
    ).toMatchObject({ status: 400 });
    const noDay = Buffer.from('["2026-99-99T99:99:99.999Z","1"]').toString('base64url');
    expect(await read(noDay)).toMatchObject({ status: 400 });
  });
});

test('without TWILIO_* buying and sending are refused, and the history stays readable', async () => {
  const bare = await startTestApp({ database: app.database, jobs: false });
  const { token, email, phoneNumber } = line;
  const says503 = { status: 503, message: /TWILIO_ACCOUNT_SID/ };
  const text = { from: phoneNumber, to: CLIENT, message: 'Hello' };
  expect(await bare.call(messageRoutes.listOffers, { token })).toMatchObject(says503);
  expect(await bare.call(messageRoutes.sendText, { token, body: text })).toMatchObject(says503);
  expect(
    await bare.call(messageRoutes.buyNumber, { token, body: { phoneNumber, email } }),
  ).toMatchObject(says503);
  const foreign = { ...text, from: '+14155559999' };
  expect(await bare.call(messageRoutes.sendText, { token, body: foreign })).toMatchObject(
    NOT_PERMITTED,
  );
  expect(await bare.call(messageRoutes.listConversations, { token })).toMatchObject({
    status: 200,
  });
  const asked = { token, body: { from: phoneNumber, to: CLIENT } };
  expect(await bare.call(messageRoutes.readHistory, asked)).toMatchObject({ status: 200 });
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  const { path } = textWebhookRoutes.receiveText;
  expect(await bare.request(path, { ...form, body: 'Body=Hello' })).toMatchObject(NOT_PERMITTED);
  await bare.close();
});

test('every request to Twilio matches its published description', () => {
  expect(twilio.requests.length).toBeGreaterThan(20);
  expect(twilio.violations).toEqual([]);
});

describe('the list of conversations', () => {
  test('names clients by their numbers, with their case', async () => {
    const admin = await registerAdmin(app);
    const own = await registerWithNumber(app);
    const matter = await openCase(app, admin.token, {
      clientInfo: {
        name: 'Jane Doe',
        phoneNumber: '(212) 555-0144',
        email: 'jane@client.example',
        address: '1 Main Street',
      },
    });
    await twilio.receive({ to: own.phoneNumber, from: '+12125550144', body: 'Hello' });
    await twilio.receive({ to: own.phoneNumber, from: '+12125550145', body: 'Who is this' });
    const { body } = await app.call(messageRoutes.listConversations, { token: own.token });
    expect(body.phoneNumbers).toEqual(['+12125550145', '+12125550144']);
    expect(body.conversations).toMatchObject([
      { unread: 1, name: null, caseId: null, lastMessage: { body: 'Who is this' } },
      { unread: 1, name: 'Jane Doe', caseId: matter.id, lastMessage: { body: 'Hello' } },
    ]);
    await history('+12125550144', own);
    const { body: after } = await app.call(messageRoutes.listConversations, { token: own.token });
    expect(after.conversations.map(({ unread }) => unread)).toEqual([1, 0]);
    const { body: others } = await app.call(messageRoutes.listConversations, {
      token: admin.token,
    });
    expect(others).toEqual({ phoneNumbers: [], conversations: [] });
  });

  test('names no case of someone who has several', async () => {
    const { token } = await registerAdmin(app);
    const own = await registerWithNumber(app);
    const number = '+12125550146';
    const opposingCounselInfo = {
      organization: 'Quill LLP',
      name: 'Ada Quill',
      phoneNumber: number,
      email: 'ada@quill.example',
      address: '1 Main Street',
    };
    await twilio.receive({ to: own.phoneNumber, from: number, body: 'About our matter' });
    const named = async () => {
      const { body } = await app.call(messageRoutes.listConversations, { token: own.token });
      return body.conversations.map(({ name, caseId }) => [name, caseId]);
    };
    const first = await openCase(app, token, { opposingCounselInfo });
    expect(await named()).toEqual([['Ada Quill', first.id]]);
    const second = await openCase(app, token, { opposingCounselInfo });
    expect(await named()).toEqual([['Ada Quill', null]]);
    const archived = { params: { id: first.id }, body: { statusType: 'Archive' } } as const;
    await app.call(caseRoutes.changeCase, { token, ...archived });
    expect(await named()).toEqual([['Ada Quill', second.id]]);
  });
});
