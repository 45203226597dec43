import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessRoutes, type AccessChange } from '@matterdesk/contract/access.ts';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { acceptingRoutes } from '@matterdesk/contract/intake-acceptance.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import { openDatabase, openPool, type Pool } from '../db/connect.ts';
import { findRunningPostgres } from '../db/embedded/connections.ts';
import { sealEntries } from '../features/audit/seals/service.ts';
import { eventually } from '../testing/eventually.ts';
import {
  addDeadline,
  addIntake,
  newCase,
  openCase,
  registerAdmin,
  type SignedInPerson,
} from '../testing/factories.ts';
import { runOperation, newPlace, startProcess, type ServerProcess } from '../testing/process.ts';

let place: Awaited<ReturnType<typeof newPlace>>;
let server: ServerProcess;
let admin: SignedInPerson;
/** Ids of an intake that became a matter, of that matter, and of an intake that was erased. */
let [accepted, matter, erased]: string[] = [];
/** As the database's superuser, whom no trigger stops. */
let pool: Pool;

beforeAll(async () => {
  place = await newPlace();
  server = startProcess({ env: place.env });
  await server.ready;
  const found = findRunningPostgres(path.join(place.dataDir, 'postgres'));
  const options = '-c session_replication_role=replica';
  pool = openPool({ ...found?.superuser, database: 'app', options }, () => undefined);
  admin = await registerAdmin(server);
  await fill();
  // The first checks of the matters would take the numbers of checks that a test removes for a moment.
  await eventually(async () => {
    const { rows } = await pool.query('select case_id from base.unchecked_cases');
    if (rows.length > 0) throw new Error('A matter is not checked yet');
  });
  await sealEntries(openDatabase(pool));
}, 60_000);
afterAll(async () => {
  await pool.end();
  await server.kill();
  place.remove();
});

const verify = (...args: string[]) => runOperation('verify', place.dataDir, { args });
const broken = (called: string) => ({
  code: 1,
  stdout: '',
  stderr: expect.stringMatching(
    new RegExp(`^The record is broken: ${called} does not fit its seal\n$`),
  ),
});

/** At least two entries of each history. */
async function fill() {
  const { token } = admin;
  const { id } = await openCase(server, token, { assignedUsers: [admin.id] });
  await wall('cases', id);
  const deadline = await addDeadline(server, token, { owner: admin.id });
  expect(deadline.owner?.id).toBe(admin.id);
  for (const number of ['+1', '+2'])
    await pool.query(`insert into text_consents (own_number, other_number, keyword)
      values ('${number}', '+3', 'STOP')`);
  [accepted, erased] = [await inquire('Quirin Zoltan'), await inquire('Bertha Huxtable')];
  await check(accepted, 'Quirin Zoltan');
  matter = await accept(accepted);
  await check(erased, 'Bertha Huxtable');
  const leaving = { token, params: { id: erased } };
  expect((await server.call(intakeRoutes.eraseIntake, leaving)).status).toBe(200);
  const again = { token, params: { id: await inquire('Wim Okafor') } };
  expect((await server.call(intakeRoutes.eraseIntake, again)).status).toBe(200);
}

async function wall(kind: 'cases' | 'intakes', id: string) {
  const call = { token: admin.token, params: { kind, id } };
  for (const mode of ['restricted', 'open', 'restricted'] as const) {
    const { updatedAt } = (await server.call(accessRoutes.readAccess, call)).body.access;
    const body: AccessChange = { mode, people: [], screened: [], reason: 'Celebrity', updatedAt };
    expect((await server.call(accessRoutes.changeAccess, { ...call, body })).status).toBe(200);
  }
}

async function inquire(name: string) {
  const { id } = await addIntake(server, admin.token, { name });
  await wall('intakes', id);
  const body = { kind: 'note' as const, text: 'Was hit on Elm Street' };
  await server.call(intakeRoutes.addNote, { token: admin.token, params: { id }, body });
  return id;
}

async function check(intakeId: string, named: string) {
  const { token } = admin;
  const name = { name: named, role: null, emails: [], phoneNumbers: [], otherNames: [] };
  const body = { names: [name], intakeId, texts: false };
  const run = await server.call(conflictRoutes.runCheck, { token, body });
  const concluding = { outcome: 'cleared' as const, reason: 'Asked everyone' };
  const params = { id: run.body.check.id };
  await server.call(conflictRoutes.concludeCheck, { token, params, body: concluding });
}

async function accept(id: string) {
  const body = { ...newCase({ assignedUsers: [admin.id] }), opposingCounselInfo: null };
  const headers = { 'idempotency-key': id };
  const call = { token: admin.token, params: { id }, headers, body };
  const reply = await server.call(acceptingRoutes.acceptIntake, call);
  expect(reply).toMatchObject({ status: 201 });
  return reply.body.case.id;
}

test('histories are verified with the record, and what was erased is counted', async () => {
  expect(await verify()).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^Erased with their intakes, as recorded: [1-9]\d* entries\nThe record is whole\. Last seal: [0-9a-f]{64}\n$/,
    ),
    stderr: '',
  });
  const { rows } = await pool.query('select * from base.intake_entries where intake_id = $1', [
    erased,
  ]);
  expect(rows).toEqual([]);
});

test.each([
  ['base.access_history', 'id', 'the access history of matters'],
  ['base.intake_access_history', 'id', 'the access history of intakes'],
  ['base.deadline_history', 'id', 'the history of deadlines'],
  ['base.conflict_checks', 'number', 'the conflict checks'],
  ['base.conflict_entries', 'id', 'the decisions of conflict checks'],
  ['base.intake_entries', 'id', 'the activity of intakes'],
  ['base.intake_erasures', 'id', 'the erasures of intakes'],
  ['text_consents', 'id', 'the consents to texts'],
])('a changed and a deleted entry of %s is named', async (table, id, called) => {
  const chosen = `(select ${id} from ${table} order by ${id} offset 1 limit 1)`;
  const { rows } = await pool.query<{ id: string }>(`select ${chosen} as id`);
  const named = broken(`entry ${rows[0]?.id} of ${called}`);
  await pool.query(`create table kept as select * from ${table} where ${id} = ${rows[0]?.id}`);
  await pool.query(`update ${table} set at = at - interval '1 day' where ${id} = ${rows[0]?.id}`);
  expect(await verify()).toEqual(named);
  await pool.query(`delete from ${table} where ${id} = ${rows[0]?.id}`);
  // Without its record, the first of what was erased no longer counts as erased.
  const erasing =
    table === 'base.intake_erasures' ? broken('entry \\d+ of the .* of intakes') : named;
  expect(await verify()).toEqual(erasing);
  await pool.query(`insert into ${table} overriding system value select * from kept`);
  await pool.query('drop table kept');
  expect(await verify()).toMatchObject({ code: 0 });
});

test('what is erased without a record, or on the record of an intake that was not, is named', async () => {
  const called = 'the access history of intakes';
  const blank = `update base.intake_access_history set reason = '', salt = null,
    reason_hash = sha256(convert_to(salt::text || reason, 'UTF8')) where intake_id = '${accepted}'`;
  await pool.query(
    'create table kept as select * from base.intake_access_history where intake_id = $1',
    [accepted],
  );
  await pool.query(blank);
  expect(await verify()).toEqual(broken(`entry 1 of ${called}`));
  await pool.query(`update base.intake_access_history h set reason = k.reason, salt = k.salt,
    reason_hash = null from kept k where k.id = h.id`);
  await pool.query('drop table kept');
  expect(await verify()).toMatchObject({ code: 0 });

  const revive = (at: string) =>
    pool.query(`update base.intakes set erased_at = ${at} where id = $1`, [erased]);
  await revive('null');
  expect(await verify()).toEqual(broken('entry \\d+ of the .* of intakes'));
  await revive('now()');
  expect(await verify()).toMatchObject({ code: 0 });
});

test('the history of a wall goes along to the matter with its times', async () => {
  const { rows } = await pool.query(
    `select h.at = c.at and h.reason = c.reason and c.at < m.created_at as same
     from base.access_history c join base.intake_access_history h on h.id = c.copied_from
       join base.cases m on m.id = c.case_id
     where c.case_id = $1 and h.intake_id = $2`,
    [matter, accepted],
  );
  expect(rows).toEqual([{ same: true }, { same: true }, { same: true }]);
});

test('a history whose end was cut off is not whole since a seal that was noted', async () => {
  const { id } = await addDeadline(server, admin.token, { owner: admin.id });
  await sealEntries(openDatabase(pool));
  const seal = / ([0-9a-f]{64})\n$/.exec((await verify()).stdout)?.[1] ?? '';
  expect(await verify('--since', seal)).toMatchObject({ code: 0 });
  const cut = await pool.query(
    `delete from audit_seals where id >= (select min(s.id) from audit_seals s, base.deadline_history h
      where h.deadline_id = $1 and s.source = 'deadline_history' and s.entries @> h.id)`,
    [id],
  );
  expect(cut.rowCount).toBeGreaterThan(0);
  await pool.query('delete from base.deadline_history where deadline_id = $1', [id]);
  expect(await verify('--since', seal)).toEqual({
    code: 1,
    stdout: '',
    stderr: `The record is broken: seal ${seal} is no longer part of it\n`,
  });
});
