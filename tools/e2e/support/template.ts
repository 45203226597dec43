import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMatterdesk, TEMPLATE } from './matterdesk.ts';

/** Fresh data of an unused product, created once per run as a template. */
// oxlint-disable-next-line import/no-default-export -- the runner takes nothing else
export default async function makeTemplate(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'matterdesk-e2e-'));
  const product = await startMatterdesk({ dataDir, env: { LOG_LEVEL: 'warn' } });
  await product.stop();
  process.env[TEMPLATE] = dataDir;
  return () => rm(dataDir, { recursive: true, force: true });
}
