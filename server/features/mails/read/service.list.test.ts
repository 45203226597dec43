import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mailChangeRoutes, mailRoutes } from '@matterdesk/contract/mails.ts';
import { registerUser, type SignedInPerson } from '../../../testing/factories.ts';
import { ADA, connect, plainMail, startMailTest, type MailTest } from '../../../testing/mail.ts';

let running: MailTest;
let ada: SignedInPerson;

/** This many mails in a section, the last the newest. */
function mails(count: number, labels: string[] = ['INBOX', 'UNREAD']) {
  return Array.from({ length: count }, (_, index) => ({
    email: ADA.email,
    labels,
    raw: plainMail({
      subject: `${labels[0]} ${index + 1}`,
      headers: [`Received: by mx; Mon, 02 Nov 2026 10:00:${String(index).padStart(2, '0')} +0000`],
    }),
  }));
}

async function start(messages: Parameters<typeof startMailTest>[0]) {
  running = await startMailTest(messages);
  ada = await registerUser(running.app);
  await connect(running, ada);
}

afterEach(() => running.close());

const list = (query: Record<string, string | number> = {}, own: SignedInPerson = ada) =>
  running.app.call(mailRoutes.listMails, {
    token: own.token,
    params: { userEmail: own.email },
    query,
  });

describe('the first page', () => {
  beforeEach(() =>
    start({ messages: [...mails(30), ...mails(12, ['SENT']), ...mails(11, ['DRAFT'])] }),
  );

  test('shows 25 of the inbox, 10 each of sent and drafts, and the totals', async () => {
    const { body } = await list();
    expect(body.data.inbox).toHaveLength(25);
    expect(body.data.sent).toHaveLength(10);
    expect(body.data.drafts).toHaveLength(10);
    expect(body.total).toEqual({ inbox: 30, sent: 12, drafts: 11 });
    expect(body.unread).toEqual({ inbox: 30, sent: 0, drafts: 0 });
    expect(body.data.inbox[0]).toMatchObject({
      from: { name: 'Jane Doe', email: 'jane.doe@client.example' },
      to: { name: '', email: ADA.email },
      snippet: 'Please call me.',
      unread: true,
      hasAttachments: false,
    });
    expect(body.data.sent.every(({ unread }) => !unread)).toBe(true);
  });

  test('counts the unread mails of the inbox as they are read, but not those of a search', async () => {
    const [mail] = (await list()).body.data.inbox;
    const params = { userEmail: ada.email, mailId: mail?.id ?? '' };
    expect((await running.app.call(mailRoutes.readMail, { token: ada.token, params })).status).toBe(
      200,
    );
    const { body } = await list({ section: 'inbox' });
    expect([body.total, body.unread]).toEqual([
      { inbox: 30, sent: null, drafts: null },
      { inbox: 29, sent: null, drafts: null },
    ]);
    await running.google.deliver(ADA.email, plainMail());
    expect((await list()).body.unread).toEqual({ inbox: 30, sent: 0, drafts: 0 });
    expect((await list({ section: 'inbox', search: 'INBOX' })).body.unread.inbox).toBeNull();
  });

  test('continues by pages to the end, with each mail once', async () => {
    const first = await list();
    const seen = first.body.data.inbox.map(({ id }) => id);
    const cursor = first.body.nextCursor.inbox ?? '';
    const second = await list({ section: 'inbox', cursor });
    seen.push(...second.body.data.inbox.map(({ id }) => id));
    expect(new Set(seen).size).toBe(30);
    expect(second.body).toMatchObject({
      data: { sent: [], drafts: [] },
      nextCursor: { inbox: null, sent: null, drafts: null },
      total: { inbox: 30, sent: null, drafts: null },
    });
  });

  test('accepts only cursors of the same list and user', async () => {
    const { body } = await list();
    const cursor = body.nextCursor.inbox ?? '';
    const statusOf = async (query: Record<string, string>, own?: SignedInPerson) =>
      (await list(query, own)).status;
    expect(await statusOf({ cursor })).toBe(400);
    expect(await statusOf({ section: 'sent', cursor })).toBe(400);
    expect(await statusOf({ section: 'inbox', search: 'x', cursor })).toBe(400);
    expect(await statusOf({ section: 'inbox', cursor: 'invented' })).toBe(400);
    expect(await statusOf({ section: 'inbox', cursor: `${cursor}A` })).toBe(400);
    const ben = await registerUser(running.app);
    await connect(running, ben);
    expect(await statusOf({ section: 'inbox', cursor }, ben)).toBe(400);
    expect(await statusOf({ section: 'inbox', cursor })).toBe(200);
  });

  test('takes few calls, ten mails at a time', async () => {
    await list();
    const before = running.google.requests.length;
    const answers = Promise.withResolvers<void>();
    const oneMail = /\/messages\/[^/]+$/;
    running.google.faults.push({ path: oneMail, until: answers.promise, times: Infinity });
    const listed = list();
    const asked = () => running.google.requests.slice(before);
    await expect.poll(() => asked().filter(({ path }) => oneMail.test(path)).length).toBe(10);
    answers.resolve();
    expect((await listed).status).toBe(200);
    // 45 mails, three lists and three counts.
    expect(asked()).toHaveLength(51);
  });

  test('refreshes an expired token once for all failed calls', async () => {
    await list();
    running.google.expireTokens();
    const before = running.google.requests.length;
    expect((await list()).status).toBe(200);
    const asked = running.google.requests.slice(before);
    expect(asked.filter(({ path }) => path.endsWith('/token'))).toHaveLength(1);
  });

  test('refuses a bad limit and an unknown section', async () => {
    expect((await list({ limit: 0 })).status).toBe(400);
    expect((await list({ limit: 101 })).status).toBe(400);
    expect((await list({ section: 'spam' })).message).toContain('Section must be one of');
    expect((await list({ section: 'inbox', limit: 100 })).body.data.inbox).toHaveLength(30);
  });
});

describe('a mailbox', () => {
  test('shows names in any encoding, and which mails have attachments', async () => {
    const encoded = plainMail({
      from: '=?iso-8859-1?Q?J=F6rg?= <joerg@elsewhere.example>',
      to: `"Lovelace, Ada" <${ADA.email}>, other@firm.example`,
      subject: '=?utf-8?B?R3LDvMOfZQ==?= aus Linz',
    });
    const attached = [
      'From: b@c.example',
      `To: ${ADA.email}`,
      'Subject: attached',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b\r\nContent-Type: text/plain\r\n\r\nSee there',
      '--b\r\nContent-Type: application/pdf; name="a.pdf"',
      'Content-Disposition: attachment; filename="a.pdf"\r\n\r\n%PDF-1.7',
      '--b--',
    ].join('\r\n');
    const messages = [encoded, attached].map((raw) => ({ email: ADA.email, raw }));
    await start({ messages });
    const { inbox } = (await list()).body.data;
    expect(inbox.find(({ subject }) => subject === 'attached')?.hasAttachments).toBe(true);
    expect(inbox.find(({ hasAttachments }) => !hasAttachments)).toMatchObject({
      subject: 'Grüße aus Linz',
      from: { name: 'Jörg', email: 'joerg@elsewhere.example' },
      to: { name: 'Lovelace, Ada', email: ADA.email },
    });
  });

  test('can be searched by words', async () => {
    await start({
      messages: [...mails(3), { email: ADA.email, raw: plainMail({ subject: 'Tort' }) }],
    });
    const { body } = await list({ section: 'inbox', search: 'subject:Tort' });
    expect(body.data.inbox.map(({ subject }) => subject)).toEqual(['Tort']);
    expect((await list({ search: 'nothing like it' })).body.data.inbox).toEqual([]);
  });

  test('belongs to its user alone', async () => {
    await start({ messages: mails(1) });
    const eve = await registerUser(running.app);
    const asked = { token: eve.token, params: { userEmail: ada.email } };
    expect((await running.app.call(mailRoutes.listMails, asked)).status).toBe(403);
    const google = { token: eve.token, params: { userEmail: ADA.email } };
    expect((await running.app.call(mailRoutes.listMails, google)).status).toBe(403);
    const signedOut = { params: { userEmail: ada.email } };
    expect((await running.app.call(mailRoutes.listMails, signedOut)).status).toBe(400);
    expect((await list({}, eve)).status).toBe(409);
  });
});

const ofList = (body: string): [RegExp, string] => [/messages$/, body];

describe('a failure of Google', () => {
  beforeEach(() => start({ messages: mails(3) }));

  test('is hidden by retries when it is short', async () => {
    running.google.faults.push(
      { path: /messages/, status: 429, times: 2 },
      { path: /messages/, status: 403, times: 2 },
      { path: /labels/, status: 503, times: 1 },
      { path: /messages/, destroy: true },
    );
    expect((await list()).body.data.inbox).toHaveLength(3);
    expect(running.google.faults).toEqual([]);
  });

  test.each([
    ['cut', { cutAfterBytes: 40 }],
    ['a page of HTML', { status: 200, body: '<!doctype html><p>Sign in to this network</p>' }],
  ])('is reported when a list is %s', async (_what, fault) => {
    running.google.faults.push({ path: /messages$/, ...fault, times: Infinity });
    expect((await list()).status).toBe(502);
    running.google.faults.length = 0;
    expect((await list()).body.data.inbox).toHaveLength(3);
  });

  test.each([
    ...['[]', '[{"id":5}]', '"messages"', 'null', '{"messages":7}'].map(ofList),
    ...['{"messages":{}}', '{"messages":[5]}', '{"messages":[{}]}'].map(ofList),
    ...['{"messages":[{"id":5}]}', '{"messages":[],"nextPageToken":5}'].map(ofList),
    [/messages$/, '{"messages":[],"resultSizeEstimate":"many"}'],
    [/labels\/INBOX$/, '{"messagesTotal":"3"}'],
    [/labels\/INBOX$/, '[]'],
    [/messages\/[^/]+$/, '[]'],
    [/messages\/[^/]+$/, '{"id":"m1","labelIds":"INBOX"}'],
    [/messages\/[^/]+$/, '{"id":"m1","payload":{"headers":[7]}}'],
    [/messages\/[^/]+$/, '{"id":"m1","payload":{"parts":[{"parts":[{"parts":"x"}]}]}}'],
  ] as [RegExp, string][])('is reported when %s answers %s', async (path, body) => {
    running.google.faults.push({ path, status: 200, body, times: Infinity });
    expect((await list()).status).toBe(502);
    running.google.faults.length = 0;
    expect((await list()).body.data.inbox).toHaveLength(3);
  });

  test.each(['[]', '{"messages":7}', '{"messages":[{"snippet":[]}]}'])(
    'is reported when a thread is %s',
    async (body) => {
      running.google.faults.push({ path: /threads/, status: 200, body, times: Infinity });
      const params = { userEmail: ADA.email, threadId: 'm1' };
      const reply = await running.app.call(mailChangeRoutes.readThread, {
        token: ada.token,
        params,
      });
      running.google.faults.length = 0;
      expect(reply.status).toBe(502);
    },
  );

  test('is reported when it lasts, and never disconnects', async () => {
    const { faults } = running.google;
    const outcome = async () => {
      const reply = await list();
      faults.length = 0;
      return [reply.status, reply.headers.get('retry-after')];
    };
    faults.push({ path: /messages$/, status: 429, retryAfter: 30, times: Infinity });
    expect(await outcome()).toEqual([429, '30']);
    faults.push({ path: /messages$/, status: 403, times: Infinity });
    expect(await outcome()).toEqual([429, '5']);
    faults.push({ path: /messages$/, status: 500, times: Infinity });
    expect(await outcome()).toEqual([502, null]);
    faults.push({ path: /messages$/, destroy: true, times: Infinity });
    expect(await outcome()).toEqual([502, null]);
    faults.push({ path: /messages$/, cutAfterBytes: 5, times: Infinity });
    expect(await outcome()).toEqual([502, null]);
    faults.push({ path: /messages$/, status: 401, times: Infinity });
    expect(await outcome()).toEqual([502, null]);
    running.google.expireTokens();
    faults.push({ path: /token$/, status: 503, times: Infinity });
    expect(await outcome()).toEqual([502, null]);
    expect((await list()).status).toBe(200);
  });

  test('is reported when Google is too slow, and never disconnects', async () => {
    const { google } = running;
    const impatient = await running.startBeside({ waits: { google: { read: 300, signIn: 300 } } });
    const { token, email } = ada;
    for (const path of [/messages$/, /token$/]) {
      google.expireTokens();
      google.faults.push({ path, delayMs: 20_000, times: Infinity });
      const asked = { token, params: { userEmail: email } };
      const reply = await impatient.call(mailRoutes.listMails, asked);
      google.faults.length = 0;
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([504, null]);
    }
    await impatient.close();
    expect((await list()).status).toBe(200);
  });

  test('caused by the firm’s own project says whom to ask', async () => {
    running.google.expireTokens();
    running.google.faults.push({ path: /token$/, status: 401, body: { error: 'invalid_client' } });
    const { status, message } = await list();
    expect([status, message]).toEqual([
      503,
      'Google rejected this installation. Ask your administrator.',
    ]);
    expect((await list()).status).toBe(200);
  });
});
