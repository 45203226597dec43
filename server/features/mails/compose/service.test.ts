import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { activityRoutes } from '@matterdesk/contract/cases.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import {
  MAIL_BYTES_MAX,
  mailRoutes,
  mailWritingRoutes,
  mailSignatureRoutes,
} from '@matterdesk/contract/mails.ts';
import { suite } from '../../../testing/app.ts';
import { eventually } from '../../../testing/eventually.ts';
import {
  openCase,
  registerAdmin,
  registerUser,
  type SignedInPerson,
} from '../../../testing/factories.ts';
import { ADA, BEN, connected, mailSuite, plainMail } from '../../../testing/mail.ts';

const { running, ada, ben } = mailSuite(
  { ada: connected(registerAdmin), ben: connected(registerUser, BEN) },
  { isFresh: true },
);

const letter = (own: object = {}) => ({
  from: ada.email,
  to: BEN.email,
  subject: 'The lease',
  text: 'See you\non Monday',
  ...own,
});
const send = (own: object = {}, key?: string) =>
  running.app.call(mailWritingRoutes.sendMail, {
    token: ada.token,
    body: letter(own),
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
const list = async (own: SignedInPerson) =>
  (
    await running.app.call(mailRoutes.listMails, {
      token: own.token,
      params: { userEmail: own.email },
    })
  ).body.data;
const keep = (own: object = {}) =>
  running.app.call(mailWritingRoutes.keepDraft, { token: ada.token, body: letter(own) });
const sendings = () => running.google.requests.filter(({ path }) => path.endsWith('/send')).length;

async function original(own: SignedInPerson, mailId: string) {
  const { id: caseId } = await openCase(running.app, ada.token);
  const asked = { token: own.token, params: { mailId }, body: { caseId } };
  const { body } = await running.app.call(mailRoutes.fileToCase, asked);
  const filed = await fetch(running.app.url + body.url, { headers: { 'x-auth-token': own.token } });
  const raw = await filed.text();
  return { raw, mail: await PostalMime.parse(raw, { forceRfc822Attachments: true }) };
}

/** Original of Ben's newest mail; the subject selects it where the order is undefined. */
async function received(subject?: string) {
  const { inbox } = await list(ben);
  const found = subject === undefined ? inbox[0] : inbox.find((mail) => mail.subject === subject);
  return original(ben, found?.id ?? '');
}

async function upload(
  bytes: string | Buffer<ArrayBuffer>,
  name: string,
  own: SignedInPerson = ada,
) {
  const body = new FormData();
  body.append('attachment', new File([bytes], name));
  const reply = await running.app.request('/api/v1/mails/uploads', {
    method: 'POST',
    headers: { 'x-auth-token': own.token },
    body,
  });
  return { ...reply, body: reply.body as { upload: string; name: string; size: number } | null };
}

describe('a mail', () => {
  test('goes to all recipients, from the connected account, and is confirmed', async () => {
    const cc = ['cc@elsewhere.example'];
    const reply = await send({ cc, bcc: ['quiet@elsewhere.example'], subject: 'Grüße – 5 €' });
    expect([reply.status, reply.message, reply.body]).toEqual([
      200,
      'Email sent successfully',
      null,
    ]);
    const { mail, raw } = await received();
    expect(mail).toMatchObject({
      from: { name: `${ada.firstName} ${ada.lastName}`, address: ADA.email },
      to: [{ address: BEN.email }],
      cc: [{ address: cc[0] }],
      subject: 'Grüße – 5 €',
    });
    expect(mail.text?.trim()).toBe('See you\non Monday');
    expect(raw).not.toContain('quiet@');
    const [sent] = (await list(ada)).sent;
    const { body } = await running.app.call(mailRoutes.readMail, {
      token: ada.token,
      params: { userEmail: ada.email, mailId: sent?.id ?? '' },
    });
    expect(body.data.bcc).toEqual([{ name: '', email: 'quiet@elsewhere.example' }]);
  });

  test('is refused without a recipient, with a bad recipient, and from another user’s address', async () => {
    const none = await send({ to: ' ' });
    expect([none.status, none.message]).toEqual([400, 'Please enter a recipient']);
    expect((await send({ to: 'nobody' })).message).toBe('Please enter a valid email address.');
    expect((await send({ cc: ['nobody'] })).message).toBe('Please enter a valid email address.');
    expect((await send({ from: ben.email, to: 'nobody' })).status).toBe(403);
    expect((await send({ from: '' })).status).toBe(400);
    expect((await send({ color: 'red' })).status).toBe(400);
    const signedOut = await running.app.call(mailWritingRoutes.sendMail, { body: letter() });
    expect(signedOut.message).toBe('Unauthorized token provided');
    const eve = await registerUser(running.app);
    const unconnected = { token: eve.token, body: letter({ from: eve.email }) };
    expect((await running.app.call(mailWritingRoutes.sendMail, unconnected)).status).toBe(409);
    expect(sendings()).toBe(0);
  });

  test('contains no header injected by a stranger', async () => {
    for (const own of [
      { subject: 'a\r\nBcc: eve@evil.example' },
      { subject: 'a\nBcc: eve@evil.example' },
      { to: `${BEN.email}\r\nBcc: eve@evil.example` },
      { cc: [`c@d.example\nX: y`] },
      { to: `"x" <${BEN.email}>, eve@evil.example` },
    ])
      expect((await send(own)).status).toBe(400);
    const { body } = await upload('x', 'a\r\nBcc: eve@evil.example;".txt');
    await send({ attachments: [{ upload: body?.upload }] });
    const evil = plainMail({
      headers: ['References: <a@b>\r\n <c@d> eve@evil.example', 'In-Reply-To: <x@y> evil'],
    });
    const { id } = await running.google.deliver(ADA.email, evil);
    await send({ inReplyTo: id });
    const { inbox } = await list(ben);
    expect(inbox).toHaveLength(2);
    for (const { id: mailId } of inbox) {
      const { raw } = await original(ben, mailId);
      expect(raw).not.toMatch(/^bcc:/im);
      expect(raw.split('\r\n\r\n')[0]).not.toContain('evil');
    }
  });

  test('stays in the conversation that it replies to', async () => {
    const headers = ['References: <first@client.example>', `Message-ID: <second@client.example>`];
    const raw = plainMail()
      .replace(/^Message-ID.*\r\n/m, '')
      .replace('\r\n\r\n', `\r\n${headers.join('\r\n')}\r\n\r\n`);
    const { id, threadId } = await running.google.deliver(ADA.email, raw);
    expect((await send({ inReplyTo: id, subject: 'Re: The lease' })).status).toBe(200);
    const { mail } = await received();
    expect(mail.inReplyTo).toBe('<second@client.example>');
    expect(mail.references).toBe('<first@client.example> <second@client.example>');
    const asked = running.google.requests.length;
    expect(asked).toBeGreaterThan(0);
    expect(threadId).toBeTruthy();
    const unknown = await send({ inReplyTo: '0000' });
    expect([unknown.status, unknown.errors?.[0]?.path]).toEqual([400, 'inReplyTo']);
  });

  test('can quote anything that a stranger wrote', async () => {
    const text = 'Fee\f: \u202e001\u202c \u2066\u05d0\u2069 \u0007\0\ttoday\rnow';
    const evil = plainMail({ subject: `${'long '.repeat(400)}\u202egpj`, text });
    const { id } = await running.google.deliver(ADA.email, evil);
    const params = { userEmail: ada.email, mailId: id };
    const { data } = (await running.app.call(mailRoutes.readMail, { token: ada.token, params }))
      .body;
    expect(data.message).toBe('Fee: 001 \u05d0 \ttoday\nnow');
    const answer = { subject: `Re: ${data.subject}`, text: `> ${data.message}`, inReplyTo: id };
    expect((await send(answer)).status).toBe(200);
  });

  test('is not sent once its writer is deactivated, at any step', async () => {
    const boss = await registerAdmin(running.app);
    const { id: inReplyTo } = await running.google.deliver(ADA.email, plainMail());
    const path = new RegExp(`messages/${inReplyTo}$`);
    const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
    running.google.faults.push({ path, until });
    const sending = send({ inReplyTo });
    const isAsked = () => running.google.requests.some((request) => path.test(request.path));
    await eventually(() => expect(isAsked()).toBe(true));
    const asked = { token: boss.token, params: { id: ada.id } };
    expect((await running.app.call(accountRoutes.deactivateUser, asked)).status).toBe(200);
    goOn();
    expect([(await sending).status, sendings()]).toEqual([409, 0]);
  });

  test('forwards another mail verbatim, as evidence', async () => {
    const raw = plainMail({ subject: 'Offer: 5/6 "final"' });
    const { id } = await running.google.deliver(ADA.email, raw);
    expect((await send({ forwardOf: id, subject: 'Fwd: Offer' })).status).toBe(200);
    const { mail } = await received();
    const [attached] = mail.attachments;
    expect(attached).toMatchObject({
      mimeType: 'message/rfc822',
      filename: expect.stringMatching(/^\d{4}-\d\d-\d\d Offer_ 5_6 _final_\.eml$/) as string,
    });
    const inner = await PostalMime.parse(attached?.content ?? '');
    expect(inner.subject).toBe('Offer: 5/6 "final"');
    expect((await send({ forwardOf: 'none' })).errors?.[0]?.path).toBe('forwardOf');
  });
});

describe('an attachment', () => {
  test('comes from the computer, the library or another mail', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => at % 251));
    const uploaded = await upload(bytes, 'Grüße und mehr.bin');
    expect(uploaded.body).toMatchObject({ name: 'Grüße und mehr.bin', size: bytes.length });
    const { id: caseId } = await openCase(running.app, ada.token);
    const form = new FormData();
    form.append('caseId', caseId);
    form.append('folder', 'Papers');
    form.append('attachments', new File(['of the case'], 'lease.txt'));
    const token = { 'x-auth-token': ada.token };
    const init = { method: 'POST', headers: token, body: form };
    const { body } = await running.app.request('/api/v1/files/uploadFile', init);
    const [url] = (body as { urls: string[] }).urls;
    await send({ attachments: [{ upload: uploaded.body?.upload }, { url }] });
    const { mail } = await received();
    const [first, second] = mail.attachments;
    expect(first?.filename).toBe('Grüße und mehr.bin');
    expect(Buffer.from(first?.content as ArrayBuffer).equals(bytes)).toBe(true);
    expect(second?.filename).toBe('lease.txt');
    const [sent] = (await list(ada)).sent;
    const ofMail = `/api/v1/mails/attachment/${sent?.id}/2/x`;
    expect((await send({ attachments: [{ url: ofMail }], subject: 'again' })).status).toBe(200);
    expect((await received('again')).mail.attachments).toHaveLength(1);
  });

  test('is refused with its position when it is another user’s or unknown', async () => {
    const bens = await upload('x', 'x.txt', ben);
    const good = await upload('x', 'x.txt');
    const path = async (attachment: object) =>
      (await send({ attachments: [{ upload: good.body?.upload }, attachment] })).errors?.[0]?.path;
    expect(await path({ upload: bens.body?.upload })).toBe('attachments.1.upload');
    expect(await path({ upload: 'none' })).toBe('attachments.1.upload');
    expect(await path({ url: '/etc/passwd' })).toBe('attachments.1.url');
    expect(await path({ url: 'http://127.0.0.1/secret' })).toBe('attachments.1.url');
    expect(await path({ url: `/api/v1/files/content/${ada.id}/a/b` })).toBe('attachments.1.url');
    expect(await path({ url: '/api/v1/mails/attachment/none/1/x' })).toBe('attachments.1.url');
    await running.app.db
      .updateTable('mail_uploads')
      .set({ created_at: new Date(Date.now() - 25 * 3600_000) })
      .execute();
    expect((await send({ attachments: [{ upload: good.body?.upload }] })).status).toBe(400);
    expect(sendings()).toBe(0);
  });

  test('is uploaded alone, without other fields', async () => {
    const send = (...parts: [string, string | File][]) => {
      const body = new FormData();
      for (const [name, value] of parts) body.append(name, value);
      const headers = { 'x-auth-token': ada.token };
      return running.app.request('/api/v1/mails/uploads', { method: 'POST', headers, body });
    };
    const file = new File(['x'], 'x.txt');
    expect((await send(['attachment', file])).status).toBe(201);
    expect((await send(['attachment', file], ['attachment', file])).status).toBe(400);
    expect((await send(['color', 'red'], ['attachment', file])).status).toBe(400);
    expect((await send()).status).toBe(400);
  });

  test('goes to Gmail as an upload when it is large, up to 25 MB per mail', async () => {
    const large = await upload(Buffer.alloc(3_000_000, 'x'), 'large.bin');
    const { body } = await upload(Buffer.alloc(24_000_000), 'more.bin');
    const both = [{ upload: large.body?.upload }, { upload: body?.upload }];
    const refused = await send({ attachments: both });
    expect([refused.status, refused.message]).toEqual([413, 'An email can have up to 25 MB']);
    expect((await upload(Buffer.alloc(MAIL_BYTES_MAX + 1), 'x')).status).toBe(413);
    const { id } = await running.google.deliver(ADA.email, plainMail());
    const { draftId } = (await keep({ attachments: [both[0]] })).body;
    for (const context of [{ inReplyTo: id }, {}, { draftId }]) {
      const sent = await send({ attachments: [both[0]], ...context });
      expect(sent.status).toBe(200);
      const { mail } = await received();
      expect(mail.attachments[0]?.content).toHaveProperty('byteLength', 3_000_000);
      expect(mail.inReplyTo ?? '').toContain('inReplyTo' in context ? '@client.example' : '');
    }
    expect((await list(ada)).drafts).toEqual([]);
  });
});

describe('sending a mail', () => {
  test('happens once, however often it is requested under one key', async () => {
    const replies = await Promise.all([send({}, 'k'), send({}, 'k'), send({}, 'k')]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await send({}, 'k')).message).toBe('Email sent successfully');
    expect(sendings()).toBe(1);
    expect((await send({ subject: 'Another' }, 'k')).status).toBe(409);
    expect((await list(ben)).inbox).toHaveLength(1);
  });

  test('is not repeated when the reply was lost', async () => {
    running.google.faults.push({ path: /send$/, destroy: true, afterwards: true });
    const lost = await send({}, 'k');
    expect([lost.status, lost.message]).toEqual([504, expect.stringContaining('Check Sent')]);
    expect((await send({}, 'k')).status).toBe(504);
    running.google.faults.push({ path: /send$/, status: 500, afterwards: true });
    expect((await send({}, 'other')).status).toBe(504);
    expect(sendings()).toBe(2);
    expect((await list(ben)).inbox).toHaveLength(2);
  });

  test('can be retried under the same key when the mail never left', async () => {
    running.google.faults.push({ path: /send$/, status: 429, times: Infinity });
    expect((await send({}, 'k')).status).toBe(429);
    running.google.faults.length = 0;
    expect((await send({}, 'k')).status).toBe(200);
    expect((await list(ben)).inbox).toHaveLength(1);
    running.google.faults.push({ path: /send$/, status: 400 });
    expect((await send({}, 'never')).status).toBe(502);
    expect((await send({}, 'never')).status).toBe(200);
  });
});

describe('a draft', () => {
  const change = (draftId: string, own: object = {}) =>
    running.app.call(mailWritingRoutes.changeDraft, {
      token: ada.token,
      params: { draftId },
      body: letter(own),
    });

  test('is stored, changed and deleted at Google', async () => {
    const kept = await keep({ to: '', subject: '', text: '' });
    expect(kept.status).toBe(201);
    const { draftId } = kept.body;
    expect((await change(draftId, { text: 'more' })).body).toEqual({ draftId });
    const [draft] = (await list(ada)).drafts;
    const params = { userEmail: ada.email, mailId: draft?.id ?? '' };
    const { body } = await running.app.call(mailRoutes.readMail, { token: ada.token, params });
    expect(body.data).toMatchObject({ draftId, message: 'more', to: { email: BEN.email } });
    const asked = { token: ada.token, params: { draftId } };
    expect((await running.app.call(mailWritingRoutes.deleteDraft, asked)).status).toBe(200);
    expect((await running.app.call(mailWritingRoutes.deleteDraft, asked)).message).toBe(
      'Draft not found',
    );
    expect((await change(draftId)).status).toBe(404);
    expect((await list(ada)).drafts).toEqual([]);
  });

  test('is deleted once it is sent, and stays in its conversation', async () => {
    const { id } = await running.google.deliver(ADA.email, plainMail());
    const { draftId } = (await keep({ inReplyTo: id })).body;
    await change(draftId, { text: 'better' });
    expect((await send({ draftId, text: 'best' }, 'k')).status).toBe(200);
    expect((await list(ada)).drafts).toEqual([]);
    const { mail } = await received();
    expect(mail.text?.trim()).toBe('best');
    expect(mail.inReplyTo).toContain('@client.example');
    expect((await send({ draftId, text: 'although it was deleted' })).status).toBe(200);
  });

  test('of another user is not found', async () => {
    const { draftId } = (await keep()).body;
    const asked = { token: ben.token, params: { draftId } };
    expect((await running.app.call(mailWritingRoutes.deleteDraft, asked)).status).toBe(404);
    const foreign = { token: ben.token, params: { draftId }, body: letter() };
    expect((await running.app.call(mailWritingRoutes.changeDraft, foreign)).status).toBe(403);
    expect((await list(ada)).drafts).toHaveLength(1);
  });
});

describe('filing a mail', () => {
  test('names its file for the day of the firm', async () => {
    const { token } = ada;
    const zone = async (timeZone: string) =>
      running.app.call(firmRoutes.changeFirm, { token, body: { timeZone } });
    await zone('Pacific/Kiritimati');
    const { id: mailId } = await running.google.deliver(ADA.email, plainMail());
    const { id: caseId } = await openCase(running.app, token);
    const asked = { token, params: { mailId }, body: { caseId } };
    const { body } = await running.app.call(mailRoutes.fileToCase, asked);
    await zone('UTC');
    expect(body.url).toMatch(/2026-11-03%20The%20lease\.eml$/);
  });

  test('stores it verbatim in the case’s folder E-mail and records it in the activity', async () => {
    const raw = plainMail({ subject: '=?utf-8?B?R3LDvMOfZS8uLi94?=', headers: ['X-Own: kept'] });
    const { id: mailId } = await running.google.deliver(ADA.email, raw);
    const { id: caseId } = await openCase(running.app, ada.token);
    const asked = { token: ada.token, params: { mailId }, body: { caseId } };
    const first = await running.app.call(mailRoutes.fileToCase, asked);
    expect([first.status, decodeURIComponent(first.body.url)]).toEqual([
      201,
      `/api/v1/files/content/${caseId}/E-mail/2026-11-02 Grüße_.._x.eml`,
    ]);
    const init = { headers: { 'x-auth-token': ada.token } };
    const filed = await fetch(running.app.url + first.body.url, init);
    expect(await filed.text()).toBe(raw);
    const second = await running.app.call(mailRoutes.fileToCase, asked);
    expect([second.status, second.body]).toEqual([200, first.body]);
    const { body } = await running.app.call(activityRoutes.readActivity, {
      token: ada.token,
      params: { id: caseId },
    });
    expect(body.activity[0]).toMatchObject({
      entity: 'file',
      action: 'created',
      name: '2026-11-02 Grüße_.._x.eml',
      actor: { id: ada.id },
    });
    const library = await running.app.call(fileRoutes.listFiles, {
      token: ada.token,
      params: { caseId },
    });
    const details = Object.values(library.body.details);
    expect(details.map(({ mimeType }) => mimeType)).toEqual(['message/rfc822']);
    const read = { token: ada.token, params: { userEmail: ada.email, mailId } };
    const filedIn = async () => (await running.app.call(mailRoutes.readMail, read)).body.data.filed;
    expect(await filedIn()).toMatchObject([{ case: { id: caseId }, url: first.body.url }]);
    await fetch(running.app.url + first.body.url, { ...init, method: 'DELETE' });
    expect(await filedIn()).toEqual([]);
    const [one, other] = await Promise.all(
      [asked, asked].map((each) => running.app.call(mailRoutes.fileToCase, each)),
    );
    expect(new Set([one?.status, other?.status])).toEqual(new Set([200, 201]));
    expect(one?.body).toEqual(other?.body);
  });

  test('refuses unknown mails and cases, and other users’ mails', async () => {
    const { id: mailId } = await running.google.deliver(ADA.email, plainMail());
    const { id: caseId } = await openCase(running.app, ada.token);
    const file = (own: SignedInPerson, params: { mailId: string }, body: object) =>
      running.app.call(mailRoutes.fileToCase, { token: own.token, params, body });
    expect((await file(ada, { mailId }, { caseId: ada.id })).message).toBe(
      'Please select any case',
    );
    expect((await file(ada, { mailId }, {})).message).toBe('Please select any case');
    expect((await file(ada, { mailId: 'none' }, { caseId })).status).toBe(404);
    expect((await file(ben, { mailId }, { caseId })).status).toBe(404);
  });
});

const { app } = suite({});

const change = ({ token }: SignedInPerson, signature: string) =>
  app.call(mailSignatureRoutes.changeSignature, { token, body: { signature } });
const read = async ({ token }: SignedInPerson) =>
  (await app.call(mailSignatureRoutes.readSignature, { token })).body.signature;

test('a signature is its user’s alone, and can be changed and emptied', async () => {
  const [ada, ben] = [await registerUser(app), await registerUser(app)];
  expect(await read(ada)).toBe('');
  expect(await change(ada, 'Ada Owusu\nHartwell & Osei')).toMatchObject({
    status: 200,
    message: 'Signature saved',
  });
  await change(ben, 'Ben');
  expect(await read(ada)).toBe('Ada Owusu\nHartwell & Osei');
  await change(ada, '');
  expect(await read(ada)).toBe('');
  expect(await read(ben)).toBe('Ben');
});

test('a signature has a length, and needs a user who is signed in', async () => {
  const ada = await registerUser(app);
  expect(await change(ada, 'a'.repeat(2001))).toMatchObject({
    status: 400,
    errors: [{ path: 'signature', message: 'Signature must have at most 2000 characters' }],
  });
  expect(await app.call(mailSignatureRoutes.readSignature, {})).toMatchObject({
    code: 'invalidToken',
  });
});
