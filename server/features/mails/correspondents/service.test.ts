import { expect, test } from 'vitest';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { registerUser, type SignedInPerson } from '../../../testing/factories.ts';
import { ADA, BEN, connect, connected, mailSuite, plainMail } from '../../../testing/mail.ts';

const { running, ada, ben } = mailSuite({
  ada: connected(registerUser),
  ben: ({ app }) => registerUser(app),
});

async function look(person: SignedInPerson, name: string, emails: string[] = []) {
  const asked = { name, role: null, emails, phoneNumbers: [], otherNames: [] };
  const { app } = running;
  const { token } = person;
  const reply = await app.call(conflictRoutes.lookForConflicts, {
    token,
    body: { names: [asked] },
  });
  return reply.body.hits.map((hit) =>
    hit.severity === 'hidden'
      ? `hidden, ask ${hit.ask.map(({ id }) => id).join()}`
      : `${hit.severity} ${hit.match} ${hit.found.source} ${hit.found.name}`,
  );
}

const deliver = (mail: Parameters<typeof plainMail>[0], labels?: string[]) =>
  running.google.deliver(ADA.email, plainMail(mail), labels && { labels });
const makeDue = () =>
  running.app.db
    .updateTable('google_grants')
    .set({ walk_at: new Date(0) })
    .execute();
async function read() {
  await makeDue();
  await running.app.readCorrespondents();
}
const queries = () =>
  running.google.requests
    .filter(({ path }) => path.endsWith('/messages'))
    .map(({ query }) => new URLSearchParams(query));

test('the directory finds everyone with whom a user exchanged mails, and refers others to the user', async () => {
  await deliver({
    from: '"Okonkwo, Perpetua" <perpetua@okonkwo.example>',
    headers: ['Cc: Silas Wrenfield <silas@wrenfield.example>, plain@nameless.example'],
  });
  await deliver({ from: ADA.email, to: 'Theodora Quist <theodora@quist.example>' }, ['SENT']);
  await deliver({ from: ADA.email, to: 'Hesper Undecided <hesper@draft.example>' }, ['DRAFT']);
  await deliver({ from: `Colleague Benson <${ben.email}>` });
  await read();
  expect(await look(ada, 'Perpetua Okonkwo')).toEqual([
    'mention exact correspondents Okonkwo, Perpetua',
  ]);
  expect(await look(ben, 'Perpetua Okonkwo')).toEqual([`hidden, ask ${ada.id}`]);
  expect(await look(ben, 'Silas Wrenfield')).toEqual([`hidden, ask ${ada.id}`]);
  expect(await look(ben, 'Theodora Quist')).toEqual([`hidden, ask ${ada.id}`]);
  expect(await look(ada, 'Someone Else', ['PLAIN@nameless.example'])).toEqual([
    'mention identifier correspondents plain@nameless.example',
  ]);
  expect(await look(ada, 'Hesper Undecided')).toEqual([]);
  expect(await look(ada, 'Colleague Benson')).toEqual([]);
});

test('the directory goes on where a failure of Google’s ended it, and reads later mails by their date alone', async () => {
  const first = await running.app.db.selectFrom('google_grants').selectAll().executeTakeFirst();
  expect(first?.walked_until).toBeInstanceOf(Date);
  await connect(running, ben, BEN.email);
  const { id } = await running.google.deliver(
    BEN.email,
    plainMail({ from: 'Oldest Writer <oldest@writer.example>' }).replace('02 Nov', '01 Nov'),
  );
  for (let later = 0; later < 100; later += 1) await running.google.deliver(BEN.email, plainMail());
  const before = queries().length;
  // It is alone on the second page.
  running.google.faults.push({ path: new RegExp(`/${id}$`), status: 500, times: Infinity });
  await read();
  running.google.faults.length = 0;
  expect(await look(ben, 'Oldest Writer')).toEqual([]);
  await read();
  expect(await look(ben, 'Oldest Writer')).toEqual(['mention exact correspondents Oldest Writer']);
  const asked = queries().slice(before);
  // The second page alone is read again.
  expect(asked.filter((query) => query.has('pageToken'))).toHaveLength(2);
  const late = plainMail({ from: 'Late Caller <late@caller.example>' });
  const today = `Date: ${new Date().toUTCString()}`;
  await running.google.deliver(ADA.email, late.replace(/^Date: .*$/m, today));
  await read();
  expect(await look(ada, 'Late Caller')).toEqual(['mention exact correspondents Late Caller']);
  expect(queries().at(-1)?.get('q')).toMatch(/^after:\d{10}$/);
});
