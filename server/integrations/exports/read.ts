// Reads the rows of a file, by field.

import { importFields, type ImportMapping } from '@matterdesk/contract/imports.ts';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { readEvents } from './calendars.ts';
import { readCards } from './cards.ts';
import { readMail, readMailbox } from './mails.ts';
import { isOfPack, readPack } from './pack.ts';
import type { Profile } from './profiles.ts';
import { isShortened, placeOf, columnsOf, endingOf, patternOf } from './recognize.ts';
import {
  type BadRow,
  type RecognizedFile,
  type SourceFile,
  type SourceRow,
  UnreadableExport,
} from './source.ts';
import { filePathOf, isTable, readTable, type TableRow } from './tables.ts';

type ReadRequest = {
  profile: Profile;
  mapping: ImportMapping;
  /** All files of the export: rows name others, and folders are read beside each other. */
  files: readonly SourceFile[];
  file: RecognizedFile;
  /** The row that was done; those up to it are skipped. */
  after?: number;
  /** Zone for calendar times that name none. */
  timeZone: string;
};

/** Rows in the order of the file, read while they are asked for. What cannot be read is a row, too. */
export async function* readRows(asked: ReadRequest): AsyncGenerator<SourceRow | BadRow> {
  const { files, file, after = 0 } = asked;
  const source = findFile(files, filePathOf(file.path));
  const bad = { file: file.path, row: null, column: null };
  if (file.kind === null) return;
  if (!source) {
    yield { ...bad, message: 'The file is not in the export any more' };
    return;
  }
  try {
    for await (const row of rowsOf(asked, source))
      if (row.row === null || row.row > after) yield row;
  } catch (error) {
    const message = reasonOf(error);
    if (message === undefined) throw error;
    yield { ...bad, message };
  }
}

/** Undefined for a failure that may pass, such as that of a network. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof UnreadableExport) return error.message;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (/^(?:ENOENT|EACCES|EPERM|ELOOP|EISDIR)$/.test(code)) return 'The file can’t be opened';
  const isDamaged = code.startsWith('Z_') || /^too (?:many|few) bytes in the stream/.test(message);
  return isDamaged ? 'The file is damaged in its zip' : undefined;
}

async function* rowsOf(asked: ReadRequest, source: SourceFile): AsyncGenerator<SourceRow | BadRow> {
  const { profile, files, file } = asked;
  if (profile.key === 'matterdesk' && isOfPack(source.path)) yield* readPack(files, source, file);
  else if (isTable(source.path) && file.kind !== 'documents') yield* readTableRows(asked, source);
  else if (file.headers.length > 0) yield* readTableRows(asked, source);
  else yield* readItems(asked, source);
}

/** Rows of files that are no tables, in the matter whose folder they are in. */
async function* readItems(
  { files, file, after = 0, timeZone }: ReadRequest,
  source: SourceFile,
): AsyncGenerator<SourceRow | BadRow> {
  const place = placeOf(source.path, files);
  const { matter, matterName } = place ?? {};
  const named = { ...(matter && { matter }), ...(matterName && { matterName }) };
  if (file.kind === 'documents') {
    const { folder, name = source.path } = place ?? {};
    const cells = { ...named, ...(folder && { folder }), name, path: source.path };
    const rest = place && isShortened(place) ? { Path: source.path } : {};
    yield { file: file.path, row: 1, cells, rest, bytes: source } satisfies SourceRow;
    return;
  }
  if (file.kind === 'contacts') {
    yield* readCards(source);
    return;
  }
  const today = new Date().toISOString().slice(0, 10);
  const rows =
    file.kind === 'events'
      ? readEvents(source, { timeZone, today })
      : endingOf(source.path) === 'eml'
        ? readMail(source)
        : readMailbox(source, after);
  for await (const row of rows)
    yield 'cells' in row ? { ...row, cells: { ...named, ...row.cells } } : row;
}

async function* readTableRows(
  asked: ReadRequest,
  source: SourceFile,
): AsyncGenerator<SourceRow | BadRow> {
  let place: ((row: TableRow) => SourceRow | BadRow) | undefined;
  for await (const line of readTable(source, asked.file.path)) {
    if ('headers' in line) place = rowReader(asked, line.headers);
    else if ('message' in line) yield line;
    else if (place) yield place(line);
  }
}

type Columns = {
  /** Fields by header. */
  fields: Map<string, string[]>;
  /** Values that every row has. */
  fixed: Record<string, string>;
};

function columnsIn({ profile, mapping, file }: ReadRequest, headers: readonly string[]): Columns {
  const { kind } = file;
  if (kind === null) throw new Error('no kind');
  const mapped = mapping[kind] ?? {};
  const proposed = columnsOf(profile, kind, headers);
  const fields = new Map<string, string[]>();
  const given = patternOf(profile, file.path)?.values ?? {};
  const fixed: Record<string, string> = { ...given };
  for (const { key } of importFields[kind]) {
    const column = mapped[key];
    if (column === null || key in given) continue;
    if (typeof column === 'object') {
      fixed[key] = column.value;
      continue;
    }
    // Several files of a kind may name the same thing in different ways.
    const isHere = column !== undefined && headers.includes(column);
    const header = isHere ? column : proposed[key];
    if (header !== undefined) fields.set(header, [...(fields.get(header) ?? []), key]);
  }
  return { fields, fixed };
}

/** @returns a function that gives the cells of a row to their fields */
function rowReader(asked: ReadRequest, headers: readonly string[]) {
  const { profile, files, file } = asked;
  const { fields, fixed } = columnsIn(asked, headers);
  const { prefixes = {} } = patternOf(profile, file.path) ?? {};
  const above = profile.perMatter ? placeOf(file.path, files) : undefined;
  const isDocuments = file.kind === 'documents';
  return ({ row, cells: values }: TableRow): SourceRow | BadRow => {
    const cells: Record<string, string> = { ...fixed };
    const rest: Record<string, string> = {};
    for (const [index, header] of headers.entries()) {
      const value = values[index] ?? '';
      if (value === '') continue;
      const keys = fields.get(header);
      if (!keys) rest[header] = value;
      for (const key of keys ?? []) cells[key] = value;
    }
    for (const [key, words] of Object.entries(prefixes))
      if (cells[key] !== undefined) cells[key] = words + cells[key];
    if (above && cells['matter'] === undefined && cells['matterName'] === undefined) {
      if (above.matter !== undefined) cells['matter'] = above.matter;
      if (above.matterName !== undefined) cells['matterName'] = above.matterName;
    }
    const made = { file: file.path, row, cells, rest };
    if (!isDocuments) return made;
    const column = [...fields].find(([, keys]) => keys.includes('path'))?.[0] ?? null;
    return withBytes(made, { files, column });
  };
}

function withBytes(
  row: SourceRow,
  { files, column }: { files: readonly SourceFile[]; column: string | null },
): SourceRow | BadRow {
  const { path = '' } = row.cells;
  const found = findNamed(files, row.file, path);
  const bad = { file: row.file, row: row.row, column };
  if (path === '') return { ...bad, message: 'The row names no file' };
  if (found === 'several') return { ...bad, message: `Several files are called ${path}` };
  if (!found) return { ...bad, message: `${path} is not in the export` };
  const name = row.cells['name'] ?? found.path.split('/').at(-1) ?? '';
  const cells = { ...row.cells, name, path: found.path };
  return { ...row, cells, bytes: found };
}

// Files of an export by their path, and by what the rows of a table call them.

const indexes = new WeakMap<readonly SourceFile[], Map<string, SourceFile[]>>();

function indexOf(files: readonly SourceFile[]): Map<string, SourceFile[]> {
  let index = indexes.get(files);
  if (!index) {
    index = Map.groupBy(files, ({ path }) => segmentsOf(path).at(-1) ?? '');
    indexes.set(files, index);
  }
  return index;
}

/** Without regard to case, and to the drive or the folder that the export was made in. */
function segmentsOf(path: string): string[] {
  const parts = normalized(path.slice(0, 4000)).toLowerCase().split(/[/\\]/);
  return parts.filter((part) => part !== '' && part !== '.' && part !== '..');
}

const paths = new WeakMap<readonly SourceFile[], Map<string, SourceFile>>();

function findFile(files: readonly SourceFile[], path: string): SourceFile | undefined {
  let byPath = paths.get(files);
  if (!byPath) {
    byPath = new Map(files.map((file) => [file.path, file]));
    paths.set(files, byPath);
  }
  return byPath.get(path);
}

/** The file whose path ends most like a name; beside the table, where several do. */
function findNamed(
  files: readonly SourceFile[],
  tablePath: string,
  name: string,
): SourceFile | 'several' | undefined {
  const wanted = segmentsOf(name);
  const last = wanted.at(-1);
  if (last === undefined) return undefined;
  let best: SourceFile[] = [];
  let most = 0;
  for (const file of indexOf(files).get(last) ?? []) {
    const count = commonEnd(segmentsOf(file.path), wanted);
    if (count > most) [best, most] = [[], count];
    if (count === most) best.push(file);
  }
  if (best.length < 2) return best[0];
  const folder = tablePath.slice(0, tablePath.lastIndexOf('/') + 1);
  const beside = best.filter(
    ({ path }) => segmentsOf(folder + name).join('/') === segmentsOf(path).join('/'),
  );
  return beside.length === 1 ? beside[0] : 'several';
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a.at(-1 - count) === b.at(-1 - count)) count += 1;
  return count;
}
