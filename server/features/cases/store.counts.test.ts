import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccessChange, accessRoutes } from '@matterdesk/contract/access.ts';
import { type Case, caseRoutes, type StatusType } from '@matterdesk/contract/cases.ts';
import type { Transaction } from '../../db/schema.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { newCase, openCase, registerAdmin, unique } from '../../testing/factories.ts';
import { countByStatusType } from './store.ts';

let first: TestApp;
let second: TestApp;
let token: string;

beforeAll(async () => {
  first = await startTestApp();
  second = await startTestApp({ database: first.database });
  token = (await registerAdmin(first)).token;
});
afterAll(async () => {
  await second.close();
  await first.close();
});

const statusTypes = ['Active', 'Archive'] as const;

/** Counts as kept, and as counted, in one snapshot. */
async function readBoth() {
  return first.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const rows = await trx.selectFrom('cases').select('status_type').execute();
      const kept = await countByStatusType(trx as Transaction);
      const countedOf = (type: StatusType) => rows.filter((row) => row.status_type === type).length;
      const keptOf = (type: StatusType) =>
        kept.find((row) => row.status_type === type)?.counted ?? 0;
      return { kept: statusTypes.map(keptOf), counted: statusTypes.map(countedOf) };
    });
}

async function expectExact() {
  const { kept, counted } = await readBoth();
  expect(kept).toEqual(counted);
}

/** Inserts copies of a case in one statement. */
async function copyCase({ id }: Case, count: number) {
  const fields =
    'status_type, status, type, judge, date_of_opening, managing_attorney, doi, sol, days_open, ' +
    'client_name, client_phone_number, client_email, client_address, counsel_organization, ' +
    'counsel_name, counsel_phone_number, counsel_email, counsel_address';
  await second.pool.query(
    `insert into cases (case_name, case_no, case_no_key, search_text, ${fields})
     select name, name, name, name, ${fields}
     from cases, lateral (select $2::text || n as name from generate_series(1, $3::int) n) names
     where id = $1`,
    [id, `copy${unique()}-`, count],
  );
}

test('the database keeps exact counts while two processes open, archive, reopen and import cases', async () => {
  const own = await openCase(first, token);
  const work = async (app: TestApp, rounds: number) => {
    for (let n = 0; n < rounds; n += 1) {
      const { id } = await openCase(app, token, { statusType: n % 3 === 0 ? 'Archive' : 'Active' });
      const params = { id };
      const body = { statusType: n % 2 === 0 ? 'Archive' : 'Active' };
      await app.call(caseRoutes.changeCase, { token, params, body });
    }
  };
  await Promise.all([
    ...[first, first, second, second].map((app) => work(app, 15)),
    copyCase(own, 2000),
    copyCase({ ...own }, 3000),
  ]);
  await expectExact();
  // Folded now and then, so that the sum remains quick.
  const { rows } = await first.pool.query<{ n: number }>('select count(*)::int n from case_counts');
  expect(rows[0]?.n).toBeLessThan(500);
});

test('the database does not count what is refused, rolled back or cut off', async () => {
  const { caseNo } = await openCase(first, token);
  const before = await readBoth();
  const again = await second.call(caseRoutes.openCase, { token, body: newCase({ caseNo }) });
  expect(again.status).toBe(409);
  const client = await second.pool.connect();
  const own = await openCase(first, token);
  await client.query('begin');
  await client.query("update cases set status_type = 'Archive' where id = $1", [own.id]);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  await first.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  client.release(true);
  await expectExact();
  const [active = 0, archived] = before.kept;
  expect((await readBoth()).kept).toEqual([active + 1, archived]);
});

test('the database shows each write in the total of the next page, at every process', async () => {
  const totalAt = async (app: TestApp, statusType: StatusType) =>
    (await app.call(caseRoutes.listCases, { token, query: { limit: 1, statusType } })).body.total;
  const active = await totalAt(second, 'Active');
  const archived = await totalAt(second, 'Archive');
  const { id } = await openCase(first, token);
  expect(await totalAt(second, 'Active')).toBe(active + 1);
  const body = { statusType: 'Archive' };
  await second.call(caseRoutes.changeCase, { token, params: { id }, body });
  expect(await totalAt(first, 'Active')).toBe(active);
  expect(await totalAt(first, 'Archive')).toBe(archived + 1);
});

test('recounts a search after each change that it could find', async () => {
  const word = `Castellano${unique()}`;
  const total = async (app: TestApp) =>
    (await app.call(caseRoutes.listCases, { token, query: { search: word } })).body.total;
  const { id } = await openCase(first, token, { caseName: `${word} v. Roe` });
  for (const app of [first, second, first, second]) expect(await total(app)).toBe(1);
  await openCase(second, token, { judge: word });
  for (const app of [first, second]) expect(await total(app)).toBe(2);
  const body = { caseName: 'Doe v. Roe' };
  await first.call(caseRoutes.changeCase, { token, params: { id }, body });
  for (const app of [first, second]) expect(await total(app)).toBe(1);
});

test('the database counts for each user what walls let them see', async () => {
  const lead = await registerAdmin(first);
  const stranger = await registerAdmin(first);
  const total = async (person: { token: string }) =>
    (await first.call(caseRoutes.listCases, { token: person.token, query: { limit: 1 } })).body
      .total;
  const matter = await openCase(first, lead.token, { assignedUsers: [lead.id] });
  const before = await total(stranger);
  const params = { kind: 'cases', id: matter.id };
  const change = async (own: Partial<AccessChange>) => {
    const read = await first.call(accessRoutes.readAccess, { token: lead.token, params });
    const { updatedAt } = read.body.access;
    const body = { mode: 'open', people: [], screened: [], reason: 'test', updatedAt, ...own };
    expect(
      await first.call(accessRoutes.changeAccess, { token: lead.token, params, body }),
    ).toMatchObject({
      status: 200,
    });
  };
  await change({ mode: 'restricted' });
  expect([await total(lead), await total(stranger)]).toEqual([before, before - 1]);
  await change({ screened: [{ person: stranger.id, reason: 'test' }] });
  expect([await total(lead), await total(stranger)]).toEqual([before, before - 1]);
  await change({});
  expect([await total(lead), await total(stranger)]).toEqual([before, before]);
  await expectExact();
});
