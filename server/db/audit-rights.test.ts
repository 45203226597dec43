import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyCluster, query } from '../testing/database.ts';
import { removeAll } from '../testing/process.ts';
import { guardAudit } from './audit-rights.ts';
import { openDatabase, openPool } from './connect.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/start.ts';
import { migrate } from './migrate.ts';

let base: string;
let database: EmbeddedPostgres;
const insert = `insert into audit_log (entity, entity_id, action) values ('case', '1', 'created')`;

async function guard() {
  await guardAudit(database.superuser, async () => {
    const pool = openPool(database.connection, () => undefined);
    await migrate(openDatabase(pool));
    await pool.end();
  });
}

beforeAll(async () => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-rights-'));
  copyCluster(base);
  const directory = path.join(base, 'postgres');
  database = await startEmbeddedPostgres({ directory, log: () => undefined });
  await guard();
  await query(database.connection, insert);
});

afterAll(async () => {
  await database.stop();
  removeAll(base);
});

test.each([
  'update audit_log set action = action',
  'delete from audit_log',
  'truncate audit_log',
  'drop table audit_log',
  'alter table audit_log disable trigger all',
  'drop trigger audit_log_is_append_only on audit_log',
  'alter table audit_log rename to other',
  'alter table audit_log owner to app',
  'alter table audit_log set schema jobs',
  'create trigger skip before insert on audit_log execute function refuse_change()',
  'create rule skip as on insert to audit_log do instead nothing',
  `create or replace function refuse_change() returns trigger language plpgsql as 'begin return null; end'`,
  'drop schema public cascade',
  'alter schema public rename to other',
  'drop database app',
  'alter database app owner to app',
  'set role postgres',
  'set session_replication_role = replica',
  `insert into audit_log (id, entity, entity_id, action) overriding system value values (-1, 'case', '1', 'created')`,
  'update audit_seals set at = at',
  'delete from audit_seals',
  'truncate audit_seals',
  'drop table audit_seals',
])('the application’s role cannot %s', async (statement) => {
  await expect(query(database.connection, statement)).rejects.toThrow(
    /permission denied|must be (owner|able)|owner of|currently open|append-only/,
  );
});

test('the application’s role adds and reads entries, and works on as before', async () => {
  await query(database.connection, insert);
  expect(await query(database.connection, 'select id from audit_log')).not.toEqual([]);
  await query(database.connection, 'create table other (id int)');
  await query(database.connection, 'create schema another');
  await query(database.connection, 'drop table other; drop schema another');
});

test('migrations run again, and what they may change is taken from the application again', async () => {
  await guard();
  await expect(query(database.connection, 'delete from audit_log')).rejects.toThrow(
    'permission denied',
  );
});
