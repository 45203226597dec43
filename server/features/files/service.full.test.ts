import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import type { Actor } from '../../core/actor.ts';
import { StorageFull } from '../../integrations/blobs/blob-store.ts';
import { DiskBlobStore } from '../../integrations/blobs/disk.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openCase, registerAdmin, type SignedInPerson } from '../../testing/factories.ts';
import { filesBelow, filesIn, openUpload, sendFile, sendParts } from '../../testing/uploads.ts';
import { uploadFiles } from './service.ts';

/** A small file system of its own. */
type SmallDisk = { directory: string; remove: () => void };

/** @returns why it is unavailable: only root may mount */
function mountSmallDisk(mebibytes: number): SmallDisk | string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'matterdesk-small-'));
  const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'matterdesk-test', directory];
  const { status, stderr, error } = spawnSync('mount', options, { encoding: 'utf8' });
  if (status !== 0) {
    rmSync(directory, { recursive: true });
    return `no disk can be mounted here: ${error?.message ?? stderr.trim()}`;
  }
  return {
    directory,
    remove() {
      spawnSync('umount', ['--lazy', directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const MEBIBYTE = 1024 * 1024;
const ROOM = 20;
const FULL = {
  statusCode: 507,
  code: 'storageFull',
  message: expect.stringMatching(/^The storage is full: ask .+ to make room$/) as string,
  body: null,
};

const disk = mountSmallDisk(ROOM);
const why = typeof disk === 'string' ? ` (${disk})` : '';

describe.skipIf(why)(`a disk of ${ROOM} MB${why}`, () => {
  const { directory, remove } = disk as Exclude<typeof disk, string>;
  let app: TestApp;
  let token: string;
  let admin: SignedInPerson;
  let caseId: string;

  beforeAll(async () => {
    app = await startTestApp({ blobs: await DiskBlobStore.open(directory) });
    admin = await registerAdmin(app);
    ({ token } = admin);
    caseId = (await openCase(app, token)).id;
  });
  afterAll(async () => {
    await app.close();
    remove();
  });

  async function state() {
    const { body } = await app.call(fileRoutes.listFiles, { token, params: { caseId } });
    const { rows } = await app.pool.query<{ n: number }>(
      'select count(*)::int n from pending_blobs',
    );
    return {
      folders: Object.keys(body.files),
      files: Object.keys(body.details).length,
      blobs: (await filesBelow(directory)).length,
      pending: rows[0]?.n,
    };
  }

  test('reports a full disk, keeps nothing of the upload and goes on', async () => {
    const place = { token, caseId, folder: 'Kept' };
    const small = { name: 'small.bin', bytes: randomBytes(5 * MEBIBYTE) };
    expect((await sendFile(app, place, small)).status).toBe(201);
    const before = await state();
    expect(before).toEqual({ folders: ['Kept'], files: 1, blobs: 1, pending: 0 });

    const large = { name: 'large.bin', bytes: randomBytes(30 * MEBIBYTE) };
    const parts = filesIn({ caseId, folder: 'Full' }, { ...small, name: 'first.bin' }, large);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const reply = await sendParts(app, token, parts);
      expect(JSON.parse(reply.text)).toEqual(FULL);
      expect(await state()).toEqual(before);
    }
    expect((await app.request('/readyz')).status).toBe(200);
    expect((await sendFile(app, place, { ...small, name: 'more.bin' })).status).toBe(201);
    expect(await state()).toEqual({ folders: ['Kept'], files: 2, blobs: 2, pending: 0 });
  });

  // A reply that is lost in a reset connection is so only now and then.
  test('replies before the rest is sent', { repeats: 9 }, async () => {
    const before = await state();
    const upload = openUpload(app.url, { token, caseId, folder: 'Full' });
    await upload.begin('endless.bin');
    const block = randomBytes(MEBIBYTE);
    const answers: { status: number; text: string }[] = [];
    const answered = upload.reply.then((reply) => answers.push(reply));
    let sent = 0;
    // The sender stops at the reply, or after sending many times the free space.
    for (; answers.length === 0 && sent < ROOM * 20; sent += 1) await upload.send(block);
    await answered;
    upload.abort();
    expect(JSON.parse(answers[0]?.text ?? '')).toEqual(FULL);
    expect(sent).toBeLessThan(ROOM * 20);
    expect(await state()).toEqual(before);
  });

  test('takes from its reserve what is no upload, until even that is full', async () => {
    const file = (mebibytes: number) =>
      filesFrom({ caseId, folder: 'Filed' }, randomBytes(mebibytes * MEBIBYTE));
    const actor = { ...admin, requestId: '' } as unknown as Actor;
    // Uploads leave 5 %, which is 1 MB of these 20.
    expect((await uploadFiles({ ...app.context, actor }, file(9.5))).urls).toHaveLength(1);
    const place = { token, caseId, folder: 'Kept' };
    expect((await sendFile(app, place, 'words.txt')).status).toBe(507);
    const before = await state();
    await expect(uploadFiles({ ...app.context, actor }, file(1))).rejects.toMatchObject({
      code: 'storageFull',
      cause: expect.any(StorageFull) as object,
    });
    expect(await state()).toEqual(before);
  });
});

async function* filesFrom({ caseId, folder }: { caseId: string; folder: string }, bytes: Buffer) {
  yield { field: 'caseId', value: caseId };
  yield { field: 'folder', value: folder };
  yield { name: 'filed.bin', bytes: Readable.from([bytes]) };
}
