import { describe, expect, test } from 'vitest';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { suite } from '../testing/app.ts';
import { newCase, newTask, openCase, registerAdmin, unique } from '../testing/factories.ts';
import { purgeKeys } from './idempotency.ts';

const { app, admin } = suite({ admin: registerAdmin });

function newKey() {
  return `key-${unique()}`;
}

function open(body: object, key: string, token = admin.token) {
  return app.call(caseRoutes.openCase, { token, body, headers: { 'idempotency-key': key } });
}

async function countCases(caseNo: string) {
  const { rows } = await app.pool.query('select from cases where case_no = $1', [caseNo]);
  return rows.length;
}

describe('a call with an Idempotency-Key', () => {
  test('gets the first reply when repeated, and does nothing more', async () => {
    const [body, key] = [newCase(), newKey()];
    const first = await open(body, key);
    expect(first.status).toBe(201);
    const second = await open(body, key);
    expect({ status: second.status, text: second.text }).toEqual({ status: 201, text: first.text });
    expect(await countCases(body.caseNo)).toBe(1);
    const { rows } = await app.pool.query('select from audit_log where entity_id = $1', [
      first.body.case.id,
    ]);
    expect(rows).toHaveLength(1);
  });

  test('is broadcast once', async () => {
    const socket = await app.socket(admin.token);
    const received: string[] = [];
    socket.on('case.created', (created) => received.push(created.caseName));
    const [body, key] = [newCase(), newKey()];
    await open(body, key);
    await open(body, key);
    await open(newCase({ caseName: 'The last one' }), newKey());
    await expect.poll(() => received).toEqual([body.caseName, 'The last one']);
  });

  test('is the same call whatever the order and spacing of its members', async () => {
    const [body, key] = [newCase(), newKey()];
    const first = await open(body, key);
    const { caseName, judge, ...rest } = body;
    const second = await open({ judge: ` ${judge}`, ...rest, caseName: `${caseName}  ` }, key);
    expect({ status: second.status, text: second.text }).toEqual({ status: 201, text: first.text });
  });

  test('is refused when the key belongs to another body or another call', async () => {
    const [body, key] = [newCase(), newKey()];
    const { body: opened } = await open(body, key);
    const other = await open({ ...body, judge: 'Another Judge' }, key);
    expect(other).toMatchObject({
      status: 409,
      code: 'idempotencyKeyReused',
      message: 'This Idempotency-Key was used for another request',
      body: null,
    });
    const task = await app.request('/api/v1/tasks', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-auth-token': admin.token,
        'idempotency-key': key,
      },
      body: JSON.stringify(newTask({ case: opened.case.id, assignedTo: admin.id })),
    });
    expect(task).toMatchObject({ status: 409 });
    expect(await open(body, key)).toMatchObject({ status: 201 });
  });

  test('is refused when the key belongs to the same call about another case', async () => {
    const key = newKey();
    const [one, other] = [await openCase(app, admin.token), await openCase(app, admin.token)];
    const note = (id: string) =>
      app.call(streamRoutes.addEntry, {
        token: admin.token,
        params: { id },
        body: { kind: 'note', text: 'Called the adjuster' },
        headers: { 'idempotency-key': key },
      });
    expect(await note(one.id)).toMatchObject({ status: 201 });
    expect(await note(other.id)).toMatchObject({ status: 409, code: 'idempotencyKeyReused' });
    expect(await note(one.id)).toMatchObject({ status: 201 });
  });

  test('creates one row and gets one reply when sent many times in parallel', async () => {
    const [body, key] = [newCase(), newKey()];
    const replies = await Promise.all(Array.from({ length: 12 }, () => open(body, key)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(await countCases(body.caseNo)).toBe(1);
  });

  test('of another user is another call', async () => {
    const other = await registerAdmin(app);
    const [body, key] = [newCase(), newKey()];
    expect(await open(body, key)).toMatchObject({ status: 201 });
    expect(await open(newCase(), key, other.token)).toMatchObject({ status: 201 });
    expect(await open(body, key, other.token)).toMatchObject({ status: 409 });
  });

  test('is refused again after a refusal, even if it would succeed by now', async () => {
    const taken = await openCase(app, admin.token);
    const [body, key] = [newCase({ caseNo: taken.caseNo }), newKey()];
    const first = await open(body, key);
    expect(first).toMatchObject({
      status: 409,
      code: 'alreadyExists',
      message: 'Case No already exists',
      errors: [{ path: 'caseNo', message: 'Case No already exists' }],
    });
    await app.call(caseRoutes.changeCase, {
      token: admin.token,
      params: { id: taken.id },
      body: { caseNo: `${taken.caseNo}-2` },
    });
    expect((await open(body, key)).text).toBe(first.text);
    expect(await open(body, newKey())).toMatchObject({ status: 201 });
  });

  test('can be retried after a failure of the server', async () => {
    const [body, key] = [newCase({ judge: 'Banned' }), newKey()];
    await app.pool.query(
      `alter table base.cases add constraint not_banned check (judge <> 'Banned')`,
    );
    expect(await open(body, key)).toMatchObject({ status: 500 });
    await app.pool.query('alter table base.cases drop constraint not_banned');
    expect(await open(body, key)).toMatchObject({ status: 201 });
  });

  test('is remembered for a day, and no longer', async () => {
    const [recent, expired] = [newKey(), newKey()];
    await open(newCase(), recent);
    await open(newCase(), expired);
    await app.pool.query(
      `update idempotency_keys set created_at = now() - interval '23 hours 59 minutes' where key = $1`,
      [recent],
    );
    await app.pool.query(
      `update idempotency_keys set created_at = now() - interval '24 hours 1 minute' where key = $1`,
      [expired],
    );
    await purgeKeys(app.db);
    expect(await open(newCase(), recent)).toMatchObject({ status: 409 });
    expect(await open(newCase(), expired)).toMatchObject({ status: 201 });
  });

  test.each([
    ['empty', ''],
    ['of two words', 'two words'],
    ['of 256 characters', 'k'.repeat(256)],
    ['not ASCII', 'schlüssel'],
  ])('is refused when the key is %s', async (_, key) => {
    expect(await open(newCase(), key)).toMatchObject({
      status: 400,
      message: 'Idempotency-Key must be 1 to 255 visible characters',
    });
  });
});

test('the server ignores a key for calls that are not idempotent', async () => {
  const plain = routes.filter((route) => !route.idempotent && route.method === 'POST');
  expect(plain.length).toBeGreaterThan(0);
  const key = newKey();
  const login = async (email: string) =>
    app.request('/api/v1/users/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ email, password: 'wrong password' }),
    });
  expect(await login('a@firm.example')).toMatchObject({ status: 401 });
  expect(await login('b@firm.example')).toMatchObject({ status: 401 });
});
