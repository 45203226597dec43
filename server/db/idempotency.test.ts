import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import {
  newCase,
  newTask,
  openCase,
  registerAdmin,
  unique,
  type SignedInPerson,
} from '../testing/factories.ts';
import { purgeKeys } from './idempotency.ts';

let app: TestApp;
let admin: SignedInPerson;

beforeAll(async () => {
  app = await startTestApp();
  admin = await registerAdmin(app);
});
afterAll(() => app.close());

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
  test('repeated answers what the first one answered, and does nothing more', async () => {
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

  test('tells a browser of it once', async () => {
    const socket = await app.socket(admin.token);
    const received: string[] = [];
    socket.on('case.created', (created) => received.push(created.caseName));
    const [body, key] = [newCase(), newKey()];
    await open(body, key);
    await open(body, key);
    await open(newCase({ caseName: 'The last one' }), newKey());
    await expect.poll(() => received).toEqual([body.caseName, 'The last one']);
  });

  test('is the same call in whatever form its members come', async () => {
    const [body, key] = [newCase(), newKey()];
    const first = await open(body, key);
    const { caseName, judge, ...rest } = body;
    const second = await open({ judge: ` ${judge}`, ...rest, caseName: `${caseName}  ` }, key);
    expect({ status: second.status, text: second.text }).toEqual({ status: 201, text: first.text });
  });

  test('with another body is a conflict, and with another call too', async () => {
    const [body, key] = [newCase(), newKey()];
    const { body: opened } = await open(body, key);
    const other = await open({ ...body, judge: 'Someone Else' }, key);
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

  test('sent many times at once makes one row and gets one answer', async () => {
    const [body, key] = [newCase(), newKey()];
    const replies = await Promise.all(Array.from({ length: 12 }, () => open(body, key)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(await countCases(body.caseNo)).toBe(1);
  });

  test('of another person is another call', async () => {
    const other = await registerAdmin(app);
    const [body, key] = [newCase(), newKey()];
    expect(await open(body, key)).toMatchObject({ status: 201 });
    expect(await open(newCase(), key, other.token)).toMatchObject({ status: 201 });
    expect(await open(body, key, other.token)).toMatchObject({ status: 409 });
  });

  test('that was refused is refused again, though it would go through by now', async () => {
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

  test('that failed by our own fault is not remembered', async () => {
    const [body, key] = [newCase({ judge: 'Anonymous' }), newKey()];
    await app.pool.query(
      `alter table cases add constraint no_anonymous check (judge <> 'Anonymous')`,
    );
    expect(await open(body, key)).toMatchObject({ status: 500 });
    await app.pool.query('alter table cases drop constraint no_anonymous');
    expect(await open(body, key)).toMatchObject({ status: 201 });
  });

  test('is forgotten after a day, not before', async () => {
    const [kept, expired] = [newKey(), newKey()];
    await open(newCase(), kept);
    await open(newCase(), expired);
    await app.pool.query(
      `update idempotency_keys set created_at = now() - interval '23 hours 59 minutes' where key = $1`,
      [kept],
    );
    await app.pool.query(
      `update idempotency_keys set created_at = now() - interval '24 hours 1 minute' where key = $1`,
      [expired],
    );
    await purgeKeys(app.db);
    expect(await open(newCase(), kept)).toMatchObject({ status: 409 });
    expect(await open(newCase(), expired)).toMatchObject({ status: 201 });
  });

  test.each([
    ['empty', ''],
    ['of two words', 'two words'],
    ['of 256 characters', 'k'.repeat(256)],
    ['not ASCII', 'schlüssel'],
  ])('that is %s is refused', async (_, key) => {
    expect(await open(newCase(), key)).toMatchObject({
      status: 400,
      message: 'Idempotency-Key must be 1 to 255 visible characters',
    });
  });
});

test('a key means nothing to calls that do not promise it', async () => {
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
