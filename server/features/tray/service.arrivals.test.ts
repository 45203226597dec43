import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { mailRoutes } from '@matterdesk/contract/mails.ts';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { streamRoutes, textFilingRoutes } from '@matterdesk/contract/stream.ts';
import { trayRoutes } from '@matterdesk/contract/tray.ts';
import { nextEvent } from '../../testing/client.ts';
import {
  openCase,
  registerAdmin,
  registerUser,
  type SignedInPerson,
  restrict,
} from '../../testing/factories.ts';
import {
  ADA,
  connect,
  type MailTest,
  makeDue,
  plainMail,
  startMailTest,
} from '../../testing/mail.ts';
import { type PersonWithNumber, registerWithNumber } from '../../testing/texting.ts';
import { startTwilio, type Twilio } from '../../testing/twilio.ts';
import { purgeTray } from './service.ts';

const PHONE = '+12125550177';
const EMAIL = 'yusuf@adeyemi.example';

let twilio: Twilio;
let running: MailTest;
let ada: PersonWithNumber;
let admin: SignedInPerson;
let ben: SignedInPerson;
let matter: { id: string; caseName: string; caseNo: string };

beforeAll(async () => {
  twilio = await startTwilio();
  running = await startMailTest({}, { env: twilio.env });
  twilio.webhookBase = running.app.url;
  admin = await registerAdmin(running.app);
  ben = await registerUser(running.app);
  ada = await registerWithNumber(running.app);
  await connect(running, ada, ADA.email);
  // Mailboxes of those who are online are read.
  await running.app.socket(ada.token);
});
afterAll(async () => {
  await running.close();
  await twilio.close();
});
// Each test has the tray and the client to itself.
beforeEach(async () => {
  await running.app.pool.query('delete from tray_items');
  await running.app.pool.query(`update base.cases set status_type = 'Archive'`);
  matter = await open();
});

const yusuf = {
  name: 'Yusuf Adeyemi',
  phoneNumber: '(212) 555-0177',
  email: EMAIL,
  address: '1 Main Street',
};
const open = async (own: object = {}) => {
  const { id, caseName, caseNo } = await openCase(running.app, admin.token, {
    clientInfo: yusuf,
    ...own,
  });
  return { id, caseName, caseNo: caseNo ?? '' };
};
const list = async ({ token }: SignedInPerson, query = {}) =>
  (await running.app.call(trayRoutes.listTray, { token, query })).body;
const file = (id: string, own: object = {}, { token }: SignedInPerson = ada) =>
  running.app.call(trayRoutes.fileItem, {
    token,
    params: { id },
    body: { case: matter.id, ...own },
  });
const undo = (id: string, { token }: SignedInPerson = ada) =>
  running.app.call(trayRoutes.undoItem, { token, params: { id } });
const dismiss = (id: string) =>
  running.app.call(trayRoutes.dismissItem, { token: ada.token, params: { id }, body: {} });
const streamOf = async (kinds: string, { token }: SignedInPerson = ben) =>
  (
    await running.app.call(streamRoutes.readStream, {
      token,
      params: { id: matter.id },
      query: { kinds },
    })
  ).body.items;
const filedTexts = async () =>
  (await streamOf('text')).filter(({ kind }) => kind === 'filed').map(({ excerpt }) => excerpt);
const filesOf = async () =>
  (
    await running.app.call(fileRoutes.listFiles, {
      token: admin.token,
      params: { caseId: matter.id },
    })
  ).body;
/** Only mails of the last thirty days are offered. */
const now = () => ({ date: new Date() });
const receive = (body: string, from = PHONE) => twilio.receive({ from, to: ada.phoneNumber, body });
async function deliver(own: Parameters<typeof plainMail>[0] = {}) {
  const from = `Yusuf Adeyemi <${EMAIL}>`;
  const { id } = await running.google.deliver(ADA.email, plainMail({ from, ...now(), ...own }));
  await makeDue(running);
  await running.app.checkMail();
  return id;
}
const read = async (id: string, { token }: SignedInPerson = ada) => {
  const reply = await running.app.request(`/api/v1/tray/${id}/content`, {
    headers: { 'x-auth-token': token },
  });
  return { status: reply.status, text: reply.text };
};
const firstOf = async (person: SignedInPerson = ada) => {
  const [item] = (await list(person)).items;
  if (!item) throw new Error('nothing is in the tray');
  return item;
};
const close = (id: string) =>
  running.app.call(caseRoutes.changeCase, {
    token: admin.token,
    params: { id },
    body: { statusType: 'Archive' },
  });

test('a text of a party is in the tray of its reader alone, with its matter and why', async () => {
  await receive('Can we meet on Thursday?');
  const { items, counts, total } = await list(ada);
  expect(items).toEqual([
    {
      id: expect.any(String),
      source: 'text',
      at: expect.any(String),
      title: `Text from ${PHONE}`,
      excerpt: 'Can we meet on Thursday?',
      from: { name: 'Yusuf Adeyemi', phoneNumber: PHONE },
      pages: null,
      proposals: [{ case: matter, reason: 'Yusuf Adeyemi is the client' }],
      owner: { id: ada.id, firstName: ada.firstName, lastName: ada.lastName },
      duplicateOf: null,
    },
  ]);
  expect({ counts, total }).toEqual({ counts: { mail: 0, text: 1, upload: 0, scan: 0 }, total: 1 });
  for (const other of [admin, ben]) {
    expect(await list(other)).toMatchObject({ items: [], total: 0, counts: { text: 0 } });
    expect((await read(items[0]?.id ?? '', other)).status).toBe(404);
    expect((await file(items[0]?.id ?? '', {}, other)).status).toBe(404);
  }
});

test('a text of a stranger comes once the number is a party’s, and a short code never', async () => {
  const stranger = '+12125550188';
  await receive('I was in an accident', stranger);
  await receive('Your code is 123456', '+1737');
  expect((await list(ada)).total).toBe(0);
  const { id } = await open({ clientInfo: { ...yusuf, name: 'Ida Bell', phoneNumber: stranger } });
  expect(await firstOf()).toMatchObject({
    from: { name: 'Ida Bell' },
    proposals: [{ case: { id } }],
  });
  await close(id);
  expect((await list(ada)).total).toBe(0);
});

test('filing a text makes it the matter’s with a file, and an undo takes both back', async () => {
  const socket = await running.app.socket(ada.token);
  const arrived = nextEvent(socket, 'tray.changed');
  await receive('The other driver called me');
  expect(await arrived).toEqual({ counts: { mail: 0, text: 1, upload: 0, scan: 0 } });
  const { id } = await firstOf();
  expect(await read(id)).toEqual({
    status: 200,
    text: expect.stringMatching(
      /^From: \+12125550177\nTo: \+1\d+\nDate: [\d-]+ [\d:]+ \(.+\)\n\nThe other driver called me\n$/,
    ),
  });
  const filed = await file(id);
  expect(filed).toMatchObject({ status: 200, body: { entry: null } });
  expect(filed.body.url).toMatch(/\/Texts\/[\d-]+%20Text%20from%20%2B12125550177\.txt$/);
  expect(await list(ada)).toMatchObject({ total: 0, counts: { text: 0 } });
  expect(await filedTexts()).toEqual(['The other driver called me']);
  expect(await file(id)).toMatchObject({ status: 409, message: 'This was filed already' });
  expect((await undo(id)).status).toBe(200);
  expect((await firstOf()).id).toBe(id);
  expect(await filedTexts()).toEqual([]);
  expect(Object.values((await filesOf()).files).flat()).toEqual([]);
  expect((await file(id, { folder: 'Intake' })).body.url).toContain('/Intake/');
});

test('a text that was filed from its conversation leaves the tray, and returns when it is unfiled', async () => {
  await receive('From the conversation');
  const { id } = await firstOf();
  const { token } = ada;
  const { body: history } = await running.app.call(messageRoutes.readHistory, {
    token,
    body: { from: ada.phoneNumber, to: PHONE },
  });
  const [message] = history.messages.slice(-1);
  const body = { case: matter.id, messageIds: [message?.id ?? ''] };
  await running.app.call(textFilingRoutes.fileTexts, { token, body });
  expect((await list(ada)).total).toBe(0);
  expect(await undo(id)).toMatchObject({ status: 409 });
  await running.app.call(textFilingRoutes.unfileTexts, { token, body });
  expect((await firstOf()).id).toBe(id);
});

test('a mail of a party is in the tray, and is filed whole with what it says', async () => {
  const mailId = await deliver({ subject: 'Police report', text: `For ${matter.caseNo}` });
  const item = await firstOf();
  expect(item).toMatchObject({
    source: 'mail',
    mailId,
    title: 'Police report',
    from: { name: 'Yusuf Adeyemi', email: EMAIL },
    proposals: [
      {
        case: matter,
        reason: `Case No ${matter.caseNo} in the message\nYusuf Adeyemi is the client`,
      },
    ],
  });
  expect((await list(admin)).total).toBe(0);
  expect((await read(item.id)).text).toContain('Subject: Police report');
  const { body } = await file(item.id);
  expect(body.url).toMatch(/\/Mail\/[\d-]+%20Police%20report\.eml$/);
  expect(await streamOf('mail')).toMatchObject([{ kind: 'filed', link: body.url }]);
  const { token } = ada;
  const detail = await running.app.call(mailRoutes.readMail, {
    token,
    params: { userEmail: ada.email, mailId },
  });
  expect(detail.body.data.filed).toMatchObject([{ case: { id: matter.id }, url: body.url }]);
  expect((await undo(item.id)).status).toBe(200);
  expect((await firstOf()).id).toBe(item.id);
  const again = await running.app.call(mailRoutes.readMail, {
    token,
    params: { userEmail: ada.email, mailId },
  });
  expect(again.body.data.filed).toEqual([]);
});

const remove = async (url: string, { token }: SignedInPerson = admin) => {
  const headers = { 'x-auth-token': token };
  expect((await running.app.request(url, { method: 'DELETE', headers })).status).toBe(200);
};
const restore = (url: string) =>
  running.app.call(fileRoutes.restoreFile, { token: admin.token, body: { url } });

test('a filed mail is in the tray again once its file is deleted, and leaves with the restored file', async () => {
  await deliver({ subject: 'Police report' });
  const { id } = await firstOf();
  const url = (await file(id)).body.url ?? '';
  const socket = await running.app.socket(ada.token);
  const returned = nextEvent(socket, 'tray.changed');
  await remove(url);
  expect(await returned).toMatchObject({ counts: { mail: 1 } });
  expect((await firstOf()).id).toBe(id);
  const left = nextEvent(socket, 'tray.changed');
  expect((await restore(url)).status).toBe(201);
  expect(await left).toMatchObject({ counts: { mail: 0 } });
  expect((await list(ada)).total).toBe(0);
  expect(await file(id)).toMatchObject({ status: 409, message: 'This was filed already' });
  await remove(url);
  expect((await file(id)).status).toBe(200);
  // The mail is in the matter by another file now.
  await restore(url);
  await remove(url);
  expect((await list(ada)).total).toBe(0);
});

test('a mail of two matters stays filed while one of them has it, also unseen by who deletes the other file', async () => {
  const other = await open();
  const mailId = await deliver({ subject: 'For both' });
  const { id } = await firstOf();
  const url = (await file(id)).body.url ?? '';
  const { body } = await running.app.call(mailRoutes.fileToCase, {
    token: ada.token,
    params: { mailId },
    body: { caseId: other.id },
  });
  await restrict(running.app, { token: admin.token, id: other.id, people: [ada.id, ben.id] });
  await remove(url);
  expect((await list(ada)).total).toBe(0);
  await remove(body.url, ada);
  expect((await firstOf()).id).toBe(id);
});

test('a reply to a filed mail says that its thread is filed there', async () => {
  const other = await open();
  const opening = plainMail({ from: EMAIL, ...now() });
  const [, answered = ''] = /^Message-ID: (.+)$/m.exec(opening) ?? [];
  const first = await running.google.deliver(ADA.email, opening);
  const { token } = ada;
  await running.app.call(mailRoutes.fileToCase, {
    token,
    params: { mailId: first.id },
    body: { caseId: other.id },
  });
  await deliver({ subject: 'Re: The lease', headers: [`In-Reply-To: ${answered.trim()}`] });
  const { items } = await list(ada);
  // The client has two matters now, so that the address alone points to neither.
  expect(items.map(({ title, proposals }) => [title, proposals])).toEqual([
    ['Re: The lease', [{ case: other, reason: 'This thread is filed there' }]],
  ]);
});

test('a mail is once in the tray, and not at all from a stranger, a colleague or oneself', async () => {
  await deliver({ subject: 'Once' });
  await deliver({ from: 'Offers <news@shop.example>', subject: 'Half price' });
  await running.google.deliver(ADA.email, plainMail({ from: EMAIL, subject: 'Own', ...now() }), {
    labels: ['INBOX', 'SENT'],
  });
  await running.app.db
    .updateTable('google_grants')
    .set({ walk_at: new Date(0) })
    .execute();
  await running.app.readCorrespondents();
  const titles = (await list(ada)).items.map(({ title }) => title);
  expect(titles.filter((title) => ['Once', 'Own', 'Half price'].includes(title))).toEqual(['Once']);
});

test('mails that were there before the mailbox was connected come with its walk', async () => {
  await running.google.deliver(ADA.email, plainMail({ from: EMAIL, subject: 'Earlier', ...now() }));
  await running.app.db
    .updateTable('google_grants')
    .set({ walk_at: new Date(0), walked_until: null, walk_started: null })
    .execute();
  await running.app.readCorrespondents();
  expect((await list(ada)).items.map(({ title }) => title)).toContain('Earlier');
});

test('a wall hides the matter and what came from its people', async () => {
  await receive('Behind a wall');
  await deliver();
  expect((await list(ada)).items.map(({ source }) => source)).toEqual(
    expect.arrayContaining(['mail', 'text']),
  );
  await restrict(running.app, { token: admin.token, id: matter.id, people: [admin.id] });
  expect(await list(ada)).toMatchObject({ items: [], total: 0, counts: { mail: 0, text: 0 } });
});

test('a mail that is not at Google any more can still be dismissed, but not filed', async () => {
  await deliver();
  const { id } = await firstOf();
  await running.app.pool.query(`update tray_items set mail_id = 'gone'`);
  expect(await file(id)).toMatchObject({ status: 404 });
  expect((await dismiss(id)).status).toBe(200);
  expect((await list(ada)).total).toBe(0);
  expect(await dismiss(id)).toMatchObject({ status: 409, message: 'This was dismissed already' });
  expect((await undo(id)).status).toBe(200);
  expect((await firstOf()).id).toBe(id);
});

test('after thirty days texts of strangers leave, and those of parties stay', async () => {
  await receive('A stranger', '+12125550199');
  await receive('The client');
  const left = async () =>
    (await running.app.pool.query<{ excerpt: string }>('select excerpt from tray_items')).rows;
  await running.app.pool.query(`update tray_items set at = at - interval '29 days'`);
  await purgeTray(running.app.context);
  expect(await left()).toHaveLength(2);
  await running.app.pool.query(`update tray_items set at = at - interval '2 days'`);
  await purgeTray(running.app.context);
  expect(await left()).toEqual([{ excerpt: 'The client' }]);
});
