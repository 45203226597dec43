import { normalized } from '@matterdesk/contract/normalization.ts';
import { isSystemFile } from '../../core/system-file.ts';

/** A file and its directories, outermost first. */
export type DroppedFile = { file: File; way: readonly string[] };

/** Dropped or chosen files, including those in directories. */
export type DroppedFiles = {
  found: DroppedFile[];
  /** The number of system files left out. */
  leftOut: number;
  unreadable: number;
};

/** Files for a folder of the case; `folder` is null until chosen. */
export type FolderBatch = { folder: string | null; files: readonly File[] };

/** Maximum files per upload. */
export const MAX_ADDED = 2000;
/** Maximum depth of directories. */
export const MAX_DEPTH = 20;
/** Maximum files uploaded without asking. */
const MAX_WITHOUT_ASKING = 25;
const MAX_FOLDER_LENGTH = 200;

export const nothingDropped = (): DroppedFiles => ({ found: [], leftOut: 0, unreadable: 0 });

/** The files of a chosen directory, whose paths look like 'Discovery/Photos/1.jpg'. */
export function filesOfDirectory(files: readonly File[]): DroppedFiles {
  const ours = files.filter(
    ({ name, webkitRelativePath }) => ![name, ...webkitRelativePath.split('/')].some(isSystemFile),
  );
  const found = ours.map((file) => ({
    file,
    way: file.webkitRelativePath.split('/').slice(0, -1),
  }));
  return { ...nothingDropped(), found, leftOut: files.length - ours.length };
}

/**
 * Assigns files to folders, which are flat: files of Discovery/Photos go to 'Discovery - Photos'.
 * @param target the folder they were dropped on
 * @param known the existing folders, compared ignoring case
 */
export function toFolderBatches(
  found: readonly DroppedFile[],
  { target, known }: { target: string | null; known: readonly string[] },
): FolderBatch[] {
  const names = new Map(known.map((name) => [keyOf(name), name]));
  const batches = new Map<string | null, File[]>();
  for (const { file, way } of found) {
    const wanted = [...(target === null ? [] : [target]), ...way.map(cleanFolderName)].join(' - ');
    const name = wanted.slice(0, MAX_FOLDER_LENGTH).trim();
    const folder = name === '' ? null : (names.get(keyOf(name)) ?? name);
    if (folder !== null) names.set(keyOf(folder), folder);
    const files = batches.get(folder);
    if (files) files.push(file);
    else batches.set(folder, [file]);
  }
  // Directories are read in no particular order.
  return [...batches]
    .map(([folder, files]) => ({
      folder,
      files: files.toSorted((a, b) => byName.compare(a.name, b.name)),
    }))
    .toSorted((a, b) => byName.compare(a.folder ?? '', b.folder ?? ''));
}

/** Whether the result is obvious enough not to ask. */
export function isObvious(batches: readonly FolderBatch[], target: string | null): boolean {
  const [first, ...more] = batches;
  return (
    first !== undefined &&
    more.length === 0 &&
    first.folder === target &&
    target !== null &&
    first.files.length <= MAX_WITHOUT_ASKING
  );
}

const byName = new Intl.Collator(undefined, { numeric: true });

function keyOf(name: string): string {
  return normalized(name).toLowerCase();
}

/** Replaces characters that folder names cannot have. */
function cleanFolderName(name: string): string {
  return name.replaceAll(/[/\\\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, ' ').trim() || 'Folder';
}
