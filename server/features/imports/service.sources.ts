// Files of an import, from uploads or from a folder, and their rows.

import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ImportKind } from '@matterdesk/contract/import-fields.ts';
import type { Context } from '../../context.ts';
import { invalidField, Refusal } from '../../core/refusal.ts';
import { openFolder, expandArchives } from '../../integrations/exports/files.ts';
import { profileOf } from '../../integrations/exports/profiles.ts';
import { readRows } from '../../integrations/exports/read.ts';
import {
  type BadRow,
  type SourceFile,
  type SourceRow,
  UnreadableExport,
} from '../../integrations/exports/row.ts';
import { orStorageRefusal } from '../files/service.incoming.ts';
import { readFirm } from '../firm/service.ts';
import type { ImportRow } from './rules.ts';
import * as store from './store.ts';

const FILES_AT_ONCE = 500;
const OUTSIDE = 'Please name a folder below IMPORT_DIR, without links';

export type Place = { dir: string | null; uploads: readonly store.Upload[] };

/** The real path of a folder below IMPORT_DIR. @throws Refusal notConfigured, invalidInput */
export async function requireFolder({ config }: Context, dir: string): Promise<string> {
  const { importDir } = config;
  if (importDir === undefined)
    throw new Refusal('notConfigured', 'Folders of the server can’t be imported yet.', {
      steps: 'Set IMPORT_DIR.',
    });
  const root = await realpath(importDir).catch(() => undefined);
  if (root === undefined || dir.includes('\0')) throw invalidField('dir', OUTSIDE);
  const wanted = path.resolve(root, path.relative(importDir, path.resolve(importDir, dir)));
  const below = path.relative(root, wanted);
  const real = await realpath(wanted).catch(() => undefined);
  const isBelow = !below.startsWith('..') && !path.isAbsolute(below);
  if (!isBelow || real !== wanted || !(await stat(real)).isDirectory())
    throw invalidField('dir', OUTSIDE);
  return real;
}

/** @throws UnreadableExport */
export function openSources(context: Context, { dir, uploads }: Place): Promise<SourceFile[]> {
  if (dir !== null) return openFolder(dir);
  return expandArchives(
    uploads.map(({ path: name, size, sha256, key }) => ({
      path: name,
      size,
      mark: `SHA-256 ${sha256.toString('hex')}`,
      open: () => orStorageRefusal(context.blobs.read(key)),
      openAt: (start, end) => orStorageRefusal(context.blobs.read(key, { start, end: end - 1 })),
    })),
  );
}

/** Maps what is wrong with an export to a refusal. */
export async function orUnreadableRefusal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UnreadableExport) throw invalidField('files', error.message);
    throw error;
  }
}

export type Opened = {
  files: readonly SourceFile[];
  /** The firm's, for times of calendars without a zone. */
  timeZone: string;
};

export async function openImport(context: Context, row: ImportRow): Promise<Opened> {
  const uploads = row.dir === null ? await store.listUploads(context.db, row.id) : [];
  const files = await openSources(context, { dir: row.dir, uploads });
  const { timeZone } = await readFirm(context);
  return { files, timeZone };
}

export type PlacedRow = { n: number; row: SourceRow | BadRow };

/** Rows of a kind in the order of its files. @param after the row that was done */
export async function* rowsOf(
  context: Context,
  { opened, row, kind }: { opened: Opened; row: ImportRow; kind: ImportKind },
  after?: { n: number; row: number },
): AsyncGenerator<PlacedRow> {
  const of = { importId: row.id, kind };
  for (let from = after?.n ?? 0; ;) {
    const files = await store.listFilesOf(context.db, of, { from, limit: FILES_AT_ONCE });
    for (const file of files) {
      const done = after?.n === file.n ? after.row : undefined;
      for await (const each of rowsOfFile(opened, row, { file, done })) yield each;
    }
    if (files.length < FILES_AT_ONCE) return;
    from = (files.at(-1)?.n ?? 0) + 1;
  }
}

async function* rowsOfFile(
  { files, timeZone }: Opened,
  row: ImportRow,
  { file, done }: { file: store.NumberedFile; done: number | undefined },
): AsyncGenerator<PlacedRow> {
  const asked = {
    profile: profileOf(row.profile),
    mapping: row.mapping,
    files,
    file,
    timeZone,
    ...(done !== undefined && { after: done }),
  };
  for await (const each of readRows(asked)) yield { n: file.n, row: each };
}
