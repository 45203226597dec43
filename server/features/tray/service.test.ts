import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { auditRoutes } from '@matterdesk/contract/audit.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { storageRoutes, trashRoutes } from '@matterdesk/contract/storage.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { trayRoutes } from '@matterdesk/contract/tray.ts';
import { suite } from '../../testing/app.ts';
import { nextEvent } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  newTask,
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  type SignedInPerson,
  unique,
  restrict,
} from '../../testing/factories.ts';
import { filesBelow, sendFile, sendParts } from '../../testing/uploads.ts';
import { sweepFiles } from '../files/service.ts';
import { purgeTray } from './service.ts';

// A round would remove at its own time what tests made old.
const { app, admin, sorter, ama, ben } = suite({
  admin: registerAdmin,
  sorter: (to) => registerWith(to, { sortPapers: true }),
  ama: registerUser,
  ben: registerUser,
});
let caseId: string;

beforeAll(async () => {
  ({ id: caseId } = await openCase(app, admin.token));
});
// Each test has the tray to itself.
beforeEach(async () => {
  await app.pool.query(`delete from tray_items`);
});

type Person = Pick<SignedInPerson, 'token'>;

async function send({ token }: Person, name = 'Letter.txt', words = `Dear all ${unique()}`) {
  const file = { name, bytes: Buffer.from(words) };
  const reply = await sendFile(app, { token, caseId: '', folder: '' }, file);
  if (reply.status !== 201) throw new Error(reply.text);
  const url = reply.body?.urls[0] ?? '';
  return { id: url.split('/').at(-2) ?? '', url };
}
const list = async ({ token }: Person, query = {}) =>
  (await app.call(trayRoutes.listTray, { token, query })).body;
const isRead = async (id: string) => {
  const query = 'select clues is not null as read from tray_items where id = $1';
  return (await app.pool.query<{ read: boolean }>(query, [id])).rows[0]?.read;
};
const titles = async (person: Person, query = {}) =>
  (await list(person, query)).items.map(({ title }) => title);
const file = ({ token }: Person, id: string, own: object = {}, headers = {}) =>
  app.call(trayRoutes.fileItem, { token, params: { id }, body: { case: caseId, ...own }, headers });
const dismiss = ({ token }: Person, id: string, body: object = {}) =>
  app.call(trayRoutes.dismissItem, { token, params: { id }, body });
const undo = ({ token }: Person, id: string) =>
  app.call(trayRoutes.undoItem, { token, params: { id } });
const get = ({ token }: Person, url: string) =>
  app.request(url, { headers: { 'x-auth-token': token } });
const filesOf = async (id = caseId) =>
  (await app.call(fileRoutes.listFiles, { token: admin.token, params: { caseId: id } })).body;
const stored = async () => (await filesBelow(app.filesDirectory)).length;
const left = async () =>
  (await app.pool.query<{ n: number }>('select count(*)::int as n from pending_blobs')).rows[0]?.n;

describe('an upload without a case', () => {
  test('is in the tray of who sent it and of those who sort papers, and of no one else', async () => {
    const { id, url } = await send(ama, 'Police report.txt');
    expect(url).toBe(`/api/v1/tray/${id}/content`);
    for (const person of [ama, sorter, admin])
      expect(await list(person)).toEqual({
        items: [
          {
            id,
            source: 'upload',
            at: expect.any(String),
            title: 'Police report.txt',
            excerpt: expect.any(String),
            from: null,
            pages: null,
            proposals: [],
            owner: { id: ama.id, firstName: ama.firstName, lastName: ama.lastName },
            duplicateOf: null,
          },
        ],
        counts: { mail: 0, text: 0, upload: 1, scan: 0 },
        total: 1,
        nextCursor: null,
        problems: [],
      });
    expect(await list(ben)).toMatchObject({ items: [], total: 0, counts: { upload: 0 } });
    expect(await list(ama, { source: 'scan' })).toMatchObject({ items: [], total: 0 });
    const wrong = { token: ama.token, query: { source: 'fax' } };
    expect(await app.call(trayRoutes.listTray, wrong)).toMatchObject({ status: 400 });
  });

  test('can be several files, which are listed a page at a time, the oldest first', async () => {
    const names = ['a.txt', 'b.txt', 'c.txt'];
    const parts = names.map((name) => ({ name, bytes: Buffer.from(name) }));
    const sent = await sendParts(app, ama.token, [{ field: 'caseId', value: '' }, ...parts]);
    expect(sent).toMatchObject({ status: 201 });
    expect(sent.body?.urls).toHaveLength(3);
    await send(ben, 'd.txt');
    const first = await list(sorter, { limit: 3 });
    expect(first.items.map(({ title }) => title)).toEqual(names);
    expect(first.total).toBe(4);
    const rest = await list(sorter, { limit: 3, cursor: first.nextCursor ?? '' });
    expect(rest.items.map(({ title }) => title)).toEqual(['d.txt']);
    expect(rest.nextCursor).toBeNull();
    const cursor = Buffer.from('["x","y"]').toString('base64url');
    const wrong = { token: ama.token, query: { cursor } };
    expect(await app.call(trayRoutes.listTray, wrong)).toMatchObject({ status: 400 });
  });

  test('opens for its readers, with a session cookie too, and is noted in the record', async () => {
    const { id, url } = await send(ama, 'Letter.txt', 'Dear Jane');
    const shown = await get(ama, url);
    expect(shown).toMatchObject({ status: 200, text: 'Dear Jane' });
    expect(shown.headers.get('content-type')).toBe('text/plain');
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(shown.headers.get('content-disposition')).toMatch(/^inline; filename="Letter.txt"/);
    const cookie = {
      headers: { cookie: `matterdesk_session=${sorter.token}`, range: 'bytes=5-8' },
    };
    expect(await app.request(url, cookie)).toMatchObject({ status: 206, text: 'Jane' });
    const download = await get(admin, `${url}?download=1`);
    expect(download.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(await get(ben, url)).toMatchObject({ status: 404 });
    expect(await app.request(url)).toMatchObject({ status: 400, code: 'invalidToken' });
    expect(await get(ama, `/api/v1/tray/${randomUUID()}/content`)).toMatchObject({ status: 404 });
    const query = { entity: id };
    const { body } = await app.call(auditRoutes.listEntries, { token: admin.token, query });
    const acts = body.entries.map(({ entity, action, name }) => [entity, action, name]);
    expect(acts).toEqual([
      ['paper', 'downloaded', 'Letter.txt'],
      ['paper', 'previewed', 'Letter.txt'],
      ['paper', 'created', 'Letter.txt'],
    ]);
  });

  test('needs the field for the case, which may be empty but not blank', async () => {
    for (const parts of [[], [{ field: 'caseId', value: ' ' }]]) {
      const paper = { name: 'a.txt', bytes: Buffer.from('a') };
      const sent = await sendParts(app, ama.token, [...parts, paper]);
      expect(sent).toMatchObject({ status: 400, message: 'Please select any case' });
    }
    expect(await titles(admin)).toEqual([]);
  });

  test('says which file of a visible matter has the same bytes', async () => {
    const [open, walled] = [await openCase(app, admin.token), await openCase(app, admin.token)];
    const words = `The same ${unique()}`;
    const copy = { name: 'First copy.txt', bytes: Buffer.from(words) };
    for (const { id } of [open, walled])
      await sendFile(app, { token: admin.token, caseId: id, folder: 'Mail' }, copy);
    await restrict(app, { token: admin.token, id: walled.id, people: [admin.id] });
    await send(ama, 'Second copy.txt', words);
    const twinOf = async (person: Person) => (await list(person)).items[0]?.duplicateOf;
    const at = (id: string) => `/api/v1/files/content/${id}/Mail/First%20copy.txt`;
    expect(await twinOf(admin)).toMatchObject({ case: { id: walled.id }, url: at(walled.id) });
    const { id, caseName: name, caseNo } = open;
    expect(await twinOf(ama)).toEqual({ case: { id, caseName: name, caseNo }, url: at(id) });
    await app.request(at(id), { method: 'DELETE', headers: { 'x-auth-token': admin.token } });
    expect(await twinOf(ama)).toBeNull();
  });

  test('counts in the storage of who sent it, and of who filed it from then on', async () => {
    const usedBy = async (id: string) => {
      const { body } = await app.call(storageRoutes.readStorage, { token: admin.token });
      return body.people.find(({ person }) => person.id === id)?.used ?? 0;
    };
    const before = { ama: await usedBy(ama.id), sorter: await usedBy(sorter.id) };
    const { id } = await send(ama, 'a.txt', '12345');
    expect(await usedBy(ama.id)).toBe(before.ama + 5);
    await file(sorter, id);
    expect(await usedBy(ama.id)).toBe(before.ama);
    expect(await usedBy(sorter.id)).toBe(before.sorter + 5);
    await undo(sorter, id);
    expect(await usedBy(ama.id)).toBe(before.ama + 5);
    // The file is in the trash.
    expect(await usedBy(sorter.id)).toBe(before.sorter + 5);
  });
});

describe('filing', () => {
  test('makes an item a file of the matter, and takes it from the tray', async () => {
    const { id, url } = await send(ama, 'Police report.txt', 'On the night of');
    const reply = await file(ama, id, { folder: 'Evidence' });
    expect(reply).toMatchObject({ status: 200, message: 'Filed' });
    const made = `/api/v1/files/content/${caseId}/Evidence/Police%20report.txt`;
    const { item } = reply.body;
    expect(reply.body).toEqual({ item, url: made, entry: null });
    expect(item).toMatchObject({ id, title: 'Police report.txt', duplicateOf: null });
    expect(await get(ben, made)).toMatchObject({ status: 200, text: 'On the night of' });
    expect((await filesOf()).details[made]?.uploadedBy.id).toBe(ama.id);
    expect(await titles(ama)).toEqual([]);
    expect(await get(ama, url)).toMatchObject({ status: 404 });
    const filed = { status: 409, message: 'This was filed already' };
    expect(await file(sorter, id)).toMatchObject(filed);
    expect(await dismiss(ama, id)).toMatchObject(filed);
  });

  test('takes the folder Uploads without another one, and a number for a name that is taken', async () => {
    const own = await openCase(app, admin.token);
    for (const folder of [undefined, '', ' ']) {
      const { id } = await send(ama, 'a.txt');
      await file(ama, id, { case: own.id, ...(folder !== undefined && { folder }) });
    }
    const names = (await filesOf(own.id)).files['Uploads']?.map((url) => url.split('/').at(-1));
    expect(names).toEqual(['a.txt', 'a%20(2).txt', 'a%20(3).txt']);
  });

  test('is refused for another’s item like for an unknown one, and for a matter that is not visible', async () => {
    const { id } = await send(ama);
    const walled = await openCase(app, admin.token);
    await restrict(app, { token: admin.token, id: walled.id, people: [admin.id] });
    for (const unknown of [id, randomUUID(), 'x']) {
      expect(await file(ben, unknown)).toMatchObject({ status: 404, message: 'Paper not found' });
      expect(await dismiss(ben, unknown)).toMatchObject({ status: 404 });
      expect(await undo(ben, unknown)).toMatchObject({ status: 404 });
    }
    for (const hidden of [walled.id, randomUUID(), 'x'])
      expect(await file(ama, id, { case: hidden })).toMatchObject({
        status: 400,
        errors: [{ path: 'case', message: 'Please select any case' }],
      });
    for (const folder of ['..', 'a/b', '__proto__', '\u200b', 'a\u0000', 'x'.repeat(201)])
      expect(await file(ama, id, { folder })).toMatchObject({ status: 400 });
    expect(await titles(ama)).toHaveLength(1);
  });

  test('happens once, by ten at once, and once for a key', async () => {
    const own = await openCase(app, admin.token);
    const { id } = await send(ama, 'Once.txt');
    const by = Array.from({ length: 10 }, (_, at) =>
      file(at % 2 ? ama : sorter, id, { case: own.id }),
    );
    const statuses = (await Promise.all(by)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(9);
    const { id: other } = await send(ama, 'Key.txt');
    const key = { 'idempotency-key': `key-${unique()}` };
    const again = () => file(ama, other, { case: own.id }, key);
    const first = await again();
    expect(await again()).toMatchObject({ status: 200, body: first.body });
    expect((await filesOf(own.id)).files['Uploads']).toHaveLength(2);
    await restrict(app, { token: admin.token, id: own.id, people: [admin.id] });
    expect(await again()).toMatchObject({ status: 404 });
  });

  test('leaves the item in the tray when its file cannot be made', async () => {
    const { id, url } = await send(ama, 'Kept.txt', 'kept');
    await app.pool.query(`
      create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger fails before insert on base.files for each row execute function fail()`);
    try {
      expect(await file(ama, id)).toMatchObject({ status: 500 });
    } finally {
      await app.pool.query('drop trigger fails on base.files; drop function fail()');
    }
    expect(await titles(ama)).toEqual(['Kept.txt']);
    expect(await get(ama, url)).toMatchObject({ status: 200, text: 'kept' });
    expect(await file(ama, id)).toMatchObject({ status: 200 });
  });
});

describe('filing with a task', () => {
  const taskOf = (own = {}) => {
    const { case: _, ...task } = newTask({ case: caseId, assignedTo: ben.id, ...own });
    return task;
  };
  const board = async (id: string) => {
    const { body } = await app.call(taskRoutes.readBoard, { token: ben.token, params: { id } });
    return body.tasks.columns.intake.items.map(({ name }) => name);
  };

  test('adds it to the matter in the same write, and an undo removes it', async () => {
    const own = await openCase(app, admin.token);
    const { id } = await send(ama, 'Subpoena.txt');
    const task = taskOf({ name: 'Answer the subpoena' });
    expect(await file(admin, id, { case: own.id, task })).toMatchObject({ status: 200 });
    expect(await board(own.id)).toEqual(['Answer the subpoena']);
    await undo(admin, id);
    expect(await board(own.id)).toEqual([]);
    expect(await file(ama, id, { case: own.id, task: null })).toMatchObject({ status: 200 });
    await undo(ama, id);
    expect(await board(own.id)).toEqual([]);
  });

  test('needs the permission to add tasks, and a task that is right; else nothing is filed', async () => {
    const own = await openCase(app, admin.token);
    const { id } = await send(ama);
    const call = (person: Person, task: unknown) => file(person, id, { case: own.id, task });
    expect(await call(ama, taskOf())).toMatchObject({ status: 403 });
    for (const [task, path] of [
      [taskOf({ assignedTo: randomUUID() }), 'task.assignedTo'],
      [taskOf({ name: '' }), 'task.name'],
      [{ ...taskOf(), case: own.id }, 'task.case'],
      ['x', 'task'],
    ] as const)
      expect(await call(admin, task)).toMatchObject({ status: 400, errors: [{ path }] });
    expect(await titles(ama)).toHaveLength(1);
    expect((await filesOf(own.id)).files).toEqual({});
  });
});

describe('undoing', () => {
  test('puts the file into the trash and the item back, and the stream keeps both', async () => {
    const own = await openCase(app, admin.token);
    const { id, url } = await send(ama, 'Wrong matter.txt', 'to another');
    // Its text is read beside the request, and then stands in the list.
    await eventually(async () => expect(await isRead(id)).toBe(true));
    const [before, filed] = [(await list(ama)).items, await file(ama, id, { case: own.id })];
    const blobs = await stored();
    const undone = await undo(ama, id);
    expect(undone).toMatchObject({ status: 200, body: { item: { id }, url: null, entry: null } });
    expect((await list(ama)).items).toEqual(before);
    expect(await get(ama, url)).toMatchObject({ status: 200, text: 'to another' });
    const made = filed.body.url ?? '';
    expect(await get(ama, made)).toMatchObject({ status: 404 });
    const call = { token: ben.token, params: { id: own.id }, query: { kinds: 'file' } };
    const { items } = (await app.call(streamRoutes.readStream, call)).body;
    expect(items.map(({ kind, title, excerpt }) => [kind, title, excerpt])).toEqual([
      ['changed', 'Filing undone', 'Wrong matter.txt'],
      ['deleted', 'Wrong matter.txt', 'Uploads'],
      ['created', 'Wrong matter.txt', 'Uploads'],
    ]);
    expect(await undo(ama, id)).toMatchObject({ status: 200, body: { item: { id } } });
    expect([await stored(), await left()]).toEqual([blobs + 1, 0]);
    const restored = await app.call(fileRoutes.restoreFile, {
      token: ama.token,
      body: { url: made },
    });
    expect(restored).toMatchObject({ status: 201 });
    expect(await get(ama, made)).toMatchObject({ status: 200, text: 'to another' });
    expect(await file(ama, id, { case: own.id })).toMatchObject({ status: 200 });
  });

  test('is for the user who filed it, and for those who sort papers', async () => {
    const { id } = await send(ama);
    await file(sorter, id);
    expect(await undo(ama, id)).toMatchObject({ status: 403 });
    expect(await undo(ben, id)).toMatchObject({ status: 404 });
    expect(await undo(admin, id)).toMatchObject({ status: 200 });
    await file(ama, id);
    expect(await undo(ama, id)).toMatchObject({ status: 200 });
  });

  test('is refused where the matter is not visible, and leaves the file', async () => {
    const own = await openCase(app, admin.token);
    const { id } = await send(ama);
    const { url } = (await file(ama, id, { case: own.id })).body;
    await restrict(app, { token: admin.token, id: own.id, people: [admin.id] });
    for (const person of [ama, sorter])
      expect(await undo(person, id)).toMatchObject({ status: 404 });
    expect(await get(admin, url ?? '')).toMatchObject({ status: 200 });
    expect(await undo(admin, id)).toMatchObject({ status: 200 });
  });

  test('happens once, by ten at once', async () => {
    const { id, url } = await send(ama, 'Ten.txt', 'ten');
    await file(ama, id);
    const all = await Promise.all(Array.from({ length: 10 }, () => undo(ama, id)));
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    await sweepFiles(app.context);
    expect(await left()).toBe(0);
    expect(await get(ama, url)).toMatchObject({ status: 200, text: 'ten' });
  });

  test('ends after 30 days, and where the file was removed for good', async () => {
    const late = { status: 409, message: 'This can no longer be undone' };
    const [{ id }, { id: other }, { id: third }] = [
      await send(ama),
      await send(ama),
      await send(ama),
    ];
    await file(ama, id);
    await dismiss(ama, other);
    await app.pool.query(`update tray_items set closed_at = closed_at - interval '31 days'
      where state <> 'open'`);
    for (const one of [id, other]) expect(await undo(ama, one)).toMatchObject(late);
    const { url } = (await file(ama, third)).body;
    await app.request(url ?? '', { method: 'DELETE', headers: { 'x-auth-token': ama.token } });
    await app.call(trashRoutes.emptyTrash, { token: admin.token });
    expect(await undo(ama, third)).toMatchObject(late);
  });

  test('also takes back a file that was deleted or replaced meanwhile, as it was filed', async () => {
    const { id, url } = await send(ama, 'Draft.txt', 'first');
    const made = (await file(ama, id)).body.url ?? '';
    await app.request(made, { method: 'DELETE', headers: { 'x-auth-token': ama.token } });
    expect(await undo(ama, id)).toMatchObject({ status: 200 });
    expect(await get(ama, url)).toMatchObject({ text: 'first' });
    const again = (await file(ama, id)).body.url ?? '';
    const form = new FormData();
    form.set('attachments', new Blob(['second']), 'Draft.txt');
    await app.request(again.replace('/content/', '/versions/'), {
      method: 'POST',
      headers: { 'x-auth-token': ama.token },
      body: form,
    });
    expect(await get(ama, again)).toMatchObject({ text: 'second' });
    expect(await undo(ama, id)).toMatchObject({ status: 200 });
    expect(await get(ama, url)).toMatchObject({ text: 'first' });
  });
});

describe('what is not for a matter', () => {
  test('leaves the tray with its reason in the record, and comes back by undo', async () => {
    const { id, url } = await send(ama, 'Flyer.txt', 'Buy now');
    const reply = await dismiss(ama, id, { reason: 'An advertisement' });
    expect(reply).toMatchObject({ status: 200, body: { item: { id }, url: null, entry: null } });
    expect(await titles(sorter)).toEqual([]);
    expect(await get(ama, url)).toMatchObject({ status: 404 });
    const dismissed = { status: 409, message: 'This was dismissed already' };
    expect(await dismiss(sorter, id)).toMatchObject(dismissed);
    expect(await file(ama, id)).toMatchObject(dismissed);
    expect(await dismiss(ama, id, { reason: 'x'.repeat(201) })).toMatchObject({ status: 400 });
    expect(await undo(ama, id)).toMatchObject({ status: 200 });
    expect(await get(ama, url)).toMatchObject({ status: 200, text: 'Buy now' });
    const query = { entity: id };
    const { body } = await app.call(auditRoutes.listEntries, { token: admin.token, query });
    const acts = body.entries.map(({ action, changes }) => [
      action,
      changes.find(({ field }) => field === 'reason')?.to,
    ]);
    expect(acts.slice(1, 3)).toEqual([
      ['restored', undefined],
      ['dismissed', 'An advertisement'],
    ]);
  });

  test('is removed with its bytes after 30 days, unlike what was filed', async () => {
    const [{ id }, { id: other }] = [await send(ama, 'Old.txt'), await send(ama, 'Filed.txt')];
    await dismiss(ama, id);
    const { url } = (await file(ama, other)).body;
    const blobs = await stored();
    await purgeTray(app.context);
    expect(await undo(ama, id)).toMatchObject({ status: 200 });
    await dismiss(ama, id);
    await app.pool.query(`update tray_items set closed_at = closed_at - interval '31 days'`);
    await purgeTray(app.context);
    await sweepFiles(app.context);
    expect([await stored(), await left()]).toEqual([blobs - 1, 0]);
    expect(await undo(ama, id)).toMatchObject({ status: 404 });
    expect(await get(ama, url ?? '')).toMatchObject({ status: 200 });
  });
});

describe('the event of a changed tray', () => {
  test('reaches those who may file, each with their own counts', async () => {
    await send(sorter, 'a.txt');
    await expect.poll(async () => (await list(sorter)).items[0]?.excerpt).toContain('Dear all');
    const sockets = await Promise.all([sorter, ben, ama].map(({ token }) => app.socket(token)));
    const [bySorter, byBen, byAma] = sockets.map((socket) => {
      const seen: number[] = [];
      socket.on('tray.changed', ({ counts }) => {
        // A paper that was read changes no count.
        if (seen.at(-1) !== counts.upload) seen.push(counts.upload);
      });
      return seen;
    });
    const [sorterSocket] = sockets;
    const received = sorterSocket && nextEvent(sorterSocket, 'tray.changed');
    const { id } = await send(ama, 'b.txt');
    await received;
    await file(ama, id);
    await undo(ama, id);
    await dismiss(ama, id);
    await expect.poll(() => bySorter).toEqual([2, 1, 2, 1]);
    await expect.poll(() => byAma).toEqual([1, 0, 1, 0]);
    expect(byBen).toEqual([]);
  });

  test('does not reach a user who lost the permission', async () => {
    const former = await registerWith(app, { sortPapers: true });
    const socket = await app.socket(former.token);
    const seen: string[] = [];
    socket.onAny((name: string) => seen.push(name));
    await send(ama, 'a.txt');
    await expect.poll(() => seen).toContain('tray.changed');
    await app.call(accountRoutes.changeUser, {
      token: admin.token,
      params: { id: former.id },
      body: { permissions: { sortPapers: false } },
    });
    await expect.poll(() => seen).toContain('user.updated');
    seen.length = 0;
    await send(ama, 'b.txt');
    await openCase(app, admin.token);
    await expect.poll(() => seen).toContain('case.created');
    expect(seen).not.toContain('tray.changed');
    expect(await titles(former)).toEqual([]);
  });
});
