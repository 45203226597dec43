import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailRoutes } from '@matterdesk/contract/mails.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { openCase, registerAdmin, registerUser } from '../../testing/factories.ts';
import { ADA, connect, type MailTest, plainMail, startMailTest } from '../../testing/mail.ts';

let running: MailTest;

beforeAll(async () => {
  running = await startMailTest();
});
afterAll(() => running.close());

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
