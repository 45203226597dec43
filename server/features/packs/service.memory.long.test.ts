import { openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { packRoutes } from '@matterdesk/contract/packs.ts';
import { openCase, registerAdmin } from '../../testing/factories.ts';
import { newPlace, startProcess } from '../../testing/process.ts';
import { INSPECTABLE, usualGrowth } from '../../testing/usage.ts';

const SIZE = 1_000_000_000;
const SMALL = 99;
/** Looks for the end of a pack. */
const waiting = { timeout: 120_000, interval: 200 };

test('the server packs a matter of 1 GB with less than 60 MB, one time after the other', async () => {
  const place = await newPlace();
  const server = startProcess({
    env: { ...place.env, ...INSPECTABLE, REGISTRATION: 'open', MAX_UPLOAD_MB: '2048' },
  });
  try {
    await server.ready;
    const { token } = await registerAdmin(server);
    const { id } = await openCase(server, token);
    const large = path.join(path.dirname(place.dataDir), 'video.bin');
    const file = await open(large, 'w');
    await file.truncate(SIZE);
    await file.close();
    const body = new FormData();
    body.set('caseId', id);
    body.set('folder', 'Evidence');
    body.append('attachments', await openAsBlob(large), 'video.bin');
    for (let n = 0; n < SMALL; n += 1) body.append('attachments', new Blob(['small']), `${n}.txt`);
    const headers = { 'x-auth-token': token };
    const address = server.url + fileRoutes.uploadFiles.path;
    const sent = await fetch(address, { method: 'POST', headers, body });
    expect(sent.status).toBe(201);
    const params = { id };
    const pack = async () => {
      const { n } = (await server.call(packRoutes.makePack, { token, params, body: {} })).body.pack;
      await vi.waitFor(async () => {
        const { packs } = (await server.call(packRoutes.listPacks, { token, params })).body;
        expect(packs.find((one) => one.n === n)).toMatchObject({ state: 'ready', error: null });
      }, waiting);
    };
    expect(await usualGrowth(server, pack)).toBeLessThan(60);
  } finally {
    await server.kill();
    place.remove();
  }
}, 900_000);
