import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { auditRoutes } from '@matterdesk/contract/audit.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openCase, registerAdmin, type SignedInPerson } from '../../../testing/factories.ts';
import { checkChain, continueCheck, sealEntries } from './service.ts';

let app: TestApp;
let admin: SignedInPerson;

beforeEach(async () => {
  app = await startTestApp({ jobs: false });
  admin = await registerAdmin(app);
});
afterEach(() => app.close());

/** As an attacker who is the database's superuser. */
async function tamper(table: string, statement: string) {
  await app.pool.query(`alter table ${table} disable trigger user`);
  await app.pool.query(statement);
  await app.pool.query(`alter table ${table} enable trigger user`);
}

async function brokenOnPage() {
  return (await app.call(auditRoutes.checkSeals, { token: admin.token })).body.broken;
}

const inRecord = (id = '') => ({ source: 'audit_log', id });

async function ids() {
  const { rows } = await app.pool.query<{ id: string }>(
    'select id::text from audit_log order by audit_log.id',
  );
  return rows.map(({ id }) => id);
}

describe('the seals', () => {
  test('cover each entry once, in a chain', async () => {
    expect(await checkChain(app.db)).toEqual({
      lastSeal: null,
      broken: undefined,
      erased: 0,
      hasSeen: true,
    });
    await sealEntries(app.db);
    const { lastSeal } = await checkChain(app.db);
    expect(lastSeal).toMatch(/^[0-9a-f]{64}$/);
    expect(await sealEntries(app.db)).toBe(0);
    await openCase(app, admin.token);
    await sealEntries(app.db);
    const next = await checkChain(app.db, lastSeal ?? '');
    expect(next).toMatchObject({ broken: undefined, hasSeen: true });
    expect(next.lastSeal).not.toBe(lastSeal);
  });

  test('include an entry whose transaction ended after later ones were sealed', async () => {
    const client = await app.pool.connect();
    const insert = `insert into audit_log (entity, entity_id, action) values ('case', '1', 'created')`;
    await client.query('begin');
    await client.query(insert);
    await app.pool.query(insert);
    await sealEntries(app.db);
    await client.query('commit');
    client.release();
    expect(await sealEntries(app.db)).toBe(1);
    expect(await checkChain(app.db)).toMatchObject({ broken: undefined });
  });

  test.each([
    [
      'changed',
      (id: string) => `update audit_log set actor_id = null, action = 'ended' where id = ${id}`,
      true,
    ],
    ['deleted', (id: string) => `delete from audit_log where id = ${id}`, false],
    [
      'of another time',
      (id: string) => `update audit_log set at = at - interval '1 s' where id = ${id}`,
      true,
    ],
  ])('name the first entry that was %s', async (_, statement, left) => {
    for (let n = 0; n < 3; n += 1) await openCase(app, admin.token);
    await sealEntries(app.db);
    const [, second = ''] = await ids();
    await tamper('audit_log', statement(second));
    expect(await checkChain(app.db)).toMatchObject({ broken: inRecord(second) });
    expect(await brokenOnPage()).toBeNull();
    await continueCheck(app.db);
    expect(await brokenOnPage()).toEqual({ entryId: second, of: null });
    const params = { id: second };
    const seal = await app.call(auditRoutes.checkSeal, { token: admin.token, params });
    expect(seal.body?.matches ?? seal.status).toBe(left ? false : 404);
  });

  test('do not fit when one of them was removed, or written anew', async () => {
    await sealEntries(app.db);
    await openCase(app, admin.token);
    await sealEntries(app.db);
    await openCase(app, admin.token);
    await sealEntries(app.db);
    const { lastSeal } = await checkChain(app.db);
    await tamper(
      'audit_seals',
      'delete from audit_seals where id = (select max(id) from audit_seals)',
    );
    expect(await checkChain(app.db)).toMatchObject({ broken: undefined });
    expect(await checkChain(app.db, lastSeal ?? '')).toMatchObject({ hasSeen: false });
    await tamper(
      'audit_seals',
      'delete from audit_seals where id = (select min(id) from audit_seals)',
    );
    expect(await checkChain(app.db)).toMatchObject({ broken: { id: expect.any(String) } });
  });

  test('show no entry that someone slipped in among old ones', async () => {
    await openCase(app, admin.token);
    await app.pool.query(`select nextval(pg_get_serial_sequence('audit_log', 'id'))`);
    await openCase(app, admin.token);
    const gap = String(Number((await ids()).at(-1)) - 1);
    vi.useFakeTimers({ now: Date.now() - 7_200_000, toFake: ['Date'] });
    await sealEntries(app.db);
    vi.useRealTimers();
    await openCase(app, admin.token);
    await sealEntries(app.db);
    await app.pool.query(
      `insert into audit_log (id, entity, entity_id, action) overriding system value values (${gap}, 'case', '1', 'created')`,
    );
    expect(await checkChain(app.db)).toMatchObject({ broken: inRecord(gap) });
  });

  test('do not fit when a forged one claims more entries than memory holds', async () => {
    await sealEntries(app.db);
    const [first] = await ids();
    await tamper('audit_seals', `update audit_seals set entries = '{[${first},999999999999)}'`);
    expect(await checkChain(app.db)).toMatchObject({ broken: inRecord(first) });
  });
});

describe('the check behind the page', () => {
  test('goes on where it was, and begins anew after the last seal', async () => {
    const position = async () =>
      (
        await app.pool.query(`select broken, (select count(*)::int from audit_seals
          where id <= seal_id) as checked from audit_checks`)
      ).rows as unknown;
    await app.pool.query(`insert into audit_log (entity, action)
      select 'session', 'signedIn' from generate_series(1, 12000)`);
    await sealEntries(app.db);
    await continueCheck(app.db);
    expect(await position()).toEqual([{ checked: 10, broken: null }]);
    const first = (await ids())[3] ?? '';
    const second = (await ids())[11_000] ?? '';
    await tamper('audit_log', `update audit_log set agent = 'x' where id in (${first}, ${second})`);
    await continueCheck(app.db);
    expect(await brokenOnPage()).toEqual({ entryId: second, of: null });
    await continueCheck(app.db);
    expect(await brokenOnPage()).toEqual({ entryId: first, of: null });
    await tamper('audit_log', `update audit_log set agent = null where agent = 'x'`);
    await continueCheck(app.db);
    expect(await brokenOnPage()).toEqual({ entryId: first, of: null });
    await continueCheck(app.db);
    expect(await brokenOnPage()).toBeNull();
  });
});

test('an entry tells its seal, and no other id does', async () => {
  const [first = ''] = await ids();
  const call = (id: string) =>
    app.call(auditRoutes.checkSeal, { token: admin.token, params: { id } });
  expect((await call(first)).body).toEqual({ seal: null, matches: true });
  await sealEntries(app.db);
  const { lastSeal } = await checkChain(app.db);
  expect((await call(first)).body).toEqual({ seal: lastSeal, matches: true });
  for (const id of ['999999', 'x', '0']) expect(await call(id)).toMatchObject({ status: 404 });
});
