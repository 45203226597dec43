import { weights } from './rules.weights.ts';
import type { ParsedQuestion, Word } from './rules.words.ts';

/** A lexeme of the question, as it is indexed. */
export type Term = {
  lexeme: string;
  weight: number;
  /** Its spellings in the question; empty for carried words and hints. */
  asked: string[];
  /** It comes from the question or from a turn that the question refers to. */
  isMeant: boolean;
};

/** The lexemes of each word, as the database stems them; stop words have none. */
export type Lexemes = ReadonlyMap<string, readonly string[]>;

/** The words that `toTerms` needs lexemes for. */
export function wordsOf({ asked, documentWords, carried, hints }: ParsedQuestion): string[] {
  return [...new Set([...asked, ...documentWords, ...carried, ...hints].map((word) => word.text))];
}

/**
 * The terms of a question, each lexeme once with its highest weight.
 * @param naming words that identify the document and so do not distinguish its passages
 */
export function toTerms(
  { asked, carried, hints }: ParsedQuestion,
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

/** Number of passages that contain each lexeme. */
export type Frequencies = Readonly<Record<string, number>>;

/** Inverse document frequency of a term among the searched passages. */
export function idf(passages: number, frequency: number): number {
  return Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5));
}

/** The highest possible score: that of a passage full of every word that the question is about. */
export function massOf(terms: readonly Term[], passages: number, frequencies: Frequencies): number {
  return terms
    .filter((term) => term.isMeant)
    .reduce((sum, term) => sum + term.weight * idf(passages, frequencies[term.lexeme] ?? 0), 0);
}

/** Words of the question that appear in none of the searched passages, as the question spells them. */
export function absentWords(terms: readonly Term[], frequencies: Frequencies): string[] {
  const occurs = (word: string) =>
    terms.some((term) => term.asked.includes(word) && (frequencies[term.lexeme] ?? 0) > 0);
  const asked = new Set(terms.flatMap((term) => term.asked));
  return [...asked].filter((word) => !occurs(word));
}
