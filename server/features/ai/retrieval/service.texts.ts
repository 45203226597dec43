import type { Executor } from '../../../db/schema.ts';
import { textAt } from './rules.pages.ts';
import type { Passage } from './service.results.ts';
import * as store from './store.ts';

export type TextPassage = Passage & { text: string };

/** Reads the passages' texts from the documents' pages; drops passages that the pages do not contain. */
export async function readTexts(
  db: Executor,
  passages: readonly Passage[],
): Promise<TextPassage[]> {
  const pages = await store.readPages(db, passages);
  return passages.flatMap((passage) => {
    const text = textAt(pages, passage);
    return text === undefined ? [] : [{ ...passage, text }];
  });
}
