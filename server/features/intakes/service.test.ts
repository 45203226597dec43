import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { letterRoutes, intakeRoutes as routes } from '@matterdesk/contract/intake-routes.ts';
import { mailRoutes, mailWritingRoutes } from '@matterdesk/contract/mails.ts';
import { tracesOf } from '../../testing/database.ts';
import { addIntake, registerAdmin, registerWith } from '../../testing/factories.ts';
import { ADA, connected, mailSuite, plainMail } from '../../testing/mail.ts';

const { running, ada } = mailSuite({ ada: connected(registerAdmin) });

const read = async (id: string, { token } = ada) =>
  (await running.app.call(routes.readIntake, { token, params: { id } })).body;

test('an intake is made of a mail in one call, and keeps it', async () => {
  const { app, google } = running;
  const raw = plainMail({ from: 'Ann Smith <ann@client.example>', subject: 'A truck hit me' });
  const { id: fromMail } = await google.deliver(ADA.email, raw);
  const { token } = ada;
  const made = await app.call(routes.addIntake, { token, body: { fromMail } });
  expect(made.status).toBe(201);
  const { intake, files, activity } = await read(made.body.intake.id);
  expect(intake).toMatchObject({ name: 'Ann Smith', email: 'ann@client.example', stage: 'new' });
  expect(files.map(({ name }) => name)).toEqual([expect.stringMatching(/\.eml$/)]);
  expect(activity.map(({ kind }) => kind)).toContain('mail');
  const unknown = await app.call(routes.addIntake, {
    token,
    body: { fromMail: '0123456789abcdef' },
  });
  expect(unknown.status).toBe(404);
  expect((await app.call(routes.addIntake, { token, body: { name: 'No way' } })).status).toBe(400);
  expect((await app.call(routes.addIntake, { token, body: {} })).status).toBe(400);
});

test('a mail makes one intake, however often it is asked for', async () => {
  const { app, google } = running;
  const { token } = ada;
  const raw = plainMail({ from: 'Cy Young <cy@client.example>', subject: 'Twice' });
  const { id: fromMail } = await google.deliver(ADA.email, raw);
  const make = () =>
    app.call(routes.addIntake, {
      token,
      body: { fromMail },
      headers: { 'idempotency-key': randomUUID() },
    });
  const replies = [...(await Promise.all([make(), make()])), await make()];
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
  expect(new Set(replies.map(({ body }) => body.intake.id)).size).toBe(1);
  const query = { search: 'cy@client.example' };
  const { intakes } = (await app.call(routes.listIntakes, { token, query })).body;
  expect(intakes).toHaveLength(1);
  const { files } = await read(intakes[0]?.id ?? '');
  expect(files).toHaveLength(1);
});

test('an erased intake leaves nothing of the mail it was made of, and of its letter', async () => {
  const { app, google } = running;
  const { token } = ada;
  const WORD = 'Quillwright';
  const raw = plainMail({
    from: 'Di Roy <di@client.example>',
    subject: WORD,
    text: `${WORD} hit me`,
  });
  const { id: fromMail } = await google.deliver(ADA.email, raw);
  const { intake } = (await app.call(routes.addIntake, { token, body: { fromMail } })).body;
  const params = { id: intake.id };
  const letter = { subject: `About ${WORD}`, text: `Dear ${WORD}` };
  await app.call(letterRoutes.draftLetter, { token, params, body: letter });
  await app.pool.query('analyze');
  expect(await tracesOf(app.pool, WORD)).not.toEqual([]);
  expect((await app.call(routes.eraseIntake, { token, params })).status).toBe(200);
  expect(await tracesOf(app.pool, WORD)).toEqual([]);
  expect(await tracesOf(app.pool, fromMail)).toEqual([]);
  expect(JSON.stringify(app.logLines())).not.toContain(WORD);
  const anew = await app.call(routes.addIntake, { token, body: { fromMail } });
  expect(anew.body.intake.id).not.toBe(intake.id);
});

test('a letter is filled in and kept as a draft, and a mail to an intake is its first response', async () => {
  const { app } = running;
  const { token } = ada;
  const { id } = await addIntake(app, token, { name: 'Bo Lind', email: 'bo@client.example' });
  const params = { id };
  const query = { template: 'We cannot take your case' };
  const { body: letter } = await app.call(letterRoutes.readLetter, { token, params, query });
  expect(letter.text).toContain('Dear Bo Lind');
  expect(letter.text).not.toContain('{');
  const draft = {
    token,
    params,
    body: { subject: letter.subject, text: letter.text },
    headers: { 'idempotency-key': randomUUID() },
  };
  const { body, status } = await app.call(letterRoutes.draftLetter, draft);
  expect([status, typeof body.draftId]).toEqual([201, 'string']);
  expect((await app.call(letterRoutes.draftLetter, draft)).body).toEqual(body);
  expect((await read(id)).activity.filter(({ kind }) => kind === 'letter')).toHaveLength(1);
  const mailbox = { token, params: { userEmail: ada.email } };
  const { drafts } = (await app.call(mailRoutes.listMails, mailbox)).body.data;
  expect(drafts.filter(({ subject }) => subject === letter.subject)).toHaveLength(1);
  expect((await read(id)).intake.firstResponseAt).toBeNull();
  const sent = await app.call(mailWritingRoutes.sendMail, {
    token,
    body: { from: ada.email, to: 'bo@client.example', subject: 'Your call', text: 'We call you.' },
  });
  expect(sent.status).toBe(200);
  const { intake, activity } = await read(id);
  expect(intake.firstResponseAt).toEqual(expect.any(String));
  expect(activity[0]).toMatchObject({ kind: 'mail', text: 'Your call' });
  const handler = await registerWith(app, { handleIntakes: true });
  expect((await read(id, handler)).activity[0]).toMatchObject({ kind: 'mail', text: null });
});
