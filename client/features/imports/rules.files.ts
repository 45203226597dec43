import { isSystemFile } from '../../core/system-file.ts';
import { counted } from '../../core/words.ts';
import { sizeInWords } from '../../ui/size-in-words.ts';

/** Files that one upload has at most; the contract's. */
export const MAX_FILES = 100;

/** A chosen file by its path in the folder that it was chosen with. */
export function pathOf({ name, webkitRelativePath }: Pick<File, 'name' | 'webkitRelativePath'>) {
  return webkitRelativePath || name;
}

/** Files of a chosen folder that systems did not leave there. */
export function withoutSystemFiles(files: readonly File[]): File[] {
  return files.filter((file) => !pathOf(file).split('/').some(isSystemFile));
}

/** With more files; those of a path that is there already replace it. */
export function withFiles(before: readonly File[], more: readonly File[]): File[] {
  const paths = new Set(more.map(pathOf));
  return [...before.filter((file) => !paths.has(pathOf(file))), ...more];
}

/** '3 files · 1.2 MB' */
export function amountOf(files: readonly Pick<File, 'size'>[]): string {
  return `${counted(files.length, 'file')} · ${sizeInWords(sumOf(files))}`;
}

function sumOf(files: readonly Pick<File, 'size'>[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** Shares of each file that are sent, 0 to 1: files go one after another. */
export function sharesOf(files: readonly Pick<File, 'size'>[], share: number): number[] {
  let sent = share * sumOf(files);
  return files.map(({ size }) => {
    const own = size === 0 ? Number(share > 0) : Math.min(1, Math.max(0, sent / size));
    sent -= size;
    return own;
  });
}
