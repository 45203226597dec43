// Folders of documents: which matter each file belongs to, by the names of the folders above it.

import type { SourceFile } from './row.ts';

/** A matter as a folder names it. */
export type Named = { matter?: string; matterName?: string };
export type Placed = Named & {
  /** Folders below the matter's, in one name: 'Medical – Mercy'. */
  folder?: string;
  name: string;
};

/** Characters of a folder's name here. */
const FOLDER_MAX = 200;
const NUMBER_MAX = 40;
/** Folders that sort matters, above theirs. */
const SHELF =
  /^(?:clio|mycase|smokeball|filevine|exports?|data|documents?|files?|matters?|cases?|clients?|open|closed|active|archived?|inactive|[a-z](?:\s?[-–]\s?[a-z])?|(?:19|20)\d\d)$/i;
const NUMBER = /^(?=[^\d]*\d)[\p{L}\d][\p{L}\d./:_-]*$/u;

/** The matter and the folder of a file; undefined for a file that lies in no matter's folder. */
export function placeOf(path: string, files: readonly SourceFile[]): Placed | undefined {
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
export function isCut({ folder = '' }: Placed): boolean {
  return folder.endsWith('…');
}

function shortened(folder: string): string {
  if (folder.length <= FOLDER_MAX) return folder;
  return `${folder
    .slice(0, FOLDER_MAX - 1)
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
export function namedBy(folder: string): Named {
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
  return word !== undefined && word.length <= NUMBER_MAX && NUMBER.test(word);
}
