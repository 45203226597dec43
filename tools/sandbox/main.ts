import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runCommand, say } from '@matterdesk/server/operations/command.ts';
import { openSandbox } from './sandbox.ts';

/** A directory that is ours to throw away, unless DEMO_DIR names one that is kept. */
async function openDirectory() {
  const kept = process.env['DEMO_DIR'];
  const dataDir = kept ? resolve(kept) : await mkdtemp(join(tmpdir(), 'matterdesk-sandbox-'));
  const forget = async () =>
    kept ? undefined : rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  return { dataDir, forget };
}

await runCommand(async () => {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => ending.abort());
  const { dataDir, forget } = await openDirectory();
  try {
    await openSandbox({
      dataDir,
      port: Number(process.env['PORT'] || 3000),
      signal: ending.signal,
    });
    say('The sandbox is closed.');
  } finally {
    await forget();
  }
});
