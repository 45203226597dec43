import { useRef, useState } from 'react';
import { findWords } from '../../../ui/find-words.ts';
import type { Pdf } from './use-pdf.ts';

/** A match: its page, and its index on the page. */
export type Hit = { page: number; turn: number };

/** Searches all pages of a PDF from the one in view, wrapping around. */
export function useFind({ document, watch }: Pdf, at: number, go: (page: number) => void) {
  const [words, setWords] = useState('');
  const [hit, setHit] = useState<Hit | null>(null);
  const [state, setState] = useState<'idle' | 'busy' | 'missing'>('idle');
  const texts = useRef(new Map<number, string>());
  const search = useRef(0);
  const type = (wanted: string) => {
    search.current += 1;
    setWords(wanted);
    setHit(null);
    setState('idle');
  };
  const countOn = async (page: number) => {
    const text = texts.current.get(page) ?? (await watch.over(readWords(document, page)));
    texts.current.set(page, text);
    return findWords(text, words).length;
  };
  const step = async (by: 1 | -1) => {
    const mine = (search.current += 1);
    if (words.trim() === '') return;
    setState('busy');
    let page = hit?.page ?? at;
    let turn = hit ? hit.turn + by : null;
    for (let looked = 0; looked <= document.numPages; looked += 1) {
      const count = await countOn(page);
      if (mine !== search.current) return;
      turn ??= by === 1 ? 0 : count - 1;
      if (turn >= 0 && turn < count) {
        setHit({ page, turn });
        setState('idle');
        go(page);
        return;
      }
      turn = null;
      page = ((page - 1 + by + document.numPages) % document.numPages) + 1;
    }
    setState('missing');
  };
  return { words, type, hit, state, step };
}

/** The text as in the page's text layer: lines separated by one character. */
async function readWords(document: Pdf['document'], number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
}
