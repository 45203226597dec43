import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { openCase, registerAdmin } from '../../testing/factories.ts';
import { newPlace, startProcess } from '../../testing/process.ts';
import { openUpload } from '../../testing/uploads.ts';
import { memoryOf } from '../../testing/usage.ts';

const MEBIBYTE = 1024 * 1024;

test('the server takes less than 60 MB for a file of 200 MB, up and down, even as the first request', async () => {
  const place = await newPlace();
  const server = startProcess(place);
  try {
    await server.ready;
    const { token } = await registerAdmin(server);
    const { id: caseId } = await openCase(server, token);
    const block = randomBytes(MEBIBYTE);

    /** Sends a file and reads it back. @returns the most memory that the server took meanwhile */
    async function most(megabytes: number): Promise<number> {
      const [sent, got] = [createHash('sha256'), createHash('sha256')];
      const seen: number[] = [];
      const upload = openUpload(server.url, { token, caseId, folder: 'Large' });
      await upload.begin(`${megabytes}.bin`);
      for (let at = 0; at < megabytes; at += 1) {
        block.writeUInt32LE(at, 0);
        await upload.send(Buffer.from(block));
        sent.update(block);
        seen.push(memoryOf(server.pid));
      }
      await upload.endFile();
      expect((await upload.finish()).status).toBe(201);
      const { body } = await server.call(fileRoutes.listFiles, { token, params: { caseId } });
      const url = body.files['Large']?.at(-1) ?? '';
      const response = await fetch(server.url + url, { headers: { 'x-auth-token': token } });
      for await (const piece of response.body ?? []) {
        got.update(piece as Uint8Array);
        seen.push(memoryOf(server.pid));
      }
      expect(got.digest('hex')).toBe(sent.digest('hex'));
      expect(body.details[url]?.size).toBe(megabytes * MEBIBYTE);
      return Math.max(...seen);
    }

    const before = memoryOf(server.pid);
    expect((await most(200)) - before).toBeLessThan(60);
  } finally {
    await server.kill();
    place.remove();
  }
}, 900_000);
