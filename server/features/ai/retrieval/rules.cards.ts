import { type Frequencies, idf, type Term } from './rules.terms.ts';
import { weights } from './rules.weights.ts';
import type { Reading } from './rules.words.ts';

/** How well a file's name and first lines match the words of a question. */
export type Card = {
  documentId: string;
  score: number;
  /** Lexemes in the name or the first lines. */
  held: string[];
  /** Lexemes in the file's name. */
  named: string[];
};
/** `best` has the best card first. */
export type Cards = { best: Card[]; files: number; frequencies: Frequencies };

/**
 * The words of a question that identify the file it means.
 * @returns undefined when it names no file
 */
export function namesOnCards(
  cards: Cards,
  terms: readonly Term[],
  { names }: Pick<Reading, 'names'>,
): Set<string> | undefined {
  const best = cards.best[0];
  if (!best) return undefined;
  const worth = (term: Term) => idf(cards.files, cards.frequencies[term.lexeme] ?? 0);
  const isRare = ({ lexeme }: Term) =>
    (cards.frequencies[lexeme] ?? 0) <= Math.max(1, weights.common * cards.files);
  const isNaming = (term: Term) =>
    best.held.includes(term.lexeme) &&
    isRare(term) &&
    (best.named.includes(term.lexeme) || term.asked.some((word) => names.includes(word)));
  const naming = terms.filter(isNaming);
  const onCards = terms.filter((term) => (cards.frequencies[term.lexeme] ?? 0) > 0);
  const sum = (subset: readonly Term[]) => subset.reduce((total, term) => total + worth(term), 0);
  if (naming.length === 0 || sum(naming) < weights.named * sum(onCards)) return undefined;
  return new Set(naming.flatMap((term) => term.asked));
}

/**
 * The best card with those that the words may mean as well: they match nearly as well, or hold a word that the best
 * one lacks.
 */
export function withRivals(cards: readonly Card[]): Card[] {
  const [best] = cards;
  if (!best) return [];
  return cards.filter(
    (card) =>
      card.score >= weights.rival * best.score ||
      card.held.some((lexeme) => !best.held.includes(lexeme)),
  );
}
