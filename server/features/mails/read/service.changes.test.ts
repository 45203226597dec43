import { expect, test } from 'vitest';
import {
  type MailChange,
  mailChangeRoutes,
  mailRoutes,
  mailWritingRoutes,
} from '@matterdesk/contract/mails.ts';
import { nextEvent } from '../../../testing/client.ts';
import { openCase, registerAdmin, registerUser } from '../../../testing/factories.ts';
import { ADA, connected, mailSuite, plainMail } from '../../../testing/mail.ts';

const { running, ada } = mailSuite({ ada: connected(registerAdmin) }, { isFresh: true });

const change = (mailId: string, body: MailChange, { token, email } = ada) =>
  running.app.call(mailChangeRoutes.changeMail, {
    token,
    params: { userEmail: email, mailId },
    body,
  });

async function inbox() {
  const { body } = await running.app.call(mailRoutes.listMails, {
    token: ada.token,
    params: { userEmail: ada.email },
    query: { section: 'inbox' },
  });
  return body.data.inbox.map(({ id, unread }) => ({ id, unread }));
}

test('a mail leaves the inbox and comes back, at Google too, and other windows are notified', async () => {
  const { id } = await running.google.deliver(ADA.email, plainMail({}));
  const notified = nextEvent(await running.app.socket(ada.token), 'mail.received');
  expect((await change(id, { archived: true })).status).toBe(200);
  expect(await notified).toEqual({ section: 'inbox', ids: [] });
  expect(await inbox()).toEqual([]);
  await change(id, { archived: false });
  expect(await inbox()).toEqual([{ id, unread: true }]);
  const { body } = await change(id, { unread: false });
  expect(body.data).toMatchObject({ id, unread: false });
  expect((await change(id, { trashed: true })).status).toBe(200);
  expect(await inbox()).toEqual([]);
  await change(id, { trashed: false });
  await change(id, { archived: false });
  expect(await inbox()).toEqual([{ id, unread: false }]);
  const log = await running.app.db
    .selectFrom('audit_log')
    .select(['entity', 'entity_id', 'after'])
    .where('entity', '=', 'mail')
    .orderBy('id')
    .execute();
  expect(log[0]).toEqual({ entity: 'mail', entity_id: id, after: { members: ['archived'] } });
  expect(log).toHaveLength(6);
});

test('a thread shows its mails in their order, to its owner alone', async () => {
  const first = await running.google.deliver(ADA.email, plainMail({ subject: 'The lease' }));
  const readThread = (userEmail: string, token = ada.token) =>
    running.app.call(mailChangeRoutes.readThread, {
      token,
      params: { userEmail, threadId: first.threadId },
    });
  const sendMail = { from: ada.email, to: ADA.email, subject: 'Re: The lease', text: 'Yes' };
  await running.app.call(mailWritingRoutes.sendMail, {
    token: ada.token,
    body: { ...sendMail, inReplyTo: first.id },
  });
  const { body } = await readThread(ada.email);
  expect(body.data.map(({ subject }) => subject)).toEqual(['The lease', 'Re: The lease']);
  expect(body.data.every(({ threadId }) => threadId === first.threadId)).toBe(true);
  expect(body.data.some((mail) => mail.filed)).toBe(false);
  const opened = await openCase(running.app, ada.token, { caseName: 'Abara v. Northline' });
  await running.app.call(mailRoutes.fileToCase, {
    token: ada.token,
    params: { mailId: first.id },
    body: { caseId: opened.id },
  });
  const filed = (await readThread(ada.email)).body.data.map((mail) =>
    mail.filed?.map((of) => of.case.caseName),
  );
  expect(filed).toEqual([['Abara v. Northline'], undefined]);
  const other = await registerUser(running.app);
  expect((await readThread(ada.email, other.token)).status).toBe(403);
  expect((await readThread(other.email, other.token)).status).toBe(409);
  expect((await change(first.id, { trashed: true }, { ...other, email: ada.email })).status).toBe(
    403,
  );
});

test('what is no change, and what is no mail, is refused', async () => {
  const { id } = await running.google.deliver(ADA.email, plainMail({}));
  for (const body of [{}, { unread: true, archived: true }, { unread: 'yes' }, { starred: true }])
    expect(await change(id, body as unknown as MailChange)).toMatchObject({
      status: 400,
      message: 'Please name one of unread, archived and trashed',
    });
  for (const unknown of ['18f0000000000000', 'no mail'])
    expect((await change(unknown, { archived: true })).status).toBe(404);
  expect(await inbox()).toEqual([{ id, unread: true }]);
});
