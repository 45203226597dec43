import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

const histories = [
  'access_history',
  'intake_access_history',
  'deadline_history',
  'conflict_checks',
  'conflict_entries',
  'intake_entries',
  'intake_erasures',
].map((name) => `base.${name}`);

describe.each([...histories, 'text_consents'])('of %s', (table) => {
  test.each([
    'update TABLE set at = at',
    'delete from TABLE',
    'truncate TABLE',
    'truncate TABLE cascade',
    'drop table TABLE',
    'drop table TABLE cascade',
    'alter table TABLE disable trigger all',
    'alter table TABLE rename to other',
    'alter table TABLE owner to app',
    'alter table TABLE set schema jobs',
    'alter table TABLE alter column at drop not null',
    'create trigger skip before insert on TABLE execute function refuse_change()',
    'create rule skip as on insert to TABLE do instead nothing',
  ])('the application’s role cannot %s', async (statement) => {
    await expect(query(database.connection, statement.replaceAll('TABLE', table))).rejects.toThrow(
      /permission denied|must be owner/,
    );
  });

  test('no trigger is dropped, and no trigger function is rewritten', async () => {
    const triggers = await query<{ name: string; called: string }>(
      { ...database.superuser, database: 'app' },
      `select tgname as name, tgfoid::regproc::text as called from pg_trigger
        where tgrelid = '${table}'::regclass and not tgisinternal`,
    );
    expect(triggers).not.toEqual([]);
    for (const { name, called } of triggers) {
      const drop = `drop trigger ${name} on ${table}`;
      const renew = `create or replace function ${called}() returns trigger language plpgsql
        as 'begin return null; end'`;
      for (const statement of [drop, renew])
        await expect(query(database.connection, statement)).rejects.toThrow(/must be owner/);
    }
  });
});

describe('the application’s role', () => {
  const [caseId, intakeId, deadlineId, otherId] = ['1', '2', '3', '4'].map(
    (digit) => `00000000-0000-4000-8000-00000000000${digit}`,
  );
  const asApp = <Row extends pg.QueryResultRow>(statement: string, options = '') =>
    query<Row>({ ...database.connection, options }, statement);

  beforeAll(async () => {
    const words = [
      'case_name',
      'case_no',
      'case_no_key',
      'judge',
      'managing_attorney',
      'client_name',
      'client_phone_number',
      'client_email',
      'client_address',
      'counsel_organization',
      'counsel_name',
      'counsel_phone_number',
      'counsel_email',
      'counsel_address',
      'search_text',
    ];
    for (const id of [caseId, otherId])
      await asApp(`insert into base.cases (id, status_type, status, type, date_of_opening, doi, sol,
          days_open, ${words.join()})
        values ('${id}', 'Active', 'ADR', 'PI', '2026-01-01', '2026-01-01', '2027-01-01', 0,
          ${words.map(() => `'${id}'`).join()})`);
    await asApp(`insert into base.intakes
        (id, name, description, response_due_at, next_step, search_text, case_id)
      values ('${intakeId}', 'A', '', now(), '', '', '${caseId}')`);
    await asApp(`insert into base.deadlines
        (id, title, kind, hard, date, time_zone, effective_date, due_at, warn_days)
      values ('${deadlineId}', 'A', 'other', false, '2027-01-01', 'UTC', '2027-01-01', now(), '{}')`);
  });

  test.each([
    ['intake_entries', `(intake_id, kind, at) values ('${intakeId}', 'note', '2001-01-01')`],
    [
      'intake_access_history',
      `(intake_id, action, people, reason, at) values ('${intakeId}', 'changed', '{}', 'x', '2001-01-01')`,
    ],
    [
      'access_history',
      `(case_id, action, people, reason, at) values ('${caseId}', 'changed', '{}', 'x', '2001-01-01')`,
    ],
    [
      'deadline_history',
      `(deadline_id, action, at) values ('${deadlineId}', 'seen', '2001-01-01')`,
    ],
    [
      'conflict_checks',
      `(names, with_texts, searched, hits, search_text, at) values ('[]', false, '[]', '[]', '', '2001-01-01')`,
    ],
    [
      'conflict_entries',
      `(check_id, action, body, at) select id, 'opened', '{}', '2001-01-01' from base.conflict_checks limit 1`,
    ],
  ])('adds to %s with the time of the database, whatever it sends', async (table, values) => {
    // Even where a clock of its own comes before the database's.
    await asApp('create schema first');
    await asApp(`create function first.clock_timestamp() returns timestamptz
      language sql as $$ select timestamptz '2001-01-01' $$`);
    const added = await asApp(
      `insert into base.${table} ${values} returning at > now() - interval '1 minute' as timely`,
      '-c search_path=first,pg_catalog,public',
    );
    await asApp('drop schema first cascade');
    expect(added).toEqual([{ timely: true }]);
  });

  test.each([
    `delete from base.intakes where id = '${intakeId}'`,
    `alter table base.deadlines disable trigger user; delete from base.deadlines`,
    `delete from base.cases where id = '${caseId}'`,
    `insert into base.intake_erasures (intake_id, entries, walls) values ('${intakeId}', '{[1,9)}', '{}')`,
    `insert into base.intake_entries (id, intake_id, kind) overriding system value values (-1, '${intakeId}', 'note')`,
    `insert into base.access_history (case_id, copied_from) values ('${otherId}', 1)`,
    'drop schema base cascade',
    'alter schema base owner to app',
    `create or replace function base.erase_history_of_intake(intake uuid, wholly boolean)
      returns void language sql as ''`,
    'set role eraser',
  ])('is refused: %s', async (statement) => {
    await expect(asApp(statement)).rejects.toThrow(
      /foreign key|permission denied|must be owner|no rows/,
    );
  });

  test('erases a history as a whole, and rewrites its file', async () => {
    const file = `select pg_relation_filenode('base.intake_entries') as file`;
    const [before] = await asApp(file);
    await asApp(`select base.erase_history_of_intake('${intakeId}', false)`);
    await asApp('vacuum (full, analyze) base.intake_entries');
    await asApp('vacuum (full) pg_catalog.pg_statistic');
    expect(await asApp(file)).not.toEqual([before]);
    expect(await asApp('select from base.intake_entries')).toEqual([]);
    expect(await asApp('select reason, salt from base.intake_access_history')).toEqual([
      { reason: '', salt: null },
    ]);
    expect(
      await asApp(
        `select intake_id, entries <> '{}' and walls <> '{}' as lists from base.intake_erasures`,
      ),
    ).toEqual([{ intake_id: intakeId, lists: true }]);
  });
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
