import { readFileSync } from 'node:fs';
import { normalized } from '@matterdesk/contract/normalization.ts';

const FILE = 'vocabulary.txt';

/** Parses `vocabulary.txt`, which describes its own sections. @throws Error that quotes a bad line */
export function parseVocabulary(text: string) {
  const sections = new Map<string, string[]>();
  for (const section of text.replaceAll(/^(#.*)?\n/gm, '').split(/^(?=\[[a-z ]+\]$)/m)) {
    const [name = '', ...lines] = section.trimEnd().split('\n');
    sections.set(name, lines);
  }
  const linesOf = (name: string) => {
    const lines = sections.get(`[${name}]`);
    if (!lines) throw new Error(`${FILE} has no section [${name}]`);
    return lines;
  };
  const wordsOf = (name: string) => new Set(linesOf(name).flatMap((line) => line.split(' ')));
  return {
    stop: wordsOf('stop words'),
    asking: wordsOf('asking words'),
    frontPage: linesOf('front page').map((pattern) => new RegExp(pattern, 'i')),
    hints: linesOf('answered in other words').map(parseHint),
  };
}

function parseHint(line: string) {
  const [speaksOf, words, ...rest] = line.split(' => ');
  if (!speaksOf || !words || rest.length > 0)
    throw new Error(`${FILE} takes <regular expression> => <words>, not ${line}`);
  return { speaksOf: new RegExp(`\\b(?:${speaksOf})`), words: words.split(' ') };
}

export const vocabulary = parseVocabulary(readFileSync(new URL(FILE, import.meta.url), 'utf8'));

/** Words that documents use to answer what a question asks in other words. */
export function hintsFor(question: string): string[] {
  const text = normalized(question, 'NFKC').toLowerCase();
  return vocabulary.hints.flatMap(({ speaksOf, words }) => (speaksOf.test(text) ? words : []));
}
