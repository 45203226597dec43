import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { startForeignPostgres, type ForeignPostgres } from '../testing/foreign-postgres.ts';
import { freePort, removeAll } from '../testing/process.ts';
import { openDatabase, openPool, ping, transact, type Pool } from './connect.ts';
import { sendLater } from './connection.ts';
import { changeOwner } from './embedded/cluster.ts';
import { chooseIdentity, runAs } from './embedded/identity.ts';
import { migrate } from './migrate.ts';
import type { Database } from './schema.ts';

// Debian's, which is older than 1.21 and cannot carry prepared statements.
const PGBOUNCER = '/usr/sbin/pgbouncer';
/** Fewer than the product's connections, so that they take turns. */
const SERVER_CONNECTIONS = 2;

describe.skipIf(!existsSync(PGBOUNCER))(
  `through PgBouncer in transaction mode (skipped without ${PGBOUNCER})`,
  () => {
    let postgres: ForeignPostgres;
    let pooler: ChildProcess;
    let home: string;
    let pool: Pool;
    let db: Database;
    /** Connected to the pooler's admin console. */
    let admin: pg.Client;

    beforeAll(async () => {
      postgres = await startForeignPostgres();
      home = mkdtempSync(path.join(os.tmpdir(), 'matterdesk-pooler-'));
      const port = await freePort();
      const { file, args, options } = pgbouncer(home, { port, postgres: postgres.url });
      pooler = spawn(file, args, { ...options, stdio: 'ignore' });
      const connectionString = `postgres://postgres@127.0.0.1:${port}/postgres`;
      pool = openPool({ connectionString, max: 8 }, () => undefined);
      db = openDatabase(pool, { isPrepared: false });
      await eventually(() => ping(db));
      admin = new pg.Client(`postgres://postgres@127.0.0.1:${port}/pgbouncer`);
      await admin.connect();
      await sql`create table sample (id int primary key)`.execute(db);
    });
    afterAll(async () => {
      await admin.end();
      await pool.end();
      const exited = once(pooler, 'exit');
      pooler.kill('SIGTERM');
      await exited;
      await postgres.drop();
      removeAll(home);
    });

    test('writes and reads on few connections, with nothing prepared', async () => {
      const ids = Array.from({ length: 30 }, (_, id) => id);
      const insert = (id: number) => sql`insert into sample values (${id})`;
      await Promise.all(
        ids.map((id) =>
          transact(db, async (trx) => {
            await sendLater(trx, insert(id).compile(trx));
            const { rows } = await sql`select id from sample where id = ${id}`.execute(trx);
            expect(rows).toEqual([{ id }]);
          }),
        ),
      );
      const found = await sql<{ n: number }>`select count(*)::int as n from sample`.execute(db);
      expect(found.rows).toEqual([{ n: 30 }]);
      const prepared = await sql`select from pg_prepared_statements`.execute(db);
      expect(prepared.rows).toEqual([]);
    });

    test('rolls back what failed, alone', async () => {
      const failing = transact(db, async (trx) => {
        await sql`insert into sample values (1000)`.execute(trx);
        await sendLater(trx, sql`insert into sample values (1000)`.compile(trx));
      });
      await expect(failing).rejects.toMatchObject({ code: '23505' });
      const { rows } = await sql`select from sample where id = 1000`.execute(db);
      expect(rows).toEqual([]);
    });

    test('migrates for several starts at once, and leaves no lock in any session', async () => {
      const results = await Promise.all([migrate(db), migrate(db), migrate(db)]);
      expect(results.filter((names) => names.length > 0)).toHaveLength(1);
      const locks = await sql`select from pg_locks where locktype = 'advisory'`.execute(db);
      expect(locks.rows).toEqual([]);
    });

    test('compiles nothing just in time, and limits statements, on each new connection to the server', async () => {
      await admin.query('reconnect');
      const show = sql<{ jit: string; limit: string; pid: number }>`
        select current_setting('jit') jit, current_setting('statement_timeout') as limit, pg_backend_pid() pid, pg_sleep(0.1)`;
      const shown = await Promise.all([1, 2, 3, 4].map(() => show.execute(db)));
      const rows = shown.flatMap((result) => result.rows);
      expect(new Set(rows.map(({ pid }) => pid)).size).toBe(SERVER_CONNECTIONS);
      expect(new Set(rows.map(({ jit, limit }) => `${jit} ${limit}`))).toEqual(
        new Set(['off 30s']),
      );
    });
  },
);

function pgbouncer(home: string, { port, postgres }: { port: number; postgres: string }) {
  const { port: target } = new URL(postgres);
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: path.join(home, 'users.txt'),
    admin_users: 'postgres',
    pool_mode: 'transaction',
    default_pool_size: SERVER_CONNECTIONS,
    ignore_startup_parameters: 'statement_timeout,idle_in_transaction_session_timeout',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = path.join(home, 'pgbouncer.ini');
  writeFileSync(path.join(home, 'users.txt'), '"postgres" ""\n');
  const databases = ['[databases]', `* = host=127.0.0.1 port=${target}`];
  writeFileSync(file, [...databases, '[pgbouncer]', ...lines, ''].join('\n'));
  // As root it refuses to run, like PostgreSQL.
  const identity = chooseIdentity(PGBOUNCER, path.join(home, 'data'));
  changeOwner(home, identity);
  return runAs(identity, [PGBOUNCER, file]);
}
