import type { Executor } from '../../../db/schema.ts';
import { textAt } from './rules.pages.ts';
import type { Passage } from './service.results.ts';
import * as store from './store.ts';

/** A passage with its text. */
export type Read = Passage & { text: string };

/** Gives passages their text out of the document's pages; what the pages do not hold falls out. */
export async function readTexts(db: Executor, passages: readonly Passage[]): Promise<Read[]> {
  const pages = await store.readPages(db, passages);
  return passages.flatMap((passage) => {
    const text = textAt(pages, passage);
    return text === undefined ? [] : [{ ...passage, text }];
  });
}
