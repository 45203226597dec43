// An import on the command line: a folder of this machine, without the queue.

import { realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Import,
  ImportPatchSchema,
  type ImportProfile,
} from '@matterdesk/contract/imports.ts';
import type { ActorContext, Context } from '../../context.ts';
import { validate } from '../../http/validate.ts';
import { workOn } from './service.runs.ts';
import {
  addFolder,
  changeImport,
  readImport,
  reportOf,
  startImport,
  stopImport,
} from './service.ts';
import * as store from './store.ts';

/** Milliseconds between looks at the progress. */
const POLL_MS = 500;

type Asked = {
  profile: ImportProfile;
  dir: string;
  isDry: boolean;
  /** As the API takes it; unchecked. */
  change: object;
  onProgress: (one: Import) => void;
};

/** Imports a folder to the end; one that was interrupted goes on. @throws Refusal */
export async function importFolder(context: ActorContext, asked: Asked): Promise<Import> {
  const dir = await realpath(asked.dir);
  const id = await begin(context, { ...asked, dir });
  await startImport(context, id, { dryRun: asked.isDry });
  const signal = new AbortController().signal;
  const work = workOn(context, id, { signal, before: Number.MAX_SAFE_INTEGER });
  const watching = new AbortController();
  const watched = watch(context, id, { signal: watching.signal, onProgress: asked.onProgress });
  await work.finally(() => watching.abort());
  await watched;
  return (await readImport(context, id)).import;
}

async function begin(context: ActorContext, { profile, dir, change }: Asked): Promise<string> {
  const interrupted = await store.findInterrupted(context.db, { profile, dir });
  if (interrupted) {
    if (interrupted.state === 'running') await stopImport(context, interrupted.id);
    return interrupted.id;
  }
  const added = (await addFolder(context, { profile, dir })).import;
  const patch = validate(ImportPatchSchema, change);
  if (Object.keys(patch).length > 0) await changeImport(context, added.id, patch);
  return added.id;
}

type ProgressWatch = { signal: AbortSignal; onProgress: (one: Import) => void };

async function watch(context: Context, id: string, { signal, onProgress }: ProgressWatch) {
  while (!signal.aborted) {
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) onProgress((await readImport(context, id)).import);
  }
}

/** Problems in lines: 'matters.csv, row 4, column client_name: …' */
export async function* listProblemsOf(context: Context, id: string): AsyncGenerator<string> {
  for await (const [file, row, column, , outcome, message] of await reportOf(context, id)) {
    const place = [file, row && `row ${row}`, column && `column ${column}`].filter(Boolean);
    yield `${outcome}: ${place.join(', ')}: ${message}`;
  }
}
