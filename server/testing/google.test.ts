import { gmail as openGmail } from '@googleapis/gmail';
import { CodeChallengeMethod, OAuth2Client } from 'google-auth-library';
import { afterEach, expect, test } from 'vitest';
import { startGoogle, type Google } from './google.ts';

const ANNA = { email: 'anna@firm.example', name: 'Anna Weiß' };
const BEN = { email: 'ben@firm.example', name: 'Ben Cole' };
const REDIRECT = 'http://localhost:3000/dashboard/emails';
const SCOPES = ['https://www.googleapis.com/auth/gmail.modify', 'openid'];
const NESTED = [
  'From: =?utf-8?Q?J=C3=B6rg?= <joerg@elsewhere.example>',
  'To: anna@firm.example',
  'Subject: =?utf-8?B?R3LDvMOfZQ==?=',
  'Date: Mon, 02 Nov 2026 10:00:00 +0000',
  'Message-ID: <first@elsewhere.example>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="outer"',
  '',
  '--outer',
  'Content-Type: multipart/alternative; boundary="inner"',
  '',
  '--inner',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Viele Gr=C3=BC=C3=9Fe & mehr',
  '--inner',
  'Content-Type: text/html',
  '',
  '<p>Viele</p>',
  '--inner--',
  '--outer',
  "Content-Type: application/pdf; name*=utf-8''Gr%C3%BC%C3%9Fe.pdf",
  'Content-Disposition: attachment',
  'Content-Transfer-Encoding: base64',
  '',
  'JVBERi0xLjc=',
  '--outer--',
  '',
].join('\r\n');

let google: Google;

afterEach(() => google.close());

async function start(options: Partial<Parameters<typeof startGoogle>[0]> = {}) {
  google = await startGoogle({ users: [ANNA, BEN], redirectUri: REDIRECT, ...options });
  return google;
}

function newClient() {
  const { env } = google;
  return new OAuth2Client({
    clientId: env['GOOGLE_CLIENT_ID'] ?? '',
    clientSecret: env['GOOGLE_CLIENT_SECRET'] ?? '',
    redirectUri: REDIRECT,
    forceRefreshOnFailure: true,
    endpoints: {
      oauth2AuthBaseUrl: env['GOOGLE_AUTH_URL'] ?? '',
      oauth2TokenUrl: env['GOOGLE_TOKEN_URL'] ?? '',
      oauth2RevokeUrl: env['GOOGLE_REVOKE_URL'] ?? '',
    },
  });
}

async function connect(email: string, scopes = SCOPES) {
  const auth = newClient();
  const { codeVerifier, codeChallenge = '' } = await auth.generateCodeVerifierAsync();
  const authUrl = auth.generateAuthUrl({
    access_type: 'offline',
    prompt: 'consent',
    scope: SCOPES,
    state: 's-1',
    code_challenge: codeChallenge,
    code_challenge_method: CodeChallengeMethod.S256,
  });
  const { code, state } = await google.grant(authUrl, email, { scopes });
  expect(state).toBe('s-1');
  const { tokens } = await auth.getToken({ code: code ?? '', codeVerifier });
  auth.setCredentials(tokens);
  const api = openGmail({ version: 'v1', auth, rootUrl: google.env['GMAIL_ROOT_URL'] ?? '' });
  return { auth, api, tokens };
}

function encode(text: string) {
  return { raw: Buffer.from(text).toString('base64url') };
}

const me = { userId: 'me' };

test('grants access, returns a message in Gmail’s form and counts it', async () => {
  await start({ messages: [{ email: ANNA.email, raw: NESTED }] });
  const { api, tokens } = await connect(ANNA.email);
  expect(tokens.refresh_token).toBeTruthy();
  const { data: list } = await api.users.messages.list({ ...me, labelIds: ['INBOX'] });
  const id = list.messages?.[0]?.id ?? '';
  const { data } = await api.users.messages.get({ ...me, id });
  expect(data.snippet).toBe('Viele Grüße &#38; mehr');
  const headers = new Map(data.payload?.headers?.map(({ name, value }) => [name, value]));
  expect(headers.get('Subject')).toBe('Grüße');
  expect(headers.get('From')).toBe('Jörg <joerg@elsewhere.example>');
  const [alternative, pdf] = data.payload?.parts ?? [];
  expect(alternative?.parts?.map(({ mimeType, partId }) => [partId, mimeType])).toEqual([
    ['0.0', 'text/plain'],
    ['0.1', 'text/html'],
  ]);
  expect(pdf?.filename).toBe('Grüße.pdf');
  const attachment = { ...me, messageId: id, id: pdf?.body?.attachmentId ?? '' };
  const { data: bytes } = await api.users.messages.attachments.get(attachment);
  expect(Buffer.from(bytes.data ?? '', 'base64url').toString()).toBe('%PDF-1.7');
  const inbox = async () => (await api.users.labels.get({ ...me, id: 'INBOX' })).data;
  expect(await inbox()).toMatchObject({ messagesTotal: 1, messagesUnread: 1 });
  await api.users.messages.modify({ ...me, id, requestBody: { removeLabelIds: ['UNREAD'] } });
  expect(await inbox()).toMatchObject({ messagesTotal: 1, messagesUnread: 0 });
  const { data: profile } = await api.users.getProfile(me);
  expect(profile).toMatchObject({ emailAddress: ANNA.email, messagesTotal: 1 });
  const { data: drafts } = await api.users.drafts.list(me);
  expect(drafts).not.toHaveProperty('drafts');
});

test('delivers a sent mail to local inboxes, without Bcc, in the same thread', async () => {
  await start({ messages: [{ email: ANNA.email, raw: NESTED }] });
  const { api } = await connect(ANNA.email);
  const reply =
    'From: Anna <anna@firm.example>\r\nTo: anna@firm.example\r\nBcc: ben@firm.example\r\nSubject: Re: Grüße\r\nIn-Reply-To: <first@elsewhere.example>\r\n\r\nGut';
  const { data: sent } = await api.users.messages.send({ ...me, requestBody: encode(reply) });
  expect(sent.labelIds?.toSorted()).toEqual(['INBOX', 'SENT', 'UNREAD']);
  const { data: thread } = await api.users.threads.get({ ...me, id: sent.threadId ?? '' });
  expect(thread.messages).toHaveLength(2);
  const ben = (await connect(BEN.email)).api;
  const { data: list } = await ben.users.messages.list(me);
  const got = { ...me, id: list.messages?.[0]?.id ?? '', format: 'raw' };
  const { data } = await ben.users.messages.get(got);
  const raw = Buffer.from(data.raw ?? '', 'base64url').toString();
  expect(raw).toContain('Subject: Re: Grüße');
  expect(raw).not.toMatch(/^bcc/im);
  await expect(
    api.users.messages.send({ ...me, requestBody: encode('Subject: x\r\n\r\nNo recipient') }),
  ).rejects.toMatchObject({ status: 400, message: 'Recipient address required' });
});

test('the stand-in accepts drafts and whole messages as uploads, and refuses large ones', async () => {
  await start();
  const { api, auth } = await connect(ANNA.email);
  const rootUrl = google.env['GMAIL_ROOT_URL'] ?? '';
  const mail = 'To: ben@firm.example\r\nSubject: Ünï\r\n\r\nText';
  const body = mail + 'x'.repeat(100_000);
  const media = { mimeType: 'message/rfc822', body };
  const { data: draft } = await api.users.drafts.create({ ...me, media }, { rootUrl });
  const { data: kept } = await api.users.drafts.get({ ...me, id: draft.id ?? '', format: 'raw' });
  expect(Buffer.from(kept.message?.raw ?? '', 'base64url').toString()).toBe(body);
  await api.users.drafts.send({ ...me, requestBody: { id: draft.id ?? '' } });
  expect((await api.users.drafts.list(me)).data.drafts).toBeUndefined();
  const { data: outbox } = await api.users.messages.list({ ...me, labelIds: ['SENT'] });
  expect(outbox.messages).toHaveLength(1);
  const uploads = `${rootUrl}upload/gmail/v1/users/me/messages/send?uploadType=resumable`;
  const authorization = `Bearer ${auth.credentials.access_token}`;
  const opened = await fetch(uploads, { method: 'POST', headers: { authorization } });
  const session = opened.headers.get('location') ?? '';
  const put = async (part: string, range: string) =>
    fetch(session, {
      method: 'PUT',
      headers: { authorization, 'content-range': `bytes ${range}` },
      body: part,
    });
  const half = await put(mail.slice(0, 20), `0-19/${Buffer.byteLength(mail)}`);
  expect([half.status, half.headers.get('range')]).toEqual([308, 'bytes=0-19']);
  const whole = await put(
    mail.slice(20),
    `20-${Buffer.byteLength(mail) - 1}/${Buffer.byteLength(mail)}`,
  );
  expect(await whole.json()).toMatchObject({ labelIds: ['SENT'] });
  const huge = { mimeType: 'message/rfc822', body: mail + 'x'.repeat(36_700_160) };
  await expect(api.users.messages.send({ ...me, media: huge }, { rootUrl })).rejects.toMatchObject({
    status: 413,
  });
});

test('refreshes an expired token, and refuses everything after a revocation', async () => {
  await start();
  const { api, auth, tokens } = await connect(ANNA.email);
  google.expireTokens();
  expect((await api.users.getProfile(me)).data.emailAddress).toBe(ANNA.email);
  expect(auth.credentials.access_token).not.toBe(tokens.access_token);
  await auth.revokeToken(tokens.refresh_token ?? '');
  await expect(auth.revokeToken('never-issued')).rejects.toMatchObject({ status: 400 });
  await expect(api.users.getProfile(me)).rejects.toThrow('invalid_grant');
});

test('supports denying access and unchecking a permission', async () => {
  await start();
  const url = `${google.env['GOOGLE_AUTH_URL']}?client_id=${google.env['GOOGLE_CLIENT_ID']}&redirect_uri=${REDIRECT}&response_type=code&scope=a%20b&state=z`;
  expect(await google.grant(url, ANNA.email, { deny: true })).toMatchObject({
    code: null,
    state: 'z',
    error: 'access_denied',
  });
  const { api } = await connect(ANNA.email, ['openid']);
  await expect(api.users.getProfile(me)).rejects.toMatchObject({ status: 403 });
  const elsewhere = url.replace(REDIRECT, 'http://evil.example/');
  await expect(google.grant(elsewhere, ANNA.email)).rejects.toThrow('redirect_uri_mismatch');
});

test('the stand-in reports new mail by its history, until that expires', async () => {
  await start();
  const { api } = await connect(ANNA.email);
  const { data: profile } = await api.users.getProfile(me);
  const { id } = await google.deliver(ANNA.email, NESTED);
  const history = { ...me, startHistoryId: profile.historyId ?? '' };
  const { data } = await api.users.history.list(history);
  expect(data.history?.[0]?.messagesAdded?.[0]?.message?.id).toBe(id);
  const ancient = api.users.history.list({ ...me, startHistoryId: '1' });
  await expect(ancient).rejects.toMatchObject({ status: 404 });
  await google.forgetHistory();
  await expect(api.users.history.list(history)).rejects.toMatchObject({ status: 404 });
});

test('the stand-in fails on demand and keeps a journal without secrets', async () => {
  await start();
  const { api, tokens } = await connect(ANNA.email);
  google.faults.push({ path: /labels/, status: 429, retryAfter: 7 });
  const retry = { retry: false };
  const failed = api.users.labels.list(me, retry);
  await expect(failed).rejects.toMatchObject({ status: 429 });
  google.faults.push({ path: /labels/, destroy: true }, { path: /labels/, cutAfterBytes: 10 });
  await expect(api.users.labels.list(me, retry)).rejects.toThrow('');
  await expect(api.users.labels.list(me, retry)).rejects.toThrow('');
  expect((await api.users.labels.list(me, retry)).status).toBe(200);
  const journal = JSON.stringify(google.requests);
  expect(google.requests.at(-1)).toMatchObject({ path: '/gmail/v1/users/me/labels' });
  expect(journal).not.toContain(tokens.refresh_token);
});
