// Also read by a Node that is too old: no syntax and no function that came after Node 14.
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
export const PINNED_NODE = `${ROOT}/node_modules/node-linux-${process.arch}/bin/node`;

/**
 * The engine tidies up when 16 MB of buffers may be let go of, not 64: so a large upload takes no more
 * memory than a small one, also as the first thing that a server does.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=16', '--scavenger-max-new-space-capacity-mb=4'];

/** Ends this process with one sentence where Matterdesk cannot run. */
export function refuseUnsupported() {
  const sentence = unmetRequirement(process);
  if (!sentence) return;
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** What is missing, as one sentence; undefined if nothing is. */
export function unmetRequirement({ platform, arch, versions }) {
  if (platform !== 'linux') return `Matterdesk runs on Linux; this is ${platform}.`;
  if (arch !== 'x64' && arch !== 'arm64')
    return `Matterdesk runs on x64 and arm64 processors; this is ${arch}.`;
  if (Number.parseInt(versions.node, 10) < 20)
    return `Matterdesk needs Node 20 or newer to start; this is Node ${versions.node}.`;
  return undefined;
}
