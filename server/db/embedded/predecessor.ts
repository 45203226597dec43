import fs from 'node:fs';
import path from 'node:path';

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
  const inside = processesIn(directory);
  if (postmaster && inside.includes(postmaster)) {
    if (isOrphan(postmaster)) signal(postmaster, 'SIGINT');
  } else if (inside.length > 0) {
    // Without their postmaster they can only end, but would finish a long statement first.
    for (const pid of inside) signal(pid, 'SIGQUIT');
  } else {
    // The process id was given to somebody else, or is a zombie that nobody collects.
    fs.rmSync(pidFile(directory), { force: true });
    for (const name of fs.readdirSync(socketDirectory)) fs.rmSync(path.join(socketDirectory, name));
  }
}

function pidFile(directory: string): string {
  return path.join(directory, 'postmaster.pid');
}

/** Every process of PostgreSQL works in its cluster's directory. */
function processesIn(directory: string): number[] {
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => isPostgresIn(directory, pid)).map(Number);
}

function isPostgresIn(directory: string, pid: string): boolean {
  try {
    return (
      fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres' &&
      fs.readlinkSync(`/proc/${pid}/cwd`) === directory
    );
  } catch {
    return false;
  }
}

function isOrphan(pid: number): boolean {
  try {
    const parent = /^PPid:\s*(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return !/\/node( \(deleted\))?$/.test(fs.readlinkSync(`/proc/${parent}/exe`));
  } catch {
    return true;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone already.
  }
}
