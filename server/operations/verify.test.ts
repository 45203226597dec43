import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, openPool, type Pool } from '../db/connect.ts';
import { findRunningPostgres } from '../db/embedded/connections.ts';
import { sealEntries } from '../features/audit/seals/service.ts';
import { openCase, registerAdmin } from '../testing/factories.ts';
import { runOperation, newPlace, startProcess, type ServerProcess } from '../testing/process.ts';

let place: Awaited<ReturnType<typeof newPlace>>;
let server: ServerProcess;
/** As the database's superuser. */
let pool: Pool;

beforeAll(async () => {
  place = await newPlace();
  server = startProcess({ env: place.env });
  await server.ready;
  const found = findRunningPostgres(path.join(place.dataDir, 'postgres'));
  pool = openPool({ ...found?.superuser, database: 'app' }, () => undefined);
  const { token } = await registerAdmin(server);
  for (let n = 0; n < 3; n += 1) {
    await openCase(server, token);
    await sealEntries(openDatabase(pool));
  }
});
afterAll(async () => {
  await server.kill();
  place.remove();
});

const verify = (...args: string[]) => runOperation('verify', place.dataDir, { args });

async function tamper(...statements: string[]) {
  const client = await pool.connect();
  await client.query('set session_replication_role = replica');
  for (const statement of statements) await client.query(statement);
  client.release(true);
}

test('the record is verified beside the running server, and a change by the superuser is named', async () => {
  const whole = await verify();
  expect(whole).toMatchObject({ code: 0, stderr: '' });
  const seal = /^The record is whole\. Last seal: ([0-9a-f]{64})\n$/.exec(whole.stdout)?.[1] ?? '';
  expect(await verify('--since', seal)).toEqual(whole);

  const { rows } = await pool.query<{ id: string }>(`select id from audit_log
    where action = 'created' and entity = 'case' order by id offset 1 limit 1`);
  await tamper(`update audit_log set actor_id = null where id >= ${rows[0]?.id}`);
  expect(await verify()).toEqual({
    code: 1,
    stdout: '',
    stderr: `The record is broken: entry ${rows[0]?.id} does not fit its seal\n`,
  });
  await tamper(
    `delete from audit_seals where id >= (select id from audit_seals where entries @> ${rows[0]?.id}::int8)`,
    `delete from audit_log where id >= ${rows[0]?.id}`,
  );
  expect(await verify()).toMatchObject({ code: 0 });
  expect(await verify('--since', seal)).toEqual({
    code: 1,
    stdout: '',
    stderr: `The record is broken: seal ${seal} is no longer part of it\n`,
  });
});

test('the record is verified while the server is stopped, with one line for a wrong seal', async () => {
  await pool.end();
  server.signal('SIGTERM');
  await server.exited;
  expect(await verify()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The record is whole/),
  });
  expect(await verify('--since', 'abc')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^npm run verify.*\n$/),
  });
});
