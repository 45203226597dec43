import { type Frequencies, idf, type Term } from './rules.terms.ts';
import { weights } from './rules.weights.ts';
import type { ParsedQuestion } from './rules.words.ts';

/** A file whose name or first lines match words of a question. */
export type FileMatch = {
  documentId: string;
  score: number;
  /** Lexemes in the name or the first lines. */
  held: string[];
  /** Lexemes in the file's name. */
  named: string[];
};
/** `best` has the best match first; `files` is the number of all files. */
export type FileMatches = { best: FileMatch[]; files: number; frequencies: Frequencies };

/**
 * The words of a question that identify the file it means.
 * @returns undefined when it names no file
 */
export function findNamingWords(
  matches: FileMatches,
  terms: readonly Term[],
  { names }: Pick<ParsedQuestion, 'names'>,
): Set<string> | undefined {
  const best = matches.best[0];
  if (!best) return undefined;
  const worth = (term: Term) => idf(matches.files, matches.frequencies[term.lexeme] ?? 0);
  const isRare = ({ lexeme }: Term) =>
    (matches.frequencies[lexeme] ?? 0) <= Math.max(1, weights.common * matches.files);
  const isNaming = (term: Term) =>
    best.held.includes(term.lexeme) &&
    isRare(term) &&
    (best.named.includes(term.lexeme) || term.asked.some((word) => names.includes(word)));
  const naming = terms.filter(isNaming);
  const inFiles = terms.filter((term) => (matches.frequencies[term.lexeme] ?? 0) > 0);
  const sum = (subset: readonly Term[]) => subset.reduce((total, term) => total + worth(term), 0);
  if (naming.length === 0 || sum(naming) < weights.named * sum(inFiles)) return undefined;
  return new Set(naming.flatMap((term) => term.asked));
}

/**
 * The best file with those that the words may mean as well: they match nearly as well, or hold a word that the best
 * one lacks.
 */
export function withRivals(files: readonly FileMatch[]): FileMatch[] {
  const [best] = files;
  if (!best) return [];
  return files.filter(
    (file) =>
      file.score >= weights.rival * best.score ||
      file.held.some((lexeme) => !best.held.includes(lexeme)),
  );
}
