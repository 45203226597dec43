import type { Citation } from '@matterdesk/contract/ai.ts';
import type { Scoped } from '../../../db/schema.ts';
import { absentWords, idf, massOf, type Term } from './rules.terms.ts';
import { type Confidence, confidenceOf, leadOf } from './rules.ts';
import { weights } from './rules.weights.ts';
import type { ParsedQuestion } from './rules.words.ts';
import type { PassageRow, Ranking } from './store.passages.ts';
import { readPages, type Scope, type Source } from './store.ts';

export type Passage = PassageRow & { source: Source };
export type TextPassage = Passage & { text: string };
export type Retrieved = {
  /** Best first. */
  passages: Passage[];
  /** Documents of the best passages. */
  documents: Source[];
  terms: Term[];
  /** Weight of each lexeme times its inverse frequency in the searched passages. */
  worth: ReadonlyMap<string, number>;
  confidence: Confidence;
  absent: string[];
  /** Matches what answers the question, such as a date. */
  form?: RegExp | undefined;
};

export type Search = { scope: Scope; reading: ParsedQuestion; limit: number };

/** `mass` is the score of a perfect passage, and `unique` the worth of a word that only one passage contains. */
type Yardsticks = { mass: number; unique: number };

type Page = { documentId: string; page: number; start: number; text: string };
type Place = { documentId: string; start: number; end: number };

export function toRetrieved(
  { rows, passages, frequencies }: Ranking,
  sources: Source[],
  terms: Term[],
): Retrieved {
  const mass = massOf(terms, passages, frequencies);
  const unique = idf(passages, 1);
  const documents = [...new Set(rows.map((row) => row.documentId))];
  return {
    passages: withSources(rows, sources),
    documents: documents
      .slice(0, weights.vectorDocuments)
      .flatMap((id) => sources.find(({ documentId }) => documentId === id) ?? []),
    terms,
    worth: new Map(
      terms.map(({ lexeme, weight }) => [lexeme, weight * idf(passages, frequencies[lexeme] ?? 0)]),
    ),
    confidence: confidenceOfRows(rows, { mass, unique }),
    absent: absentWords(terms, frequencies),
  };
}

export function withSources(rows: readonly PassageRow[], sources: readonly Source[]) {
  const byDocument = new Map(sources.map((source) => [source.documentId, source]));
  return rows.flatMap((row) => {
    const source = byDocument.get(row.documentId);
    return source ? [{ ...row, source }] : [];
  });
}

/** Reads the passages' texts from the documents' pages; drops passages that the pages do not contain. */
export async function readTexts(db: Scoped, passages: readonly Passage[]): Promise<TextPassage[]> {
  const pages = await readPages(db, passages);
  return passages.flatMap((passage) => {
    const text = textAt(pages, passage);
    return text === undefined ? [] : [{ ...passage, text }];
  });
}

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

/** A better passage in another document makes an answer about the first one at most possible. */
function confidenceOfRows(rows: readonly PassageRow[], { mass, unique }: Yardsticks): Confidence {
  const favored = rows[0]?.isFavored ? weights.favored : 0;
  const bandOfBest = (subset: readonly PassageRow[]) => {
    const scores = subset.map((row) => row.score);
    const best = Math.max(0, ...scores);
    return confidenceOf({
      share: (mass > 0 ? best / mass : 0) + favored,
      evidence: best / unique,
      lead: leadOf(scores),
    });
  };
  const ofFirst = bandOfBest(rows.filter((row) => row.documentId === rows[0]?.documentId));
  return ofFirst === 'none' && bandOfBest(rows) !== 'none' ? 'possible' : ofFirst;
}
