// Files of an import, from uploads or from a folder, and their rows.

import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ImportKind } from '@matterdesk/contract/imports.ts';
import type { Context } from '../../context.ts';
import { invalidField, Refusal } from '../../core/refusal.ts';
import { formOf } from '../../integrations/exports/dates.ts';
import { openFolder, expandArchives } from '../../integrations/exports/files.ts';
import { profileOf } from '../../integrations/exports/profiles.ts';
import { readRows } from '../../integrations/exports/read.ts';
import {
  type BadRow,
  type SourceFile,
  type SourceRow,
  UnreadableExport,
  isBadRow,
} from '../../integrations/exports/source.ts';
import { listEveryone } from '../accounts/service.imports.ts';
import { orStorageRefusal } from '../files/service.incoming.ts';
import { readFirm } from '../firm/service.ts';
import * as rules from './rules.ts';
import type { ImportRow, Tables } from './rules.ts';
import * as store from './store.ts';

const FILES_AT_ONCE = 500;
const OUTSIDE = 'Please name a folder below IMPORT_DIR, without links';

type Place = { dir: string | null; uploads: readonly store.Upload[] };

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

export type OpenedExport = {
  files: readonly SourceFile[];
  /** The firm's, for times of calendars without a zone. */
  timeZone: string;
};

export async function openImport(context: Context, row: ImportRow): Promise<OpenedExport> {
  const uploads = row.dir === null ? await store.listUploads(context.db, row.id) : [];
  const files = await openSources(context, { dir: row.dir, uploads });
  const { timeZone } = await readFirm(context);
  return { files, timeZone };
}

export type PlacedRow = { n: number; row: SourceRow | BadRow };

/** Rows of a kind in the order of its files. @param after the row that was done */
export async function* rowsOf(
  context: Context,
  { opened, row, kind }: { opened: OpenedExport; row: ImportRow; kind: ImportKind },
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
  { files, timeZone }: OpenedExport,
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

// Words of an export that tables translate: found in its rows, with what they mean where that is known.

/** Milliseconds that a request may read rows; a dry run finds the words of the others. */
const READ_TIMEOUT_MS = 8000;
const MAX_DATES = 500;

type CollectedWords = { tables: Tables; dates: ImportRow['dates'] };

/** Collects the words of rows, with their meanings. */
export class WordCollector {
  readonly #tables: Tables;
  readonly #status: (word: string) => string | null;
  readonly #type: (word: string) => string | null;
  readonly #person: (word: string) => { id: string } | null;

  private constructor(tables: Tables, row: Pick<ImportRow, 'profile'>, everyone: FirmUsers) {
    const profile = profileOf(row.profile);
    this.#tables = tables;
    this.#status = rules.meaningOf(profile.tables.status, rules.ourStatuses);
    this.#type = rules.meaningOf(profile.tables.type, rules.ourTypes);
    this.#person = rules.peopleFinder(everyone.filter(({ active }) => active));
  }

  /** @param tables are added to */
  static async of(
    context: Context,
    tables: Tables,
    row: Pick<ImportRow, 'profile'>,
  ): Promise<WordCollector> {
    return new WordCollector(tables, row, await listEveryone(context));
  }

  /** @returns whether any word is new */
  add(kind: ImportKind, row: SourceRow): boolean {
    const { status, type, people } = rules.wordsOf(kind, row);
    const table = this.#tables as Record<keyof Tables, Record<string, string | null>>;
    const added = [
      ...status.map((word) => rules.addWord(table.status, word, () => this.#status(word))),
      ...type.map((word) => rules.addWord(table.type, word, () => this.#type(word))),
      ...people.map((word) =>
        rules.addWord(table.people, word, () => this.#person(word)?.id ?? null),
      ),
    ];
    return added.includes(true);
  }
}
type FirmUsers = Awaited<ReturnType<typeof listEveryone>>;

/** Reads rows for a while, for their words and for the order of their dates. */
export async function collectWords(
  context: Context,
  opened: OpenedExport,
  row: ImportRow,
): Promise<CollectedWords> {
  const { status, type, people } = row.tables;
  const tables = { status: { ...status }, type: { ...type }, people: { ...people } };
  const words = await WordCollector.of(context, tables, row);
  const dates: string[] = [];
  const until = performance.now() + READ_TIMEOUT_MS;
  for (const kind of rules.wordedKinds)
    for await (const { row: each } of rowsOf(context, { opened, row, kind })) {
      if (performance.now() > until) break;
      if (isBadRow(each)) continue;
      words.add(kind, each);
      if (dates.length < MAX_DATES) dates.push(...rules.datesOf(kind, each));
    }
  return { tables, dates: dates.length > 0 ? formOf(dates) : row.dates };
}
