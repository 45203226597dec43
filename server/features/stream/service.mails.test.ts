import { expect, test } from 'vitest';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { mailRoutes } from '@matterdesk/contract/mails.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { openCase, registerAdmin, registerUser } from '../../testing/factories.ts';
import { ADA, BEN, connect, mailSuite, makeDue, plainMail } from '../../testing/mail.ts';

const { running } = mailSuite({});

test('the stream has a filed mail once, as a mail whose link is its file', async () => {
  const { app, google } = running;
  const [ada, reader] = [await registerAdmin(app), await registerUser(app)];
  await connect(running, ada, ADA.email);
  const { id: caseId, caseName } = await openCase(app, ada.token);
  const { id: mailId } = await google.deliver(ADA.email, plainMail());
  const { token } = ada;
  const filed = await app.call(mailRoutes.fileToCase, {
    token,
    params: { mailId },
    body: { caseId },
  });
  expect(filed.status).toBe(201);
  const read = async (kinds?: string) =>
    (
      await app.call(streamRoutes.readStream, {
        token: reader.token,
        params: { id: caseId },
        ...(kinds !== undefined && { query: { kinds } }),
      })
    ).body;
  const { items, counts, total } = await read('mail');
  expect(items).toMatchObject([
    { source: 'mail', kind: 'filed', actor: { id: ada.id }, link: filed.body.url },
  ]);
  expect(total).toBe(1);
  expect(counts).toMatchObject({ mail: 1, file: 0 });
  expect((await read('file')).items).toEqual([]);
  expect((await read()).items.map(({ source, title }) => `${source} ${title}`)).toEqual([
    `mail ${items[0]?.title}`,
    `change ${caseName}`,
  ]);
});

test('a mail of a party is its reader’s own, and to others only by whom and when, until it is filed', async () => {
  const { app, google } = running;
  const [owner, reader] = [await registerAdmin(app), await registerUser(app)];
  await connect(running, owner, BEN.email);
  const email = 'yusuf@adeyemi.example';
  const clientInfo = {
    name: 'Yusuf Adeyemi',
    phoneNumber: '+12125550123',
    email,
    address: '1 Main Street',
  };
  const { id: caseId } = await openCase(app, owner.token, { clientInfo });
  // Mailboxes of those who are online are read.
  await app.socket(owner.token);
  const now = { date: new Date() };
  const raw = plainMail({ from: email, to: BEN.email, subject: 'The photographs', ...now });
  const { id: mailId } = await google.deliver(BEN.email, raw);
  await makeDue(running);
  await app.checkMail();
  const params = { id: caseId };
  const read = async ({ token }: { token: string }, query = {}) =>
    (await app.call(streamRoutes.readStream, { token, params, query: { kinds: 'mail', ...query } }))
      .body;
  const own = await read(owner);
  expect(own).toMatchObject({ total: 1, counts: { mail: 1 } });
  expect(own.items).toMatchObject([
    {
      source: 'mail',
      kind: 'created',
      actor: { id: owner.id },
      title: 'The photographs',
      excerpt: 'Please call me.',
      link: `/dashboard/emails?mail=${mailId}`,
    },
  ]);
  const [others] = (await read(reader)).items;
  expect(others).toMatchObject({
    title: 'Email',
    excerpt: '',
    link: null,
    actor: { id: owner.id },
  });
  expect((await read(owner, { search: 'PHOTOGRAPHS' })).total).toBe(1);
  expect((await read(reader, { search: 'photographs' })).total).toBe(0);
  expect((await read(reader, { people: owner.id })).total).toBe(1);
  expect((await read(reader, { people: reader.id })).total).toBe(0);
  expect((await read(owner, { to: '2026-01-01' })).total).toBe(0);
  const archive = (statusType: 'Active' | 'Archive') =>
    app.call(caseRoutes.changeCase, { token: owner.token, params, body: { statusType } });
  await archive('Archive');
  expect((await read(owner)).total).toBe(0);
  await archive('Active');
  await app.call(mailRoutes.fileToCase, {
    token: owner.token,
    params: { mailId },
    body: { caseId },
  });
  const filed = await read(reader);
  expect(filed.items).toMatchObject([{ kind: 'filed' }]);
  expect(filed.counts).toMatchObject({ mail: 1 });
});
