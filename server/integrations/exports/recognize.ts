// Recognizes the files of an export and their columns.

import {
  type ImportField,
  importFields,
  type ImportKind,
  importKinds,
  type ImportMapping,
} from '@matterdesk/contract/imports.ts';
import { recognizePack } from './pack.ts';
import { type Profile, profileOf } from './profiles.ts';
import type { RecognizedExport, RecognizedFile, SourceFile } from './source.ts';
import { filePathOf, isTable, readHeaders } from './tables.ts';

const BY_ENDING: Record<string, ImportKind> = {
  vcf: 'contacts',
  ics: 'events',
  eml: 'mails',
  mbox: 'mails',
  mbx: 'mails',
};

/** Every column of every table is proposed for the field that it seems to mean. */
export async function recognize(
  profile: Profile,
  files: readonly SourceFile[],
): Promise<RecognizedExport> {
  if (profile.key === 'matterdesk') {
    const packed = recognizePack(files);
    if (packed.length > 0) return { files: packed, mapping: {} };
  }
  const tables: RecognizedFile[] = [];
  for (const file of files) tables.push(...(await recognizeTables(profile, file)));
  // Documents that are listed have their matters in the list.
  const areListed = tables.some(({ kind }) => kind === 'documents');
  const known = new Set(tables.map(({ path }) => filePathOf(path)));
  const items = files.filter(({ path }) => !known.has(path));
  const found = [...tables, ...items.map((file) => recognizeItem(file, { files, areListed }))];
  const mapping: ImportMapping = {};
  for (const { kind, headers } of found)
    if (kind !== null && headers.length > 0)
      mapping[kind] = { ...columnsOf(profile, kind, headers), ...mapping[kind] };
  return { files: found.toSorted((a, b) => (a.path < b.path ? -1 : 1)), mapping };
}

/** A table in a matter's folder is one of its documents, unless the other system keeps tables of its own there. */
function isLoose({ key, perMatter }: Profile, path: string): boolean {
  return !perMatter && (key === 'folders' ? path.includes('/') : path.split('/').length > 2);
}

async function recognizeTables(profile: Profile, file: SourceFile): Promise<RecognizedFile[]> {
  if (!isTable(file.path) || isLoose(profile, file.path)) return [];
  const { size } = file;
  const tables = (await readHeaders(file)).map(({ path, headers }) => {
    const pattern = patternOf(profile, path);
    const kind = pattern ? pattern.kind : kindOfTable(profile, path, headers);
    return { path, size, kind, headers };
  });
  const isKnown = tables.some(({ path, kind }) => kind !== null || patternOf(profile, path));
  return isKnown || !file.path.includes('/') ? tables : [];
}

export function patternOf(profile: Profile, path: string): Profile['patterns'][number] | undefined {
  return profile.patterns.find(({ match }) => match.test(path));
}

function recognizeItem(
  { path, size }: SourceFile,
  { files, areListed }: { files: readonly SourceFile[]; areListed: boolean },
): RecognizedFile {
  const known = BY_ENDING[endingOf(path)] ?? (/^mbox$/i.test(nameOf(path)) ? 'mails' : null);
  const isDocument = !areListed && placeOf(path, files) !== undefined;
  return { path, size, kind: known ?? (isDocument ? 'documents' : null), headers: [] };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function endingOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** Names of tables that list users; by their headers they may as well be clients. */
const STAFF = /(?:staff|users?|employees?|attorneys|lawyers|paralegals|timekeepers|people|team)\b/i;

/** Words in the names or headers of tables; any list of days and matters, such as one of expenses, has their other columns. */
const SIGNS: Partial<Record<ImportKind, RegExp>> = {
  calls: /calls?\b|phone|direction|incoming|in\/out/i,
  mails: /mail|message.?id|path/i,
};

/** The kind to which most headers belong. */
function kindOfTable(
  profile: Profile,
  path: string,
  headers: readonly string[],
): ImportKind | null {
  let best: { kind: ImportKind; count: number } | undefined;
  for (const kind of importKinds) {
    if (kind === 'people' && !STAFF.test(path)) continue;
    if (SIGNS[kind]?.test(`${path} ${headers.join(' ')}`) === false) continue;
    const columns = columnsOf(profile, kind, headers);
    const count = Object.keys(columns).length;
    if (neededOf(kind).some((fields) => !fields.some((field) => field in columns))) continue;
    // Other tables name their matters, too; a matter by its name alone cannot come in.
    if (kind === 'matters' && count < 2) continue;
    if (!best || count > best.count) best = { kind, count };
  }
  return best?.kind ?? null;
}

/** Alternative fields of a kind, at least one of which must be known, by what they give. */
function neededOf(kind: ImportKind): string[][] {
  const needed = new Map<string, string[]>();
  for (const { key, needed: what } of importFields[kind])
    if (what !== undefined) needed.set(what, [...(needed.get(what) ?? []), key]);
  return [...needed.values()];
}

/** Headers by field: as the other system calls them, as they are called here, and as people call them. */
export function columnsOf(
  profile: Profile,
  kind: ImportKind,
  headers: readonly string[],
): Record<string, string> {
  const byKey = new Map(headers.toReversed().map((header) => [keyOf(header), header]));
  const common = profileOf('spreadsheet').aliases[kind] ?? {};
  const own = profile.aliases[kind] ?? {};
  const columns: Record<string, string> = {};
  const taken = new Set<string>();
  for (const namesOf of [
    ({ key }: ImportField) => own[key] ?? [],
    ({ key, label }: ImportField) => [key, label],
    ({ key }: ImportField) => common[key] ?? [],
  ])
    for (const field of importFields[kind]) {
      const found = namesOf(field).map((name) => byKey.get(keyOf(name)));
      const header = found.find((one) => one !== undefined && !taken.has(one));
      if (header === undefined || field.key in columns) continue;
      taken.add(header);
      columns[field.key] = header;
    }
  return columns;
}

function keyOf(header: string): string {
  return header.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Fields that have to be mapped before an import can run. */
export function missingFields(
  mapping: ImportMapping,
  files: readonly RecognizedFile[],
): { kind: ImportKind; needed: string }[] {
  return importKinds.flatMap((kind) => {
    const isTabular = files.some((file) => file.kind === kind && file.headers.length > 0);
    if (!isTabular) return [];
    const mapped = mapping[kind] ?? {};
    const groups = Map.groupBy(importFields[kind], ({ needed }) => needed);
    return [...groups].flatMap(([needed, fields]) =>
      needed === undefined || fields.some(({ key }) => (mapped[key] ?? null) !== null)
        ? []
        : [{ kind, needed }],
    );
  });
}

// Folders of documents: which matter each file belongs to, by the names of the folders above it.

/** A matter as a folder names it. */
type FolderNames = { matter?: string; matterName?: string };
type FilePlacement = FolderNames & {
  /** Folders below the matter's, in one name: 'Medical – Mercy'. */
  folder?: string;
  name: string;
};

/** Characters of a folder's name here. */
const MAX_FOLDER_LENGTH = 200;
const MAX_NUMBER_LENGTH = 40;
/** Folders that sort matters, above theirs. */
const SHELF =
  /^(?:clio|mycase|smokeball|filevine|exports?|data|documents?|files?|matters?|cases?|clients?|open|closed|active|archived?|inactive|[a-z](?:\s?[-–]\s?[a-z])?|(?:19|20)\d\d)$/i;
const NUMBER = /^(?=[^\d]*\d)[\p{L}\d][\p{L}\d./:_-]*$/u;

/** The matter and the folder of a file; undefined for a file that lies in no matter's folder. */
export function placeOf(path: string, files: readonly SourceFile[]): FilePlacement | undefined {
  const segments = path.split('/');
  const name = segments.pop() ?? '';
  const root = rootOf(files);
  const below = root !== undefined && segments[0] === root ? segments.slice(1) : segments;
  const start = below.findIndex((segment) => !SHELF.test(segment.trim()));
  const [matter, ...folders] = start === -1 ? [] : below.slice(start);
  if (matter === undefined) return undefined;
  const folder = folders.map((segment) => segment.trim()).join(' – ');
  return {
    ...namedBy(matter),
    ...(folder !== '' && { folder: shortened(folder) }),
    name,
  };
}

/** True for a folder whose names had to be cut. */
export function isShortened({ folder = '' }: FilePlacement): boolean {
  return folder.endsWith('…');
}

function shortened(folder: string): string {
  if (folder.length <= MAX_FOLDER_LENGTH) return folder;
  return `${folder
    .slice(0, MAX_FOLDER_LENGTH - 1)
    .replace(/\p{Cs}$/u, '')
    .trimEnd()}…`;
}

const roots = new WeakMap<readonly SourceFile[], string | undefined>();

/** The one folder that all matters' folders are in, such as that of the zip. */
function rootOf(files: readonly SourceFile[]): string | undefined {
  if (!roots.has(files)) roots.set(files, findRoot(files));
  return roots.get(files);
}

function findRoot(files: readonly SourceFile[]): string | undefined {
  const first = files[0]?.path.split('/')[0];
  const below = new Set<string>();
  for (const { path } of files) {
    const [root, folder, ...more] = path.split('/');
    if (root !== first || folder === undefined) return undefined;
    if (more.length > 0) below.add(folder);
  }
  if (first === undefined || namedBy(first).matter !== undefined) return undefined;
  const numbered = [...below].filter((folder) => {
    const { matter, matterName } = namedBy(folder);
    return matter !== undefined && matterName !== undefined;
  });
  return numbered.length > 0 && numbered.length >= below.size / 2 ? first : undefined;
}

const IN_BRACKETS = /^([^([{#]+)[([{#]\s*([^\s()[\]{}#]+)[)\]}]?$/;
/** Between words whose blanks are single. */
const SEPARATED = / [-–—_|] | ?[–—] ?/;
const NAME_THEN_NUMBER = /^([^\d]*[^\d\s-])(?: ?- ?| )((?:[A-Z]{1,4}-?)?\d[\d./-]*)$/u;
const NUMBER_THEN_NAME = /^((?:[A-Z]{1,4}-?)?\d[\d./-]*)(?: - |[ _-])([^\d\s_-].*)$/u;

/** 'Doe, Jane - 2024-17', '2024-17 Doe', 'Doe, Jane' or '2024-17'. */
export function namedBy(folder: string): FolderNames {
  const words = folder.replaceAll(/\s+/g, ' ').trim();
  const [, before, inner] = IN_BRACKETS.exec(words) ?? [];
  if (before !== undefined && isNumber(inner)) return { matter: inner, matterName: before.trim() };
  const parts = words.split(SEPARATED).filter((part) => part !== '');
  const [first = '', last = ''] = [parts.at(0), parts.at(-1)];
  if (parts.length > 1 && isNumber(last))
    return { matter: last, matterName: parts.slice(0, -1).join(' - ') };
  if (parts.length > 1 && isNumber(first))
    return { matter: first, matterName: parts.slice(1).join(' - ') };
  if (isNumber(words)) return { matter: words };
  const [, name, number] = NAME_THEN_NUMBER.exec(words) ?? [];
  if (name !== undefined && isNumber(number)) return { matter: number, matterName: name.trim() };
  const [, leading, following] = NUMBER_THEN_NAME.exec(words) ?? [];
  if (following !== undefined && isNumber(leading))
    return { matter: leading, matterName: following.trim() };
  return { matterName: words };
}

function isNumber(word: string | undefined): word is string {
  return word !== undefined && word.length <= MAX_NUMBER_LENGTH && NUMBER.test(word);
}
