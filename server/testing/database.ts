import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabase, openPool, type Connection } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { Queue } from '../jobs/queue.ts';
import { createLog } from '../log.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * Where test databases are made, and the one that they are copies of; and the files of a cluster
     * with the newest schema that was stopped, unless the server is somebody else's.
     */
    testDatabase: { server: Connection; template: string; cluster?: string | undefined };
  }
}

export type TestDatabase = { connection: Connection; drop: () => Promise<void> };

/** A fresh database with the newest schema and no rows. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { server, template } = inject('testDatabase');
  const name = newName();
  await query(server, `create database ${name} template ${template}`);
  return { connection: inDatabase(server, name), drop: () => dropDatabase(server, name) };
}

/** A migrated database that others are copied from: copying takes a fraction of migrating. */
export async function createTemplate(server: Connection) {
  const name = newName();
  await query(server, `create database ${name}`);
  await migrateAll(inDatabase(server, name));
  return { name, drop: () => dropDatabase(server, name) };
}

/** Brings a database to its newest form, its queue included. */
export async function migrateAll(connection: Connection): Promise<void> {
  // A statement that fails says so itself; a connection that is still closing may meet the server's end.
  const pool = openPool(connection, () => undefined);
  await migrate(openDatabase(pool));
  const queue = new Queue(pool, createLog('silent'));
  await queue.start();
  await queue.stop();
  await pool.end();
}

/** Fills a DATA_DIR with the database that the first start makes, which takes longest of all it does. */
export function copyCluster(dataDir: string): void {
  const { cluster } = inject('testDatabase');
  if (cluster === undefined) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  execFileSync('cp', ['--archive', cluster, path.join(dataDir, 'postgres')]);
}

/** One statement on a connection of its own. */
export async function query(connection: Connection, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function newName() {
  return `matterdesk_test_${randomBytes(6).toString('hex')}`;
}

function inDatabase(server: Connection, database: string): Connection {
  if (!server.connectionString) return { ...server, database };
  const url = new URL(server.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

const NOT_PERMITTED = '42501';

async function dropDatabase(server: Connection, name: string): Promise<void> {
  try {
    await query(server, `drop database if exists ${name} with (force)`);
  } catch (error) {
    if ((error as { code?: unknown }).code !== NOT_PERMITTED) throw error;
    // A vacuum of the server's own is at work there, which only the milder form may end.
    await query(server, `drop database if exists ${name}`);
  }
}
