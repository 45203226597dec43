import type { Mark, Page } from './messages.ts';

/** UTF-16 units after which pageless text is cut. */
const MAX_PAGE_LENGTH = 100_000;
/** UTF-16 units read from one document. */
export const MAX_TEXT_LENGTH = 60_000_000;

type Block = { text: string; level?: number | undefined; location?: string | undefined };

/** Assembles pageless text block by block and cuts it when it grows too long. */
export class PagelessText {
  readonly #parts: string[] = [];
  readonly #marks: Mark[] = [];
  #length = 0;
  isCut = false;

  /** @param gap between this block and the next */
  add({ text, level, location }: Block, gap = '\n\n'): void {
    const clean = cleanText(text).trimEnd();
    if (clean.trim() === '') return;
    if (this.#length + clean.length > MAX_TEXT_LENGTH) {
      this.isCut = true;
      return;
    }
    this.#marks.push({
      at: this.#length,
      ...(level !== undefined && { level }),
      ...(location !== undefined && { location }),
    });
    this.#parts.push(clean, gap);
    this.#length += clean.length + gap.length;
  }

  /** At least one. */
  pages(): Page[] {
    const text = this.#parts.join('');
    const pages: Page[] = [];
    let start = 0;
    do {
      let end = Math.min(start + MAX_PAGE_LENGTH, text.length);
      // The database refuses half of a surrogate pair.
      if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
      pages.push({
        page: pages.length + 1,
        text: text.slice(start, end),
        marks: [],
        isScanned: false,
      });
      start = end;
    } while (start < text.length);
    this.#spread(pages);
    return pages;
  }

  #spread(pages: Page[]) {
    let index = 0;
    let start = 0;
    for (const mark of this.#marks) {
      let page = pages[index];
      while (page && mark.at >= start + page.text.length && index < pages.length - 1) {
        start += page.text.length;
        index += 1;
        page = pages[index];
      }
      page?.marks.push({ ...mark, at: mark.at - start });
    }
  }
}

function isHighSurrogate(unit: number) {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Drops or replaces what the database refuses; line ends become \n. */
export function cleanText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replaceAll(/[^\P{Cc}\t\n\f]|\ufeff/gu, '')
    .toWellFormed();
}
