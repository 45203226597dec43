import fs from 'node:fs';
import path from 'node:path';
import { clusterNameOf } from './socket-directory.ts';

export type PidFile = { pid: number; socketDirectory: string; isReady: boolean };

/** The pid file of the cluster's postmaster; undefined without one. */
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

/** PostgreSQL's messages when an earlier process or its files block the start. */
export function isAboutPredecessor(output: string): boolean {
  return /lock file "[^"]*" (already exists|is empty)|data in lock file|shared memory block/.test(
    output,
  );
}

/**
 * Ends leftovers of an earlier PostgreSQL in the cluster, but never a process that another living
 * launcher started: only the holder of the directory's lock starts here.
 */
export function clearPredecessor(directory: string, socketDirectory: string): void {
  const postmaster = readPidFile(directory)?.pid;
  const running = processesOf(directory);
  if (postmaster && running.includes(postmaster)) {
    if (isOrphan(postmaster)) signal(postmaster, 'SIGINT');
  } else if (running.length > 0) {
    // Without their postmaster they can only end, but would finish a long statement first.
    for (const pid of running) signal(pid, 'SIGQUIT');
  } else if (!postmaster || !isPostgres(postmaster)) {
    // The process id was reused, or is a zombie without a parent that reaps it.
    fs.rmSync(pidFile(directory), { force: true });
    for (const name of fs.readdirSync(socketDirectory)) fs.rmSync(path.join(socketDirectory, name));
  }
}

function pidFile(directory: string): string {
  return path.join(directory, 'postmaster.pid');
}

/** PostgreSQL processes show their cluster's name, even to other users. */
function processesOf(directory: string): number[] {
  const name = clusterNameOf(directory);
  const pids = fs.readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return pids
    .filter((pid) => isPostgres(pid) && readProc(pid, 'cmdline').includes(name))
    .map(Number);
}

function isPostgres(pid: number | string): boolean {
  return readProc(pid, 'comm') === 'postgres\n' && readProc(pid, 'cmdline') !== '';
}

function isOrphan(pid: number): boolean {
  const parent = /^PPid:\s*(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? '';
  return !/^([^\0]*\/)?node[\0 ]/.test(readProc(parent, 'cmdline'));
}

/** Undefined for exited processes. */
function readProc(pid: number | string, what: 'comm' | 'cmdline' | 'status'): string {
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
    // It has already exited.
  }
}
