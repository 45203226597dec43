import { bandOf, type Confidence } from './rules.confidence.ts';
import { absentWords, idf, massOf, type Term } from './rules.terms.ts';
import { weights } from './rules.weights.ts';
import type { Reading } from './rules.words.ts';
import type { PassageRow, Ranking } from './store.passages.ts';
import type { Scope, Source } from './store.ts';

export type Passage = PassageRow & { source: Source };
export type Retrieved = {
  /** Best first. */
  passages: Passage[];
  /** Those that the best passages stand in. */
  documents: Source[];
  terms: Term[];
  /** What each lexeme is worth where it was looked for. */
  worth: ReadonlyMap<string, number>;
  confidence: Confidence;
  absent: string[];
};

export type Search = { scope: Scope; reading: Reading; limit: number };

/** What a ranking found. */
export function describe(
  { rows, passages, frequencies }: Ranking,
  sources: Source[],
  terms: Term[],
): Retrieved {
  const mass = massOf(terms, passages, frequencies);
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
    confidence: bandOfRows(rows, mass),
    absent: absentWords(terms, frequencies),
  };
}

/** What another document holds may answer, but is no answer about the one that comes first. */
function bandOfRows(rows: readonly PassageRow[], mass: number): Confidence {
  const led = rows[0]?.isLed ? weights.led : 0;
  const bandOfBest = (some: readonly PassageRow[]) =>
    bandOf((mass > 0 ? Math.max(0, ...some.map((row) => row.score)) / mass : 0) + led);
  const own = bandOfBest(rows.filter((row) => row.documentId === rows[0]?.documentId));
  return own === 'none' && bandOfBest(rows) !== 'none' ? 'possible' : own;
}

export function withSources(rows: readonly PassageRow[], sources: readonly Source[]) {
  const byDocument = new Map(sources.map((source) => [source.documentId, source]));
  return rows.flatMap((row) => {
    const source = byDocument.get(row.documentId);
    return source ? [{ ...row, source }] : [];
  });
}
