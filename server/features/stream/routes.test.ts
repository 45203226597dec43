import { describe, expect, test } from 'vitest';
import { accessRoutes } from '@matterdesk/contract/access.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { type NewEntry, PINS_MAX, streamRoutes } from '@matterdesk/contract/stream.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { suite } from '../../testing/app.ts';
import { NOT_PERMITTED } from '../../testing/client.ts';
import {
  addContact,
  addEvent,
  addTask,
  newContact,
  noticesOf,
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  type SignedInPerson,
} from '../../testing/factories.ts';
import { upload } from '../../testing/training.ts';

const { app, admin, ada, ben } = suite({
  admin: registerAdmin,
  ada: registerUser,
  ben: registerUser,
});

type Draft = Partial<NewEntry>;
type Query = Record<string, string | number>;

const post = ({ token }: SignedInPerson, caseId: string, own: Draft = {}) =>
  app.call(streamRoutes.addEntry, {
    token,
    params: { id: caseId },
    body: { kind: 'note', text: 'The client called', ...own },
  });
const add = async (person: SignedInPerson, caseId: string, own: Draft = {}) => {
  const reply = await post(person, caseId, own);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.entry;
};
const read = async ({ token }: SignedInPerson, caseId: string, query: Query = {}) =>
  (await app.call(streamRoutes.readStream, { token, params: { id: caseId }, query })).body;
const titles = ({ items }: Awaited<ReturnType<typeof read>>) => items.map(({ title }) => title);
const one = (person: SignedInPerson, id: string) =>
  app.call(streamRoutes.readEntry, { token: person.token, params: { id } });
const open = () => openCase(app, admin.token);
const mentionsOf = async (person: SignedInPerson) =>
  (await noticesOf(app, person)).filter(({ type }) => type === 'mention');
async function wall(caseId: string, people: SignedInPerson[]) {
  const params = { kind: 'cases', id: caseId };
  const { body } = await app.call(accessRoutes.readAccess, { token: admin.token, params });
  const changed = await app.call(accessRoutes.changeAccess, {
    token: admin.token,
    params,
    body: {
      mode: 'restricted',
      people: [admin.id, ...people.map(({ id }) => id)],
      screened: [],
      reason: 'A wall',
      updatedAt: body.access.updatedAt,
    },
  });
  if (changed.status !== 200) throw new Error(changed.text);
}

describe('an entry', () => {
  test('is written by everyone with access, read with its author, and changed by its author alone', async () => {
    const { id } = await open();
    const entry = await add(ada, id, { text: 'She works nights', mentions: [ben.id, ben.id] });
    expect(entry).toMatchObject({
      case: id,
      kind: 'note',
      author: { id: ada.id },
      mentions: [{ id: ben.id }],
      call: null,
      deleted: false,
      pinned: false,
      editedAt: null,
      made: [],
    });
    const params = { id: entry.id };
    const change = (person: SignedInPerson, text: string) =>
      app.call(streamRoutes.changeEntry, { token: person.token, params, body: { text } });
    expect(await change(ben, 'No')).toMatchObject(NOT_PERMITTED);
    expect(await change(admin, 'No')).toMatchObject({ status: 403 });
    expect((await change(ada, 'She works nights')).body.entry.editedAt).toBeNull();
    await change(ada, 'She works days');
    await change(ada, 'She works no more');
    const { body } = await one(ben, entry.id);
    expect(body.entry).toMatchObject({ text: 'She works no more', at: entry.at });
    expect(body.versions.map(({ text }) => text)).toEqual(['She works nights', 'She works days']);
    expect(body.versions[0]).toMatchObject({ at: entry.enteredAt, by: { id: ada.id } });
  });

  test('needs a text, unless it is a call with a result, and a call’s details on calls alone', async () => {
    const { id } = await open();
    const call = {
      direction: 'out',
      contact: null,
      name: null,
      number: null,
      seconds: null,
    } as const;
    const refused = async (own: Draft, path: string) => {
      const reply = await post(ada, id, own);
      expect([reply.status, reply.errors?.[0]?.path]).toEqual([400, path]);
    };
    await refused({ text: ' ' }, 'text');
    await refused({ kind: 'call', text: '', call: { ...call, result: null } }, 'text');
    await refused({ kind: 'call' }, 'call');
    await refused({ call: { ...call, result: 'busy' } }, 'call');
    await refused({ text: 'a'.repeat(20_001) }, 'text');
    await refused({ text: 'Right \u202E to left' }, 'text');
    const made = await add(ada, id, { kind: 'call', text: '', call: { ...call, result: 'busy' } });
    expect(made.call).toEqual({ ...call, result: 'busy' });
    const whole = await add(ada, id, { text: 'é'.repeat(20_000) });
    expect(whole.text).toHaveLength(20_000);
    const script = '<script>alert(1)</script>';
    expect((await add(ada, id, { text: script })).text).toBe(script);
  });

  test('may have happened earlier, never later', async () => {
    const { id } = await open();
    const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();
    expect(await post(ada, id, { at: ahead(120_000) })).toMatchObject({
      status: 400,
      message: 'Time must not be in the future',
    });
    const soon = await add(ada, id, { at: ahead(30_000) });
    expect(Date.parse(soon.at)).toBeLessThanOrEqual(Date.now());
    expect((await add(ada, id, { at: '1999-12-31T23:00:00Z' })).at).toBe(
      '1999-12-31T23:00:00.000Z',
    );
    expect(await post(ada, id, { at: '1899-12-31T23:00:00Z' })).toMatchObject({ status: 400 });
  });

  test('is deleted by its author or an admin, and says by whom', async () => {
    const { id } = await open();
    const entry = await add(ada, id, { mentions: [ben.id] });
    const params = { id: entry.id };
    const remove = ({ token }: SignedInPerson) =>
      app.call(streamRoutes.deleteEntry, { token, params });
    expect(await remove(ben)).toMatchObject({ status: 403 });
    expect((await remove(admin)).body.entry).toMatchObject({ deleted: true, text: '' });
    expect((await remove(admin)).status).toBe(200);
    expect((await one(ada, entry.id)).body.versions).toEqual([]);
    const { items } = await read(ada, id, { kinds: 'note' });
    expect(items[0]).toMatchObject({
      title: `Note deleted by ${admin.firstName} ${admin.lastName}`,
      excerpt: '',
      canEdit: false,
    });
    expect(await mentionsOf(ben)).not.toContainEqual(
      expect.objectContaining({ item: expect.objectContaining({ id: entry.id }) }),
    );
    const { token } = ada;
    const body = { text: 'Again' };
    for (const reply of [
      await app.call(streamRoutes.changeEntry, { token, params, body }),
      await app.call(streamRoutes.pinEntry, { token, params, body: { pinned: true } }),
    ])
      expect(reply).toMatchObject({ status: 409, message: 'This note was deleted' });
  });

  test('keeps its contact in a search of those alone who see the contact, and is edited although it was merged', async () => {
    const [matter, hidden] = [await open(), await open()];
    const { body: added } = await app.call(contactRoutes.addParty, {
      token: admin.token,
      params: { id: hidden.id },
      body: { role: 'witness', contact: newContact({ name: 'Leopoldina Aparicio' }) },
    });
    const { contact } = added.party;
    await wall(hidden.id, []);
    const call = {
      direction: 'out',
      contact: contact.id,
      name: null,
      number: null,
      seconds: null,
    } as const;
    const entry = await add(admin, matter.id, {
      kind: 'call',
      text: 'She agrees',
      call: { ...call, result: 'reached' },
    });
    expect((await read(admin, matter.id, { search: 'leopold' })).items).toHaveLength(1);
    expect((await read(ben, matter.id, { search: 'leopold' })).items).toEqual([]);
    const [seen] = (await read(ben, matter.id, { kinds: 'call' })).items;
    expect([seen?.title, seen?.entry?.call?.contact]).toEqual(['Call', null]);
    const { id: into } = await addContact(app, admin.token, { name: 'Leopoldina Aparicio' });
    const merge = { token: admin.token, params: { id: into }, body: { from: contact.id } };
    await app.call(contactRoutes.mergeContacts, merge);
    const edited = await app.call(streamRoutes.changeEntry, {
      token: admin.token,
      params: { id: entry.id },
      body: { text: 'She agrees to Thursday' },
    });
    expect(edited.body.entry).toMatchObject({
      text: 'She agrees to Thursday',
      call: { contact: { id: into } },
    });
  });

  test('is refused when its matter is walled while it is written', async () => {
    const { id } = await open();
    const holder = await app.pool.connect();
    try {
      await holder.query('begin; lock table base.entries in share row exclusive mode');
      const waiting = post(ben, id);
      await expect
        .poll(async () => {
          const { rows } = await app.pool.query('select from pg_locks where not granted');
          return rows.length;
        })
        .toBe(1);
      await wall(id, []);
      await holder.query('commit');
      expect(await waiting).toMatchObject({ status: 404, code: 'notFound' });
    } finally {
      holder.release();
    }
  });

  test('is sent once for one idempotency key', async () => {
    const { id } = await open();
    const call = {
      token: ada.token,
      params: { id },
      body: { kind: 'note', text: 'Once' } as const,
      headers: { 'idempotency-key': `entry-${id}` },
    };
    const [first, second] = [
      await app.call(streamRoutes.addEntry, call),
      await app.call(streamRoutes.addEntry, call),
    ];
    expect(second.body.entry.id).toBe(first.body.entry.id);
    await wall(id, []);
    expect((await app.call(streamRoutes.addEntry, call)).status).toBe(404);
  });

  test('names files of its own matter alone', async () => {
    const [matter, other] = [await open(), await open()];
    const caller = { url: app.url, token: admin.token };
    const place = { folder: 'Evidence', name: 'report.txt' };
    const url = await upload(caller, { ...place, caseId: matter.id }, Buffer.from('x'));
    expect((await add(ada, matter.id, { files: [url, url] })).files).toEqual([url]);
    expect(await post(ada, other.id, { files: [url] })).toMatchObject({
      status: 400,
      message: 'Please select files of this matter',
    });
    const { id } = await add(ada, matter.id, { files: [url] });
    await app.request(url, { method: 'DELETE', headers: { 'x-auth-token': admin.token } });
    expect((await one(ada, id)).body.entry.files).toEqual([]);
  });

  test('says who was called, as far as the reader sees the contact', async () => {
    const matter = await open();
    const contact = await addContact(app, admin.token, { name: 'Dana Whitlock' });
    const call = { direction: 'in', name: null, number: '+12125550111', seconds: 720 } as const;
    await add(ada, matter.id, {
      kind: 'call',
      text: 'She has authority',
      call: { ...call, contact: contact.id, result: 'reached' },
    });
    const { items, counts } = await read(ben, matter.id, { kinds: 'call' });
    expect(items[0]).toMatchObject({
      title: 'Call with Dana Whitlock',
      entry: { call: { contact: { id: contact.id, name: 'Dana Whitlock' }, seconds: 720 } },
    });
    expect(counts).toMatchObject({ call: 1, note: 0 });
    expect((await read(ben, matter.id, { search: 'whitlock' })).items).toHaveLength(1);
    expect(
      await post(ada, matter.id, {
        kind: 'call',
        call: { ...call, contact: matter.id, result: null },
      }),
    ).toMatchObject({ status: 400, errors: [{ path: 'call.contact' }] });
  });
});

describe('a mention', () => {
  test('raises one notice, and refuses who does not see the matter', async () => {
    const { id, caseName } = await open();
    const entry = await add(ada, id, { mentions: [ben.id, ada.id] });
    const [notice, ...others] = await mentionsOf(ben);
    expect(notice).toMatchObject({
      title: `${ada.firstName} ${ada.lastName} mentioned you in ${caseName}`,
      item: { type: 'entry', id: entry.id, case: { id }, start: entry.at },
    });
    expect(others.filter(({ item }) => item?.id === entry.id)).toEqual([]);
    expect(await mentionsOf(ada)).toEqual([]);
    await wall(id, [ada]);
    expect(await post(ada, id, { mentions: [ben.id] })).toMatchObject({
      status: 400,
      message: `${ben.firstName} ${ben.lastName} cannot see this matter`,
    });
    expect(await post(ada, id, { mentions: [id] })).toMatchObject({ status: 400 });
  });

  test('has an excerpt that ends with a whole sign', async () => {
    const { id } = await open();
    const text = `${'a'.repeat(399)}\u{1F4C4} and more`;
    const entry = await add(ada, id, { text, mentions: [ben.id] });
    expect((await mentionsOf(ben)).some(({ item }) => item?.id === entry.id)).toBe(true);
    const [item] = (await read(ada, id, { kinds: 'note' })).items;
    expect(item?.excerpt.isWellFormed()).toBe(true);
  });

  test('is dropped when it is taken back, and when its reader loses the matter, for good', async () => {
    const matter = await open();
    const kept = await add(ada, matter.id, { mentions: [ben.id] });
    const taken = await add(ada, matter.id, { mentions: [ben.id] });
    await app.call(streamRoutes.changeEntry, {
      token: ada.token,
      params: { id: taken.id },
      body: { mentions: [] },
    });
    const ids = async () =>
      (await mentionsOf(ben)).flatMap(({ item }) =>
        item?.id === kept.id || item?.id === taken.id ? [item.id] : [],
      );
    expect(await ids()).toEqual([kept.id]);
    await wall(matter.id, [ada]);
    expect(await ids()).toEqual([]);
    await wall(matter.id, [ada, ben]);
    expect((await one(ben, kept.id)).status).toBe(200);
    expect(await ids()).toEqual([]);
  });

  test('is dropped when its reader’s opening of the matter ends', async () => {
    const [opener, matter] = [await registerAdmin(app), await open()];
    const params = { kind: 'cases', id: matter.id };
    await wall(matter.id, [ada]);
    const openIt = () =>
      app.call(accessRoutes.openAccess, {
        token: opener.token,
        params,
        body: { reason: 'The judge calls', hours: 1 },
      });
    await openIt();
    await add(ada, matter.id, { mentions: [opener.id] });
    expect(await mentionsOf(opener)).toHaveLength(1);
    await app.pool.query(
      "update base.case_access set until = now() - interval '1 second' where case_id = $1 and until is not null",
      [matter.id],
    );
    await app.endOpenings();
    await openIt();
    expect(await mentionsOf(opener)).toEqual([]);
  });
});

describe('pins', () => {
  test('are five at most, set by the author or with createCases, newest first', async () => {
    const { id } = await open();
    const notes: { id: string }[] = [];
    for (let n = 0; n <= PINS_MAX; n += 1) notes.push(await add(ada, id, { text: `Note ${n}` }));
    const pin = (person: SignedInPerson, n: number, pinned = true) =>
      app.call(streamRoutes.pinEntry, {
        token: person.token,
        params: { id: notes[n]?.id ?? '' },
        body: { pinned },
      });
    expect(await pin(ben, 0)).toMatchObject({ status: 403 });
    expect((await pin(admin, 0)).body.entry.pinned).toBe(true);
    for (let n = 1; n < PINS_MAX; n += 1) await pin(ada, n);
    expect(await pin(ada, PINS_MAX)).toMatchObject({
      status: 409,
      message: 'Five notes are pinned already',
    });
    await pin(ada, 2, false);
    const { pinned, items } = await read(ben, id, { kinds: 'call' });
    expect(pinned.map(({ excerpt }) => excerpt)).toEqual(['Note 4', 'Note 3', 'Note 1', 'Note 0']);
    expect(items).toEqual([]);
  });
});

describe('a moved entry', () => {
  test('leaves a word in both matters, and to others only what they see', async () => {
    const manager = await registerWith(app, { createCases: true });
    const [from, to] = [await open(), await open()];
    const entry = await add(ada, from.id, { mentions: [ben.id] });
    await wall(to.id, [manager, ada]);
    const move = (person: SignedInPerson, target: string) =>
      app.call(streamRoutes.moveEntry, {
        token: person.token,
        params: { id: entry.id },
        body: { case: target, reason: 'Wrong matter' },
      });
    const received: unknown[] = [];
    (await app.socket(ben.token)).on('entry.updated', (payload) => received.push(payload));
    expect(await move(ben, to.id)).toMatchObject({ status: 403 });
    expect(await move(manager, from.id)).toMatchObject({ status: 409 });
    expect(await move(manager, ben.id)).toMatchObject({ status: 400 });
    expect((await move(manager, to.id)).body.entry).toMatchObject({ case: to.id, mentions: [] });
    const seen = (await read(manager, from.id, { kinds: 'change' })).items[0];
    expect(seen).toMatchObject({
      kind: 'moved',
      title: `Note moved to ${to.caseName}`,
      excerpt: 'Wrong matter',
    });
    const hidden = (await read(ben, from.id, { kinds: 'change' })).items[0];
    expect(hidden).toMatchObject({ title: 'Note moved to another matter', excerpt: '' });
    expect(JSON.stringify(hidden)).not.toContain(to.id);
    expect((await one(ben, entry.id)).status).toBe(404);
    await expect.poll(() => received).toEqual([{ id: entry.id, case: null }]);
    expect(titles(await read(manager, to.id, { kinds: 'note,change' }))).toContain(
      `Note moved here from ${from.caseName}`,
    );
  });
});

describe('the stream', () => {
  test('has what people did in a matter, newest first, with values before and after', async () => {
    const matter = await open();
    const task = await addTask(app, admin.token, {
      case: matter.id,
      assignedTo: ada.id,
      name: 'Order scene photographs',
    });
    const { token } = admin;
    const params = { id: task.id };
    await app.call(taskRoutes.changeTask, { token, params, body: { name: 'Order photographs' } });
    await app.call(taskRoutes.changeTask, { token, params, body: { type: 'discovery' } });
    await app.call(taskRoutes.changeTask, { token, params, body: { done: true } });
    await addEvent(app, token, { case: matter.id, title: 'Mediation' });
    await app.call(caseRoutes.changeCase, {
      token,
      params: { id: matter.id },
      body: { judge: 'Hon. M. Osei' },
    });
    await app.call(caseRoutes.changeCase, {
      token,
      params: { id: matter.id },
      body: { status: 'ADR' },
    });
    const note = await add(ada, matter.id);
    const { items, counts, total, nextCursor } = await read(ben, matter.id);
    expect(items.map(({ source, kind }) => `${source} ${kind}`)).toEqual([
      'entry note',
      'change changed',
      'event created',
      'task done',
      'task changed',
      'task created',
      'change created',
    ]);
    expect(items[0]).toMatchObject({
      id: note.id,
      actor: { id: ada.id },
      excerpt: note.text,
      canEdit: false,
    });
    expect((await read(ada, matter.id)).items[0]?.canEdit).toBe(true);
    expect(items[1]?.changes).toEqual([
      { field: 'judge', label: 'Judge', kind: 'text', from: matter.judge, to: 'Hon. M. Osei' },
    ]);
    expect(items[4]?.changes).toMatchObject([
      { field: 'name', from: 'Order scene photographs', to: 'Order photographs' },
    ]);
    expect({ total, nextCursor }).toEqual({ total: 7, nextCursor: null });
    expect(counts).toMatchObject({ note: 1, task: 3, event: 1, deadline: 0, change: 2, mail: 0 });
    const whole = await read(ben, matter.id, { kinds: 'all' });
    expect(whole.total).toBe(9);
    expect(whole.counts['change']).toBe(4);
    expect((await read(ben, matter.id, { kinds: 'change,all' })).items).toHaveLength(4);
  });

  test('counts acts of long ago once, and those that came since', async () => {
    const matter = await open();
    const total = async () => (await read(ada, matter.id)).total;
    await app.pool.query(
      `insert into audit_log (at, actor_id, entity, entity_id, case_id, action, after)
       select now() - interval '1 hour', $1, 'task', gen_random_uuid()::text, $2, 'created', '{"name": "Task"}'
       from generate_series(1, 3)`,
      [ada.id, matter.id],
    );
    expect([await total(), await total()]).toEqual([4, 4]);
    await addTask(app, admin.token, { case: matter.id, assignedTo: ada.id });
    await add(ada, matter.id);
    expect([await total(), await total()]).toEqual([6, 6]);
    expect((await read(ada, matter.id, { from: '2020-01-01' })).total).toBe(6);
  });

  test('is read in pages of any size without gaps or repeats, also at one instant', async () => {
    const matter = await open();
    const at = '2026-03-03T10:00:00Z';
    for (let n = 0; n < 7; n += 1) await add(ada, matter.id, { text: `Note ${n}`, at });
    await app.pool.query(
      `insert into audit_log (at, actor_id, entity, entity_id, case_id, action, after)
       select $1, $2, 'task', gen_random_uuid()::text, $3, 'created', jsonb_build_object('name', 'Task ' || n)
       from generate_series(1, 7) n`,
      [at, ada.id, matter.id],
    );
    // The first conflict check of the matter may come meanwhile.
    const to = '2026-03-03';
    const all = await read(ada, matter.id, { limit: 200, to });
    expect(all.items).toHaveLength(14);
    for (const limit of [1, 3, 5]) {
      const ids: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof read>> = await read(ada, matter.id, {
          limit,
          to,
          ...(cursor && { cursor }),
        });
        ids.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(ids).toEqual(all.items.map(({ id }) => id));
    }
  });

  test('is filtered by kinds, people, days of the firm and words', async () => {
    const matter = await open();
    await add(ada, matter.id, { text: 'Ngozi works nights', at: '2026-03-03T04:30:00Z' });
    await add(ben, matter.id, {
      kind: 'memo',
      text: 'Research on comity',
      at: '2026-03-04T12:00:00Z',
    });
    const found = async (query: Query) =>
      (await read(ada, matter.id, query)).items.map(({ excerpt }) => excerpt);
    expect(await found({ kinds: 'memo' })).toEqual(['Research on comity']);
    expect(await found({ kinds: 'note,memo', people: ada.id })).toEqual(['Ngozi works nights']);
    expect(await found({ people: 'nobody' })).toEqual([]);
    expect(await found({ kinds: 'memo', people: '' })).toEqual(['Research on comity']);
    // In New York it was still the evening before.
    expect(await found({ from: '2026-03-02', to: '2026-03-02' })).toEqual(['Ngozi works nights']);
    expect(await found({ kinds: 'note,memo', from: '2026-03-04' })).toEqual(['Research on comity']);
    expect(await found({ search: 'NGOZI nights' })).toEqual(['Ngozi works nights']);
    const wrong = async (query: Query) =>
      (
        await app.call(streamRoutes.readStream, {
          token: ada.token,
          params: { id: matter.id },
          query,
        })
      ).status;
    expect(await wrong({ kinds: 'notes' })).toBe(400);
    expect(await wrong({ from: '2026-03-04', to: '2026-03-03' })).toBe(400);
    expect(await wrong({ cursor: 'xyz' })).toBe(400);
  });

  test('is closed without a session, and unknown outside of the matter', async () => {
    const matter = await open();
    const params = { id: matter.id };
    expect(await app.call(streamRoutes.readStream, { params })).toMatchObject({
      code: 'invalidToken',
    });
    expect(await post({ ...ada, token: '' }, matter.id)).toMatchObject({ code: 'invalidToken' });
    await wall(matter.id, [ada]);
    expect((await app.call(streamRoutes.readStream, { token: ben.token, params })).status).toBe(
      404,
    );
    expect((await post(ben, matter.id)).status).toBe(404);
  });
});

test('the look for callers finds contacts by name or number, with the active matters that the caller sees', async () => {
  const phoneNumber = '+12125550188';
  const clientInfo = {
    name: 'Philippa Underwood',
    phoneNumber,
    email: 'philippa@client.example',
    address: '1 Main Street',
  };
  const matter = await openCase(app, admin.token, { clientInfo });
  const walled = await openCase(app, admin.token, { clientInfo });
  await wall(walled.id, []);
  const look = async (q: string) =>
    (await app.call(streamRoutes.lookForCallers, { token: ada.token, query: { q } })).body.people;
  await expect.poll(async () => (await look('underw')).length).toBe(1);
  for (const q of ['Philippa', 'phil under', '(212) 555-0188', phoneNumber])
    expect(await look(q)).toMatchObject([
      { contact: { name: 'Philippa Underwood' }, phoneNumber, matters: [{ id: matter.id }] },
    ]);
  expect(
    await app.call(streamRoutes.lookForCallers, { token: ada.token, query: { q: 'ph' } }),
  ).toMatchObject({ status: 400 });
});
