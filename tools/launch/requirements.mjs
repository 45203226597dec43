// Old Node versions parse this too: no syntax or function newer than Node 14.
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
export const PINNED_NODE = `${ROOT}/node_modules/node-linux-${process.arch}/bin/node`;

/**
 * Collect garbage at 16 MB of external buffers instead of 64, so that large uploads stay in flat memory from the start; and
 * old objects once they have doubled instead of quadrupled, so that an import keeps less of the memory.
 */
export const SERVER_FLAGS = [
  '--max-semi-space-size=16',
  '--scavenger-max-new-space-capacity-mb=4',
  '--heap-growing-percent=100',
];

/** Exits with one sentence where Matterdesk cannot run. */
export function refuseUnsupported() {
  const sentence = unmetRequirement(process);
  if (!sentence) return;
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** The missing requirement in one sentence, or undefined. */
export function unmetRequirement({ platform, arch, versions }) {
  if (platform !== 'linux') return `Matterdesk runs on Linux; this is ${platform}.`;
  if (arch !== 'x64' && arch !== 'arm64')
    return `Matterdesk runs on x64 and arm64 processors; this is ${arch}.`;
  if (Number.parseInt(versions.node, 10) < 20)
    return `Matterdesk needs Node 20 or newer to start; this is Node ${versions.node}.`;
  return undefined;
}
