import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A small file system of its own. */
export type SmallDisk = { directory: string; remove: () => void };

/** @returns why it is unavailable: only root may mount */
export function mountSmallDisk(mebibytes: number): SmallDisk | string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'matterdesk-small-'));
  const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'matterdesk-test', directory];
  const { status, stderr, error } = spawnSync('mount', options, { encoding: 'utf8' });
  if (status !== 0) {
    rmSync(directory, { recursive: true });
    return `no disk can be mounted here: ${error?.message ?? stderr.trim()}`;
  }
  return {
    directory,
    remove() {
      spawnSync('umount', ['--lazy', directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
