import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openCase, registerAdmin, type SignedInPerson } from '../../testing/factories.ts';
import { importsOf } from '../../testing/imports.ts';
import { filesBelow, sendExport } from '../../testing/uploads.ts';

const MEBIBYTE = 1024 * 1024;
let root: string;
let app: TestApp;
let admin: SignedInPerson;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'matterdesk-export-'));
  // Room for one of the two documents.
  app = await startTestApp({ env: { IMPORT_DIR: root, MAX_STORAGE_GB: '0.003' } });
  admin = await registerAdmin(app);
});
afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true, force: true });
});

test('an import for which there is no room fails with a sentence, leaves no bytes, and goes on once there is', async () => {
  const { id } = await openCase(app, admin.token, { caseNo: 'R-17' });
  const folder = path.join(root, 'firm', 'Doe - R-17');
  await mkdir(folder, { recursive: true });
  for (const name of ['one.bin', 'two.bin'])
    await writeFile(path.join(folder, name), Buffer.alloc(2 * MEBIBYTE, name));
  const api = importsOf(app, admin);
  const asked = { token: admin.token, profile: 'folders', dir: 'firm' };
  const { body: added } = await sendExport(app, asked);
  const failed = await api.run(added.import.id);
  expect(failed).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/^The storage is full: ask .+ to make room$/) as string,
  });
  const pending = await app.pool.query('select from pending_blobs');
  expect([pending.rowCount, await filesBelow(app.filesDirectory)]).toEqual([0, []]);
  Object.assign(app.context.config, { maxStorageBytes: 100 * MEBIBYTE });
  const done = await api.run(added.import.id);
  expect(done).toMatchObject({ state: 'done', counts: { documents: { found: 2, new: 2 } } });
  const { body } = await app.call(fileRoutes.listFiles, {
    token: admin.token,
    params: { caseId: id },
  });
  expect(body.files['Documents']?.length).toBe(2);
});
