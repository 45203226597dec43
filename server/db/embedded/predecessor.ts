import fs from 'node:fs';
import path from 'node:path';
import { clusterNameOf } from './socket-directory.ts';

export type PidFile = { pid: number; socketDirectory: string; isReady: boolean };

/** What the postmaster of that cluster tells about itself; undefined without one. */
export function readPidFile(directory: string): PidFile | undefined {
  try {
    const lines = fs.readFileSync(pidFile(directory), 'utf8').split('\n');
    return {
      pid: Number(lines[0]),
      socketDirectory: lines[4] ?? '',
      isReady: lines[7]?.trim() === 'ready',
    };
  } catch {
    return undefined;
  }
}

/** What PostgreSQL says when an earlier one, or the files it left, keeps it from starting. */
export function isAboutPredecessor(output: string): boolean {
  return /lock file "[^"]*" (already exists|is empty)|data in lock file|shared memory block/.test(
    output,
  );
}

/**
 * Helps what is left of an earlier PostgreSQL out of the cluster. One that another living process
 * started is left alone: whoever holds the directory's lock starts here, all others do not.
 */
export function clearTheWay(directory: string, socketDirectory: string): void {
  const postmaster = readPidFile(directory)?.pid;
  const inside = processesOf(directory);
  if (postmaster && inside.includes(postmaster)) {
    if (isOrphan(postmaster)) signal(postmaster, 'SIGINT');
  } else if (inside.length > 0) {
    // Without their postmaster they can only end, but would finish a long statement first.
    for (const pid of inside) signal(pid, 'SIGQUIT');
  } else if (!postmaster || !isPostgres(postmaster)) {
    // The process id was given to somebody else, or is a zombie that nobody collects.
    fs.rmSync(pidFile(directory), { force: true });
    for (const name of fs.readdirSync(socketDirectory)) fs.rmSync(path.join(socketDirectory, name));
  }
}

function pidFile(directory: string): string {
  return path.join(directory, 'postmaster.pid');
}

/** Every process of PostgreSQL shows its cluster's name, also to users who may not look into it. */
function processesOf(directory: string): number[] {
  const name = clusterNameOf(directory);
  const pids = fs.readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return pids.filter((pid) => isPostgres(pid) && tell(pid, 'cmdline').includes(name)).map(Number);
}

function isPostgres(pid: number | string): boolean {
  return tell(pid, 'comm') === 'postgres\n' && tell(pid, 'cmdline') !== '';
}

function isOrphan(pid: number): boolean {
  const parent = /^PPid:\s*(\d+)/m.exec(tell(pid, 'status'))?.[1] ?? '';
  return !/^([^\0]*\/)?node[\0 ]/.test(tell(parent, 'cmdline'));
}

/** Nothing about a process that is gone. */
function tell(pid: number | string, what: 'comm' | 'cmdline' | 'status'): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return '';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone already.
  }
}
