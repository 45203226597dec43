import fs from 'node:fs/promises';
import path from 'node:path';
import { ifThere, sync } from './copy-tree.ts';

/** Exists while DATA_DIR is being replaced. */
const JOURNAL = 'restore.journal';
const DRAFT = 'restore-draft';
const ASIDE = 'before-restore-';

type Journal = { aside: string; old: string[] };

/** Folder in which a restore prepares the new contents of DATA_DIR. */
export function draftIn(dataDir: string): string {
  return path.join(dataDir, DRAFT);
}

/** Traces of restores in DATA_DIR. */
export function isOwnTraceOfRestore(name: string): boolean {
  return (
    name === JOURNAL || name.startsWith(`${JOURNAL}.`) || name === DRAFT || name.startsWith(ASIDE)
  );
}

/** Names in DATA_DIR that are data, without sockets left by a crash. */
export async function dataIn(dataDir: string): Promise<string[]> {
  const names = await fs.readdir(dataDir);
  return names.filter((name) => !isOwnTraceOfRestore(name) && !name.endsWith('.sock'));
}

/**
 * Replaces the data with the draft. The caller holds the lock of DATA_DIR.
 * @returns where the previous data are now, if any
 */
export async function swapIn(dataDir: string, now: Date): Promise<string | undefined> {
  const aside = `${ASIDE}${now.toISOString().replaceAll(/[^\d]/g, '').slice(0, 14)}`;
  const journal: Journal = { aside, old: await dataIn(dataDir) };
  const draft = path.join(dataDir, `${JOURNAL}.new`);
  await fs.writeFile(draft, JSON.stringify(journal), { mode: 0o600, flush: true });
  await fs.rename(draft, path.join(dataDir, JOURNAL));
  await finishSwap(dataDir);
  return journal.old.length > 0 ? path.join(dataDir, aside) : undefined;
}

/**
 * Completes an interrupted `swapIn`; otherwise does nothing.
 * The caller holds the lock of DATA_DIR.
 */
export async function finishSwap(dataDir: string): Promise<void> {
  const text = await ifThere(fs.readFile(path.join(dataDir, JOURNAL), 'utf8'));
  if (text === undefined) return;
  await sync(dataDir);
  const { aside, old } = JSON.parse(text) as Journal;
  if (old.length > 0) await fs.mkdir(path.join(dataDir, aside), { recursive: true, mode: 0o700 });
  for (const name of old) {
    const place = path.join(dataDir, aside, name);
    if (!(await ifThere(fs.lstat(place)))) await fs.rename(path.join(dataDir, name), place);
  }
  const draft = draftIn(dataDir);
  for (const name of (await ifThere(fs.readdir(draft))) ?? [])
    await fs.rename(path.join(draft, name), path.join(dataDir, name));
  await fs.rm(draft, { recursive: true, force: true });
  await sync(dataDir);
  await fs.rm(path.join(dataDir, JOURNAL));
}
