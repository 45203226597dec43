import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import type { Connection } from '../db/connect.ts';
import { startEmbeddedPostgres } from '../db/embedded/start.ts';
import { createTemplate, query } from './database.ts';

type Server = { connection: Connection; stop: () => Promise<void> };

let undo: (() => Promise<void>)[] = [];

/** One PostgreSQL for the whole run: that of TEST_DATABASE_URL, else one of our own in a new directory. */
export async function setup(project: TestProject): Promise<void> {
  const url = process.env['TEST_DATABASE_URL'];
  const { connection, stop } = url
    ? { connection: { connectionString: url }, stop: async () => undefined }
    : await startOwnServer();
  const { name, drop } = await createTemplate(connection);
  undo = [drop, stop];
  project.provide('testDatabase', { server: connection, template: name });
}

export async function teardown(): Promise<void> {
  for (const step of undo) await step();
}

async function startOwnServer(): Promise<Server> {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-test-'));
  const postgres = await startEmbeddedPostgres({
    directory: path.join(base, 'postgres'),
    log: () => undefined,
    // What a test leaves on disk is thrown away, so nothing is lost by not waiting for the disk.
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: 200 },
  });
  await query(postgres.superuser, 'alter role app createdb');
  return {
    connection: postgres.connection,
    async stop() {
      await postgres.stop();
      fs.rmSync(base, { recursive: true, force: true });
    },
  };
}
