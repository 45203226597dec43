import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import type { Connection } from '../db/connect.ts';
import { startEmbeddedPostgres } from '../db/embedded/start.ts';
import { createTemplate, migrateAll, query } from './database.ts';

type Server = { connection: Connection; cluster?: string; stop: () => Promise<void> };

let undo: (() => Promise<void>)[] = [];

/** One PostgreSQL for the whole run: that of TEST_DATABASE_URL, else our own in a new directory. */
export async function setup(project: TestProject): Promise<void> {
  const url = process.env['TEST_DATABASE_URL'];
  const { connection, cluster, stop } = url
    ? { connection: { connectionString: url }, stop: async () => undefined }
    : await startOwnServer();
  const { name, drop } = await createTemplate(connection);
  undo = [drop, stop];
  project.provide('testDatabase', { server: connection, template: name, cluster });
}

export async function teardown(): Promise<void> {
  for (const step of undo) await step();
}

async function startOwnServer(): Promise<Server> {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-test-'));
  const directory = path.join(base, 'postgres');
  const start = () =>
    startEmbeddedPostgres({
      directory,
      log: () => undefined,
      // Test data is disposable, so flushing to disk is unnecessary.
      settings: { fsync: 'off', full_page_writes: 'off', max_connections: 200 },
    });
  const first = await start();
  await migrateAll(first.connection);
  await first.stop();
  const cluster = path.join(base, 'as it is after a first start');
  execFileSync('cp', ['--archive', directory, cluster]);
  const postgres = await start();
  await query(postgres.superuser, 'alter role app createdb');
  return {
    connection: postgres.connection,
    cluster,
    async stop() {
      await postgres.stop();
      fs.rmSync(base, { recursive: true, force: true });
    },
  };
}
