import type { Citation } from '@matterdesk/contract/ai.ts';

type Page = { documentId: string; page: number; start: number; text: string };
type Place = { documentId: string; start: number; end: number };

/**
 * The text between two offsets of a document.
 * @param pages in order
 * @returns undefined when the pages do not contain all of it
 */
export function textAt(pages: readonly Page[], { documentId, start, end }: Place) {
  let text = '';
  for (const page of pages) {
    if (page.documentId !== documentId) continue;
    const from = start + text.length - page.start;
    if (from < 0 || from > page.text.length || text.length >= end - start) continue;
    text += page.text.slice(from, end - page.start);
  }
  return text.length === end - start && text !== '' ? text : undefined;
}

export function isVerbatim(pages: readonly Page[], documentId: string, citation: Citation) {
  const { start, end, quote, sentence } = citation;
  const isInside = sentence.start >= start && sentence.end <= end && sentence.start < sentence.end;
  return isInside && textAt(pages, { documentId, start, end }) === quote;
}
