import { useEffect, useState } from 'react';
import type { Cited } from '../../../ui/highlight.ts';
import { readText } from '../api.ts';
import { markOnPage } from '../rules.ts';
import type { Shown } from '../rules.shown.ts';

const NONE: ReadonlyMap<number, Cited> = new Map();

/** The cited passage on each page that it stands on. Nothing where it cannot be read. */
export function useCited({ caseId, folder, name, page, passage, sentence }: Shown) {
  const [cited, setCited] = useState(NONE);
  useEffect(() => {
    if (!passage || page === undefined) return undefined;
    const stop = new AbortController();
    const read = async () => {
      const found = new Map<number, Cited>();
      let [number, last] = [page, page];
      for (; number <= last; number += 1) {
        const text = await readText({ caseId, folder, name }, number, stop.signal);
        const part = markOnPage(passage, text);
        if (part)
          found.set(number, {
            text: text.text,
            passage: part,
            sentence: sentence ? markOnPage(sentence, text) : null,
          });
        if (passage.end > text.start + text.text.length && number < text.pages) last = number + 1;
      }
      setCited(found);
    };
    // The document stands without its mark, and the switch to its text is at hand.
    read().catch(() => undefined);
    return () => stop.abort();
  }, [caseId, folder, name, page, passage, sentence]);
  return cited;
}
