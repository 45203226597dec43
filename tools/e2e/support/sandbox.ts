import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '@matterdesk/server/testing/free-port.ts';

/** The sandbox of `npm run demo`. */
export type Sandbox = {
  url: string;
  /** Output so far. */
  output: () => string;
  /** Presses Ctrl+C; resolves with its exit code, last line and leftover temporary files. */
  close: () => Promise<{ code: number | null; last: string | undefined; left: string[] }>;
};

const root = resolve(import.meta.dirname, '../../..');

/** Opens the sandbox on a free port. Throws its output on failure. */
export async function openSandbox({ pace }: { pace: number }): Promise<Sandbox> {
  const port = await freePort();
  const temporary = await mkdtemp(join(tmpdir(), 'matterdesk-e2e-'));
  const args = ['tools/launch/run.mjs', '--build', 'tools/sandbox/main.ts', '--pace', String(pace)];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      TMPDIR: temporary,
      // Node's compile cache does not count as a leftover.
      NODE_COMPILE_CACHE: join(root, '.cache/compile'),
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const isReady = new Promise<void>((done, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        output += part;
        if (output.includes('The sandbox is ready')) done();
      });
    child.once('close', () => fail(new Error(`The sandbox did not open:\n${output}`)));
  });
  await isReady;
  return {
    url: `http://localhost:${port}`,
    output: () => output,
    async close() {
      const closed = once(child, 'close');
      process.kill(-Number(child.pid), 'SIGINT');
      const [code] = (await closed) as [number | null];
      const left = await readdir(temporary);
      await rm(temporary, { recursive: true, force: true });
      return { code, last: output.trim().split('\n').at(-1), left };
    },
  };
}
