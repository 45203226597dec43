import { describe, expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { suite } from '../../testing/app.ts';
import {
  addTask,
  openCase,
  registerAdmin,
  registerUser,
  type SignedInPerson,
} from '../../testing/factories.ts';
import { textOf } from '../../testing/papers.ts';

const { app, admin, ben } = suite({ admin: registerAdmin, ben: registerUser });

const addNote = async (id: string, text: string, own: { at?: string } = {}) => {
  const body = { kind: 'note', text, ...own } as const;
  const call = { token: admin.token, params: { id }, body };
  return (await app.call(streamRoutes.addEntry, call)).body.entry;
};
const print = (id: string, own: object = {}, { token }: SignedInPerson = admin) =>
  app.call(streamRoutes.printStream, { token, params: { id }, body: { folder: 'Prints', ...own } });
const read = async (url: string) =>
  textOf(await fetch(app.url + url, { headers: { 'x-auth-token': admin.token } }));
async function wall(id: string) {
  const { token } = admin;
  const params = { kind: 'cases', id };
  const { access } = (await app.call(accessRoutes.readAccess, { token, params })).body;
  const shared = { screened: [], reason: 'A wall', updatedAt: access.updatedAt };
  const body = { mode: 'restricted', people: [admin.id], ...shared } as const;
  const changed = await app.call(accessRoutes.changeAccess, { token, params, body });
  if (changed.status !== 200) throw new Error(changed.text);
}

describe('a printed stream', () => {
  test('is a file of the matter with its notes and acts, newest first, under the filters', async () => {
    const { id, caseName } = await openCase(app, admin.token, { caseName: 'Doe v. Roe/Sons' });
    await addNote(id, 'She works nights');
    await addTask(app, admin.token, { case: id, name: 'Order photographs', assignedTo: admin.id });
    const { status, body } = await print(id, {}, ben);
    expect(status).toBe(201);
    expect(decodeURIComponent(body.url)).toMatch(
      /\/Prints\/Stream of Doe v\. Roe-Sons \d{4}-\d\d-\d\d\.pdf$/,
    );
    const text = await read(body.url);
    expect(text).toContain(`Stream of ${caseName}`);
    expect(text).toContain('Task created: Order photographs');
    expect(text.indexOf('Order photographs')).toBeLessThan(text.indexOf('She works nights'));
    const notes = await read((await print(id, { kinds: 'note' })).body.url);
    expect(notes).toContain('She works nights');
    expect(notes).not.toContain('Order photographs');
    const found = await read((await print(id, { search: 'photographs' })).body.url);
    expect(found).not.toContain('She works nights');
  });

  test('shows no time where an import dated a note by its day alone', async () => {
    const { id } = await openCase(app, admin.token, { caseName: 'Old v. Notes' });
    await addNote(id, 'Dated by its day', { at: '2026-03-04T05:00:00.000Z' });
    await addNote(id, 'Dated by its minute', { at: '2026-03-05T05:01:00.000Z' });
    const text = await read((await print(id)).body.url);
    expect(text).toMatch(/2026-03-04(?! 00:00)/);
    expect(text).toContain('2026-03-05 00:01');
  });

  test('holds each sign of a long note without a blank, in a script that its font lacks', async () => {
    const { id } = await openCase(app, admin.token);
    await addNote(id, '訴'.repeat(20_000));
    const { status, body } = await print(id);
    expect(status).toBe(201);
    expect((await read(body.url)).replaceAll(/\s/g, '').match(/‹U\+8A34›/g)).toHaveLength(20_000);
  });

  test('has a name that file systems take, however long the name of its matter is', async () => {
    const { id } = await openCase(app, admin.token, { caseName: 'Ж'.repeat(140) });
    const { status, body } = await print(id);
    expect(status).toBe(201);
    expect(decodeURIComponent(body.url)).toMatch(/\/Stream of Ж+… \d{4}-\d\d-\d\d\.pdf$/);
  });

  test('names no other matter, which not every reader may see', async () => {
    const [here, hidden] = [
      await openCase(app, admin.token),
      await openCase(app, admin.token, { caseName: 'Secret v. Hidden' }),
    ];
    await wall(hidden.id);
    const { id } = await addNote(here.id, 'Wrong matter');
    const body = { case: hidden.id, reason: 'Belongs to Hidden' };
    const call = { token: admin.token, params: { id }, body };
    expect((await app.call(streamRoutes.moveEntry, call)).status).toBe(200);
    const task = await addTask(app, admin.token, { case: here.id, assignedTo: admin.id });
    await app.call(taskRoutes.changeTask, {
      token: admin.token,
      params: { id: task.id },
      body: { case: hidden.id },
    });
    const text = await read((await print(here.id, { kinds: 'all' })).body.url);
    expect(text).toContain('another matter');
    expect(text).not.toMatch(/Secret|Hidden/);
    expect((await print(hidden.id, {}, ben)).status).toBe(404);
  });

  test('needs a folder, and days in their order', async () => {
    const { id } = await openCase(app, admin.token);
    expect(await print(id, { folder: '' })).toMatchObject({
      status: 400,
      errors: [{ path: 'folder' }],
    });
    expect(await print(id, { from: '2038-02-01', to: '2038-01-01' })).toMatchObject({
      status: 400,
      errors: [{ path: 'from' }],
    });
    expect((await print('none')).status).toBe(404);
  });
});
