import type { Reading, Word } from './rules.words.ts';
import { weights } from './rules.weights.ts';

/** A lexeme of the question as the index has it. */
export type Term = {
  lexeme: string;
  weight: number;
  /** How the question spells it; empty for what was not asked outright. */
  asked: string[];
  /** The question is about it, said in it or in a turn that it points at. */
  isMeant: boolean;
};

/** The lexemes of each word, as the database stems them; none for stop words. */
export type Lexemes = ReadonlyMap<string, readonly string[]>;

/** Every word that has to be stemmed before `toTerms`. */
export function wordsOf({ asked, naming, carried, hints }: Reading): string[] {
  return [...new Set([...asked, ...naming, ...carried, ...hints].map((word) => word.text))];
}

/**
 * The terms of a question, each lexeme once with its highest weight.
 * @param naming words that say which document is meant and so tell nothing inside it
 */
export function toTerms(
  { asked, carried, hints }: Reading,
  lexemes: Lexemes,
  naming: ReadonlySet<string> = new Set(),
): Term[] {
  const terms = new Map<string, Term>();
  const isOnlyNaming = asked.every((word) => naming.has(word.text));
  const add = (word: Word, weight: number, said: 'asked' | 'meant' | 'hinted') => {
    for (const lexeme of lexemes.get(word.text) ?? []) {
      const term = terms.get(lexeme) ?? { lexeme, weight: 0, asked: [], isMeant: false };
      term.weight = Math.max(term.weight, weight);
      term.isMeant ||= said !== 'hinted';
      if (said === 'asked') term.asked.push(word.text);
      terms.set(lexeme, term);
    }
  };
  for (const word of asked) {
    const isName = naming.has(word.text) && !isOnlyNaming;
    add(word, isName ? weights.naming : word.weight, isName ? 'hinted' : 'asked');
  }
  for (const word of carried) add(word, word.weight, 'meant');
  for (const word of hints) add(word, word.weight, 'hinted');
  return [...terms.values()].slice(0, weights.mostTerms);
}

/** How many of `passages` hold each lexeme. */
export type Frequencies = Readonly<Record<string, number>>;

/** What a term is worth where `passages` passages were looked through. */
export function idf(passages: number, frequency: number): number {
  return Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5));
}

/** What a passage would score that held over and over every word that the question is about. */
export function massOf(terms: readonly Term[], passages: number, frequencies: Frequencies): number {
  return terms
    .filter((term) => term.isMeant)
    .reduce((sum, term) => sum + term.weight * idf(passages, frequencies[term.lexeme] ?? 0), 0);
}

/** Words of the question that stand nowhere in what was looked through, as the question spells them. */
export function absentWords(terms: readonly Term[], frequencies: Frequencies): string[] {
  const isThere = (word: string) =>
    terms.some((term) => term.asked.includes(word) && (frequencies[term.lexeme] ?? 0) > 0);
  const asked = new Set(terms.flatMap((term) => term.asked));
  return [...asked].filter((word) => !isThere(word));
}
