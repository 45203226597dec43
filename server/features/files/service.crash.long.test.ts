import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileRoutes, type Library } from '@matterdesk/contract/files.ts';
import { eventually } from '../../testing/eventually.ts';
import { openCase, registerAdmin, unique } from '../../testing/factories.ts';
import {
  connectTo,
  newPlace,
  type ServerProcess,
  startAgain,
  startProcess,
} from '../../testing/process.ts';
import { filesBelow, filesIn, openUpload, sendParts } from '../../testing/uploads.ts';

const MEBIBYTE = 1024 * 1024;
const ROUNDS = 4;

let place: Awaited<ReturnType<typeof newPlace>>;
let server: ServerProcess;
let token: string;
let caseId: string;

beforeAll(async () => {
  place = await newPlace();
  server = startProcess(place);
  await server.ready;
  ({ token } = await registerAdmin(server));
  caseId = (await openCase(server, token)).id;
});
afterAll(async () => {
  await server.kill();
  place.remove();
});

/** Everything that belongs to the server dies at once, and another takes its place. */
async function crash(): Promise<void> {
  await server.kill();
  server = await startAgain(place);
  await server.ready;
}

async function library(): Promise<Library> {
  return (await server.call(fileRoutes.listFiles, { token, params: { caseId } })).body;
}

/** The contents of the store and of the tables, sorted. */
async function state() {
  const client = await connectTo(place);
  const { rows: files } = await client.query<{ blob_key: string }>(
    'select blob_key from base.files',
  );
  const { rows: pending } = await client.query('select blob_key from pending_blobs');
  const { rows: entries } = await client.query<{ n: number }>(
    `select count(*)::int n from audit_log where entity = 'file' and action = 'created'`,
  );
  await client.end();
  return {
    rows: files.map((row) => row.blob_key).toSorted(),
    entries: entries[0]?.n,
    blobs: (await filesBelow(path.join(place.dataDir, 'files'))).toSorted(),
    pending: pending.length,
  };
}

/** Each row has its bytes and its entry in the log, each blob its row, and nothing is under way. */
async function expectNoOrphans(): Promise<void> {
  await eventually(async () => {
    const { rows, entries, blobs, pending } = await state();
    expect(pending).toBe(0);
    expect(blobs).toEqual(rows);
    expect(entries).toBe(rows.length);
  });
}

describe('a server killed during an upload', () => {
  test('has no file, row or orphan of it after the restart', async () => {
    const before = await state();
    const upload = openUpload(server.url, { token, caseId, folder: 'Cut off' });
    await upload.begin('whole.txt');
    await upload.send(Buffer.from('this one is in its place already, and has no row'));
    await upload.endFile();
    await upload.begin('half.bin');
    await upload.send(randomBytes(3 * MEBIBYTE));
    await eventually(async () => {
      const { blobs, pending } = await state();
      expect(blobs.length).toBe(before.blobs.length + 2);
      expect(pending).toBe(2);
    });
    await crash();
    await expect(upload.reply).rejects.toThrow(/hang up|ECONNRESET/);
    expect((await library()).files).toEqual({});
    await expectNoOrphans();
    expect(await state()).toEqual(before);
  });

  test(`keeps exactly what it acknowledged, ${ROUNDS} times`, async () => {
    const acknowledged = new Map<string, string>();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const uploading = uploadUntilGone(acknowledged);
      const enough = acknowledged.size + 1 + (round % 5);
      await eventually(() => expect(acknowledged.size).toBeGreaterThanOrEqual(enough));
      await crash();
      await uploading;
      await expectNoOrphans();
    }
    const { details } = await library();
    for (const [url, sha256] of acknowledged) expect(details[url]?.sha256).toBe(sha256);
    await expectTrueSums(details);
    console.info(`killed ${ROUNDS} times, ${acknowledged.size} files acknowledged, none lost`);
  }, 900_000);
});

/** Three senders, each one upload after the other, noting the sum of what is acknowledged. */
async function uploadUntilGone(acknowledged: Map<string, string>): Promise<void> {
  const send = async (size: number): Promise<void> => {
    const bytes = randomBytes(size);
    const parts = filesIn({ caseId, folder: 'Kept' }, { name: `${unique()}.bin`, bytes });
    const { body } = await sendParts(server, token, parts);
    const url = body?.urls[0];
    if (url !== undefined) acknowledged.set(url, createHash('sha256').update(bytes).digest('hex'));
    await send(size);
  };
  const senders = [10, 50_000, 2 * MEBIBYTE].map(send);
  // An unanswered request fails in the network; anything else is a fault.
  for (const { reason } of (await Promise.allSettled(senders)) as { reason?: unknown }[])
    expect(reason).toMatchObject({ message: expect.stringMatching(/fetch failed|terminated/) });
}

/** Whatever is listed, acknowledged or not, is whole. */
async function expectTrueSums(details: Library['details']): Promise<void> {
  for (const [url, { sha256 }] of Object.entries(details)) {
    const response = await fetch(server.url + url, { headers: { 'x-auth-token': token } });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  }
}
