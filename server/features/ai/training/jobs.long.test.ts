import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../../../testing/app.ts';
import { openCase, registerAdmin } from '../../../testing/factories.ts';
import { longContract } from '../../../testing/papers.ts';
import { newPlace, type ServerProcess, startProcess } from '../../../testing/process.ts';
import { type Address, check, settle, train, upload } from '../../../testing/training.ts';
import { loopBlocksDuring } from '../../../testing/usage.ts';

const PAGES = 400;

/** Ids of processes that read documents for this parent. */
async function readersOf(parent: number | undefined): Promise<number[]> {
  const found: number[] = [];
  for (const entry of await readdir('/proc')) {
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    const line = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    const isChild = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
    if (isChild && line.includes('documents/child.ts')) found.push(Number(entry));
  }
  return found;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a server that is killed during a training', () => {
  let place: Awaited<ReturnType<typeof newPlace>>;
  let server: ServerProcess;

  beforeAll(async () => {
    place = await newPlace();
    server = startProcess(place);
    await server.ready;
  });
  afterAll(async () => {
    await server.kill();
    place.remove();
  });

  test('resumes at the page where it stopped, and leaves no process behind', async () => {
    const { token } = await registerAdmin(server);
    const caller = { url: server.url, token };
    const { id: caseId } = await openCase(server, token);
    const address: Address = { caseId, folder: 'Contracts', name: 'long.pdf' };
    await upload(caller, address, longContract(PAGES));
    await train(caller, address);
    let before = 0;
    await expect
      .poll(async () => (before = (await check(caller, address)).progress ?? 1))
      .toBeGreaterThan(0.02);
    expect(before).toBeLessThan(0.9);
    const readers = await readersOf(server.pid);
    expect(readers.length).toBeGreaterThan(0);

    // Only the server is killed: its child processes must end by themselves.
    server.signal('SIGKILL');
    await server.exited;
    await expect.poll(() => readers.filter(isAlive)).toEqual([]);
    server = startProcess(place);
    await server.ready;

    const after = await check(caller, address);
    expect(after.status).toBe(202);
    expect(after.progress).toBeGreaterThanOrEqual(before);
    expect(await settle(caller, address)).toEqual({ status: 201, message: 'Trained' });
    const text = `${caller.url}/api/v1/files/text/${caseId}/Contracts/long.pdf?page=${PAGES}`;
    const reply = await fetch(text, { headers: { 'x-auth-token': caller.token } });
    const { body } = (await reply.json()) as { body: { pages: number; text: string } };
    expect(body).toMatchObject({ pages: PAGES });
    expect(body.text).toContain(`${PAGES}. Clause Number ${PAGES}`);
  });
});

test('the training does not block the server while a file of 3,000 pages trains', async () => {
  const app = await startTestApp({ rounds: true });
  try {
    const { token } = await registerAdmin(app);
    const caller = { url: app.url, token };
    const { id: caseId } = await openCase(app, token);
    const address = { caseId, folder: 'Contracts', name: 'long.pdf' };
    await upload(caller, address, longContract(3000));
    const { p99 } = await loopBlocksDuring(async () => {
      await train(caller, address);
      expect((await settle(caller, address)).status).toBe(201);
    });
    expect(p99).toBeLessThan(50);
  } finally {
    await app.close();
  }
}, 600_000);
