// Names and folders of documents, as the library of a matter takes them.

import path from 'node:path';
import { folderName } from '@matterdesk/contract/files.ts';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { isInvisible, withoutControlsInLine } from '@matterdesk/contract/text.ts';
import { fittingName } from '../../core/file-names.ts';

/** The folder that a matter's page proposes first. */
const FIRST_FOLDER = 'Documents';
/** Folders of a matter have no folders inside. */
const BETWEEN = ' – ';
const FOLDER_MAX = 200;

function cleaned(text: string): string {
  return withoutControlsInLine(normalized(text.toWellFormed())).trim();
}

function segmentsOf(text: string): string[] {
  return text
    .split(/[/\\]/)
    .map(cleaned)
    .filter((segment) => !isInvisible(segment) && segment !== '.' && segment !== '..');
}

/** 'Medical/Mercy' becomes 'Medical – Mercy'; of a long path, the end is kept. */
export function folderOf(text = ''): string {
  const flat = segmentsOf(text).join(BETWEEN);
  const short = flat.length <= FOLDER_MAX ? flat : `…${flat.slice(1 - FOLDER_MAX).toWellFormed()}`;
  const parsed = folderName.safeParse(short);
  return parsed.success ? parsed.data : FIRST_FOLDER;
}

/** The name that is given, with the extension of the file where it has none. */
export function nameOf(given: string | undefined, file: string): string {
  const own = segmentsOf(file).at(-1) ?? '';
  const named = segmentsOf((given ?? '').replaceAll(/[/\\]/g, '_')).at(-1) ?? own;
  const extension = path.extname(own);
  const hasOne = extension === '' || path.extname(named).toLowerCase() === extension.toLowerCase();
  const { name: stem, ext } = path.parse(hasOne ? named : `${named}${extension}`);
  return fittingName(stem, ext) || 'Document';
}
