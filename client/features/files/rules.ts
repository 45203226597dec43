/** A size as a person says it. */
export function sizeInWords(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size.toLocaleString(undefined, { maximumFractionDigits: unit === 0 ? 0 : 1 })} ${units[unit]}`;
}

/** '31 pages', or nothing while that is not known. */
export function pagesInWords(pages: number | null): string {
  if (pages === null) return '';
  return pages === 1 ? '1 page' : `${pages.toLocaleString()} pages`;
}

/** Cuts a text around a marked part of it, in offsets of the text; out of bounds is no mark. */
export function cutAround(text: string, mark: { start: number; end: number } | null) {
  if (!mark || mark.start < 0 || mark.end > text.length || mark.start >= mark.end)
    return { before: text, marked: '', after: '' };
  return {
    before: text.slice(0, mark.start),
    marked: text.slice(mark.start, mark.end),
    after: text.slice(mark.end),
  };
}
