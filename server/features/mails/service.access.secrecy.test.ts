import { beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { mailRoutes, mailAccountRoutes, mailWritingRoutes } from '@matterdesk/contract/mails.ts';
import { nextEvent } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { openCase, registerAdmin } from '../../testing/factories.ts';
import { ADA, connect, grant, mailSuite, makeDue } from '../../testing/mail.ts';

/** Each is planted in another place of a mail or request. */
const PLANTED = {
  subject: 'zebrasubject',
  text: 'zebratext',
  name: 'zebraname',
  address: 'zebraaddress',
  file: 'zebrafile',
  search: 'zebrasearch',
  answer: 'zebraanswer',
};
const { subject, text, name, address, file, search, answer } = PLANTED;
const MAIL = [
  `From: ${name} <${address}@client.example>`,
  `To: ${ADA.email}`,
  `Subject: ${subject}`,
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  `--b\r\nContent-Type: text/plain\r\n\r\n${text}`,
  `--b\r\nContent-Type: text/plain; name="${file}.txt"\r\nContent-Disposition: attachment\r\n\r\n${text}`,
  '--b--',
].join('\r\n');

const { running, ada } = mailSuite({ ada: ({ app }) => registerAdmin(app) });
const secrets: string[] = Object.values(PLANTED);

beforeAll(() => {
  secrets.push(running.google.env['GOOGLE_CLIENT_SECRET'] ?? '', ada.token);
});

/** Runs every mail operation in sequence. @returns the statuses */
async function doEverything(): Promise<number[]> {
  const { app, google } = running;
  const { token } = ada;
  const { id: mailId } = await google.deliver(ADA.email, MAIL);
  const params = { userEmail: ada.email, mailId };
  const body = {
    from: ada.email,
    to: `${address}@client.example`,
    subject,
    text,
    inReplyTo: mailId,
    attachments: [{ url: `/api/v1/mails/attachment/${mailId}/2/${file}.txt` }],
  };
  const form = new FormData();
  form.append('attachment', new File([text], `${file}.txt`));
  const upload = { method: 'POST', headers: { 'x-auth-token': token }, body: form };
  const { id: caseId } = await openCase(app, token);
  const drafted = await app.call(mailWritingRoutes.keepDraft, { token, body });
  const draft = { draftId: drafted.body?.draftId ?? 'gone' };
  const replies = [
    drafted,
    await app.call(mailRoutes.listMails, { token, params, query: { search } }),
    await app.call(mailRoutes.readMail, { token, params }),
    await app.call(mailRoutes.readAttachment, {
      token,
      params: { mailId, attachmentId: '2', name: `${file}.txt` },
    }),
    await app.call(mailWritingRoutes.changeDraft, { token, params: draft, body }),
    await app.call(mailWritingRoutes.deleteDraft, { token, params: draft }),
    await app.request('/api/v1/mails/uploads', upload),
    await app.call(mailWritingRoutes.sendMail, { token, body: { ...body, forwardOf: mailId } }),
    await app.call(mailRoutes.fileToCase, { token, params: { mailId }, body: { caseId } }),
  ];
  return replies.map(({ status }) => status);
}

/** Expected status per call; uploads never call Google, and a lost reply leaves the outcome unknown. */
function refusalsFor(status: number): number[] {
  const direct = status === 404 || status === 429 ? status : 502;
  // Google answers 400 to the id of no mail.
  const isUnknown = status === 400 || status === 404;
  const [named, read] = isUnknown ? [400, 404] : [direct, direct];
  return [named, direct, read, read, named, direct, 201, named, read];
}

function expectSilence() {
  const lines = running.app.logLines().map((line) => JSON.stringify(line).toLowerCase());
  const log = lines.join('\n');
  const leaks = lines.filter((line) =>
    secrets.some((secret) => line.includes(secret.toLowerCase())),
  );
  expect(leaks).toEqual([]);
  // Any of Google's tokens and codes.
  expect(log).not.toMatch(/ya29\.|1\/\/|"4\/|bearer/);
}

test('the log contains nothing of mails, tokens and searches', async () => {
  const { google, app } = running;
  const asked = { ...(await grant(running, ada)), userEmail: ada.email };
  secrets.push(asked.code, asked.state);
  await app.call(mailAccountRoutes.finishConnecting, { token: ada.token, body: asked });
  await app.call(mailAccountRoutes.finishConnecting, { token: ada.token, body: asked });
  expect(await doEverything()).toEqual([201, 200, 200, 200, 200, 200, 201, 200, 201]);
  const socket = await app.socket(ada.token);
  const news = nextEvent(socket, 'mail.received');
  await google.deliver(ADA.email, MAIL);
  await makeDue(running);
  await app.checkMail();
  await news;
  expectSilence();
});

test('the log contains nothing of them when Google fails with any message', async () => {
  const { google, app } = running;
  await connect(running, ada);
  const quoting = {
    error: { code: 500, message: `${answer} ${text}`, errors: [{ reason: answer }] },
  };
  for (const status of [400, 401, 403, 404, 429, 500, 503]) {
    google.faults.push({ path: /gmail/, status, body: quoting, times: Infinity });
    expect([status, await doEverything()]).toEqual([status, refusalsFor(status)]);
    google.faults.length = 0;
  }
  const me = await app.call(accountRoutes.me, { token: ada.token });
  expect(me.body.googleEmail).toBe(ADA.email);
  google.faults.push({ path: /gmail/, status: 200, body: `${answer}{`, times: Infinity });
  await doEverything().catch(() => undefined);
  google.faults.length = 0;
  google.faults.push({ path: /gmail/, destroy: true, times: Infinity });
  await doEverything().catch(() => undefined);
  google.faults.length = 0;
  google.expireTokens();
  google.faults.push({ path: /token/, status: 400, body: { error: answer } });
  await doEverything().catch(() => undefined);
  google.faults.length = 0;
  google.revokeAll();
  await doEverything().catch(() => undefined);
  await app.call(mailAccountRoutes.disconnect, { token: ada.token });
  await eventually(() => expect(app.logLines().length).toBeGreaterThan(60));
  expectSilence();
});
