import { describe, expect, test } from 'vitest';
import { auditRoutes, type Entry } from '@matterdesk/contract/audit.ts';
import { caseRoutes, activityRoutes } from '@matterdesk/contract/cases.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import type { Transaction } from '../../db/schema.ts';
import { suite } from '../../testing/app.ts';
import { NOT_PERMITTED } from '../../testing/client.ts';
import { newCase, openCase, registerAdmin, registerUser } from '../../testing/factories.ts';
import { filesIn, sendParts } from '../../testing/uploads.ts';

const { app, admin, user } = suite({ admin: registerAdmin, user: registerUser });
type Query = Record<string, string | number>;
const list = async (query: Query = {}) =>
  (await app.call(auditRoutes.listEntries, { token: admin.token, query })).body;
const newest = async (query: Query = {}) => (await list({ ...query, limit: 1 })).entries[0];

describe('the record', () => {
  test.each(Object.values(auditRoutes))('$method $path is for admins', async (route) => {
    const params = { id: '1' };
    const call = (token?: string) =>
      app.call(route as typeof auditRoutes.checkSeal, { ...(token && { token }), params });
    expect(await call()).toMatchObject({ status: 400, code: 'invalidToken' });
    expect(await call(user.token)).toMatchObject(NOT_PERMITTED);
  });

  test('says who did what, from where, in words of today', async () => {
    const opened = await openCase(app, admin.token, { caseName: 'Doe v. Roe' });
    const reply = await app.call(caseRoutes.changeCase, {
      token: admin.token,
      params: { id: opened.id },
      body: { caseName: 'Doe v. Coe' },
      headers: { 'user-agent': 'Test browser' },
    });
    const { id, firstName, lastName } = admin;
    expect((await list({ caseId: opened.id })).entries).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        at: expect.stringMatching(/Z$/),
        actor: { id, firstName, lastName },
        address: '127.0.0.1',
        agent: 'Test browser',
        action: 'updated',
        entity: 'case',
        entityId: opened.id,
        name: 'Doe v. Coe',
        caseId: opened.id,
        caseName: 'Doe v. Coe',
        requestId: reply.headers.get('x-request-id'),
        before: opened,
        after: reply.body.case,
        changes: [
          {
            field: 'caseName',
            label: 'Case Name',
            kind: 'text',
            from: 'Doe v. Roe',
            to: 'Doe v. Coe',
          },
        ],
      },
      expect.objectContaining({ action: 'created', name: 'Doe v. Coe', before: null }),
    ]);
  });

  test('comes newest first, in pages, with a total', async () => {
    const { id } = await openCase(app, admin.token);
    for (const judge of ['A', 'B', 'C'])
      await app.call(caseRoutes.changeCase, {
        token: admin.token,
        params: { id },
        body: { judge },
      });
    const first = await list({ caseId: id, limit: 3 });
    const rest = await list({ caseId: id, limit: 3, cursor: first.nextCursor ?? '' });
    expect(first).toMatchObject({ total: 4, sealedUpTo: expect.stringMatching(/Z$/) });
    const judges = first.entries.map(({ after }) => (after as { judge: string }).judge);
    expect(judges).toEqual(['C', 'B', 'A']);
    expect(rest.entries.map(({ action }) => action)).toEqual(['created']);
    expect(rest.nextCursor).toBeNull();
  });

  test('is filtered by each of its members', async () => {
    const { id } = await openCase(app, admin.token);
    const entry = await newest({ caseId: id });
    const at = entry?.at ?? '';
    const soon = new Date(Date.parse(at) + 1).toISOString();
    const fitting: Query[] = [
      { actor: admin.id },
      { action: 'created' },
      { entity: 'case' },
      { entity: id },
      { address: '127.0.0.1' },
      { from: at, to: at },
      { from: at.slice(0, 10), to: at.slice(0, 10) },
    ];
    for (const query of fitting) expect(await newest({ caseId: id, ...query })).toEqual(entry);
    const other: Query[] = [
      { actor: user.id },
      { actor: 'nobody' },
      { action: 'deleted' },
      { entity: 'task' },
      { address: '192.0.2.1' },
      { from: soon },
      { to: '2020-01-01' },
    ];
    for (const query of other)
      expect(await list({ caseId: id, ...query })).toMatchObject({ entries: [], total: 0 });
    for (const query of [{ from: 'abc' }, { to: '2026-02-30' }, { cursor: 'x' }, { limit: 0 }])
      expect(await app.call(auditRoutes.listEntries, { token: admin.token, query })).toMatchObject({
        status: 400,
      });
  });

  test('holds what was refused, with its case', async () => {
    const { id } = await openCase(app, admin.token);
    const body = { judge: 'Another' };
    await app.call(caseRoutes.changeCase, { token: user.token, params: { id }, body });
    expect(await newest({ caseId: id })).toMatchObject({
      actor: { id: user.id },
      action: 'refused',
      after: { method: 'PATCH', path: '/api/v1/cases/{id}' },
    } satisfies Partial<Record<keyof Entry, unknown>>);
  });

  test('holds downloads and previews, once for all parts of a file', async () => {
    const { id } = await openCase(app, admin.token);
    const { body } = await sendParts(app, user.token, [
      ...filesIn({ caseId: id, folder: 'Letters' }),
      { name: 'letter.txt', bytes: Buffer.from('Dear Sir') },
    ]);
    const url = body?.urls[0] ?? '';
    const read = (query: string, range?: string) =>
      fetch(new URL(`${url}${query}`, app.url), {
        headers: { 'x-auth-token': user.token, ...(range && { range }) },
      });
    await read('?download=1');
    await read('', 'bytes=0-3');
    await read('', 'bytes=4-7');
    const entries = (await list({ caseId: id, actor: user.id, entity: 'file' })).entries;
    expect(entries.map(({ action, name }) => [action, name])).toEqual([
      ['previewed', 'letter.txt'],
      ['downloaded', 'letter.txt'],
      ['created', 'letter.txt'],
    ]);
    const activity = await app.call(activityRoutes.readActivity, {
      token: user.token,
      params: { id },
    });
    const actions = activity.body.activity.map(({ action }) => action);
    expect(actions.filter((action) => !['created'].includes(action))).toEqual([]);
  });

  test('is exported as CSV, which is an entry itself, as is an export of cases', async () => {
    await app.call(caseRoutes.exportCases, { token: admin.token });
    expect(await newest()).toMatchObject({ action: 'exported', after: { list: 'cases' } });
    const query = { action: 'created', entity: 'case' };
    const { text } = await app.call(auditRoutes.exportEntries, { token: admin.token, query });
    const { total } = await list(query);
    expect(text.trim().split('\r\n')).toHaveLength(total + 1);
    expect(text).toContain('"id","at","actor","address","agent","action","entity","entityId"');
    expect(await newest()).toMatchObject({
      action: 'exported',
      after: { list: 'audit', ...query },
    });
  });
});

test('entries of mails and texts name members, never values', async () => {
  await app.call(caseRoutes.openCase, { token: admin.token, body: newCase() });
  const { insertAudits } = await import('../../db/audit.ts');
  await app.db
    .transaction()
    .execute((trx) =>
      insertAudits(trx as Transaction, null, [
        { action: 'updated', entity: 'text', entityId: admin.id, after: { body: 'secret' } },
      ]),
    );
  expect(await newest()).toMatchObject({
    name: null,
    after: { members: ['body'] },
    changes: [{ label: 'Text', from: null, to: null }],
  });
});

test('a page of long values ends early, and the next one goes on', async () => {
  const { id: caseId } = await openCase(app, admin.token);
  const notes: string[] = [];
  for (let n = 0; n < 12; n += 1) {
    const body = { kind: 'note', text: `${n} ${'\u0130'.repeat(19_000)}` } as const;
    const call = { token: admin.token, params: { id: caseId }, body };
    const { entry } = (await app.call(streamRoutes.addEntry, call)).body;
    const text = `${n} ${'\uFDFA'.repeat(19_000)}`;
    const change = { token: admin.token, params: { id: entry.id }, body: { text } };
    await app.call(streamRoutes.changeEntry, change);
    notes.push(entry.id, entry.id);
  }
  const query = { caseId, entity: 'entry' };
  const found: Entry[] = [];
  const pages: number[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await list({ ...query, ...(cursor && { cursor }) });
    pages.push(page.entries.length);
    found.push(...page.entries);
    cursor = page.nextCursor;
  }
  expect(pages.length).toBeGreaterThan(2);
  expect(Math.max(...pages)).toBeLessThan(12);
  expect(found.map(({ entityId }) => entityId)).toEqual(notes.toReversed());
  const { text } = await app.call(auditRoutes.exportEntries, { token: admin.token, query });
  expect(text.trim().split('\r\n')).toHaveLength(notes.length + 1);
});
