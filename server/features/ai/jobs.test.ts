import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { startTestApp } from '../../testing/app.ts';
import { newCase, newPerson, openCase, registerAdmin } from '../../testing/factories.ts';
import { heldDuring } from '../../testing/processor.ts';
import { longContract } from '../../testing/pdf.ts';
import { check, settle, train, upload, type Address, type Caller } from '../../testing/training.ts';

const MAIN = path.join(import.meta.dirname, '../../main.ts');
const PAGES = 1000;

/** The whole program in a process that can be killed. */
class Program {
  readonly #directory: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  constructor(directory: string, port: number) {
    this.#directory = directory;
    this.#port = port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  async start(): Promise<void> {
    const env = { PATH: process.env['PATH'], DATA_DIR: this.#directory, PORT: `${this.#port}` };
    const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += String(chunk)));
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        if (String(chunk).includes('Matterdesk is ready')) resolve();
      });
      child.once('exit', () => reject(new Error(`it did not start: ${said}`)));
    });
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#process;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

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

describe('a server that is killed in the midst of a training', () => {
  let directory: string;
  let program: Program;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'matterdesk-training-'));
    program = new Program(directory, await freePort());
    await program.start();
  }, 60_000);
  afterAll(async () => {
    await program.end('SIGTERM');
    await rm(directory, { recursive: true, force: true });
  });

  async function signIn(): Promise<Caller> {
    const person = newPerson({ role: 'admin' });
    await post(accountRoutes.register.path, person);
    const { email, password } = person;
    const { token } = (await post(accountRoutes.login.path, { email, password })) as Caller;
    return { url: program.url, token };
  }

  async function post(route: string, body: unknown, token = ''): Promise<unknown> {
    const response = await fetch(program.url + route, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-token': token },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { body: unknown }).body;
  }

  it('goes on at the page where it stopped, and leaves no process behind', async () => {
    const caller = await signIn();
    const made = await post(caseRoutes.openCase.path, newCase(), caller.token);
    const caseId = (made as { case: { id: string } }).case.id;
    const address: Address = { caseId, folder: 'Contracts', name: 'long.pdf' };
    await upload(caller, address, longContract(PAGES));
    await train(caller, address);
    let before = 0;
    await expect
      .poll(async () => (before = (await check(caller, address)).progress ?? 1), {
        timeout: 30_000,
        interval: 20,
      })
      .toBeGreaterThan(0.02);
    expect(before).toBeLessThan(0.9);
    const readers = await readersOf(program.pid);
    expect(readers).toHaveLength(1);

    await program.end('SIGKILL');
    await expect.poll(() => readers.filter(isAlive), { timeout: 10_000 }).toEqual([]);
    await program.start();

    const after = await check(caller, address);
    expect(after.status).toBe(202);
    expect(after.progress).toBeGreaterThanOrEqual(before);
    expect(await settle(caller, address)).toEqual({ status: 201, message: 'Trained' });
    const text = `${caller.url}/api/v1/files/text/${caseId}/Contracts/long.pdf?page=${PAGES}`;
    const reply = await fetch(text, { headers: { 'x-auth-token': caller.token } });
    const { body } = (await reply.json()) as { body: { pages: number; text: string } };
    expect(body).toMatchObject({ pages: PAGES });
    expect(body.text).toContain(`${PAGES}. Clause Number ${PAGES}`);
  }, 120_000);
});

it('does not stall the server while a file of 3,000 pages trains', async () => {
  const app = await startTestApp();
  try {
    const { token } = await registerAdmin(app);
    const caller = { url: app.url, token };
    const { id: caseId } = await openCase(app, token);
    const address = { caseId, folder: 'Contracts', name: 'long.pdf' };
    await upload(caller, address, longContract(3000));
    const { p99 } = await heldDuring(async () => {
      await train(caller, address);
      expect((await settle(caller, address)).status).toBe(201);
    });
    expect(p99).toBeLessThan(50);
  } finally {
    await app.close();
  }
}, 120_000);
