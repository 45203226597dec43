import type { DocumentVectors, VectorMatch, VectorMatches, VectorQuery } from './similarity.ts';

export function compare({ query, documents, limit }: VectorQuery): VectorMatches {
  const near = documents.flatMap((document) => compareWith(query, document));
  near.sort((a, b) => b.score - a.score);
  const usual = near.reduce((sum, { score }) => sum + score, 0) / (near.length || 1);
  return { near: near.slice(0, limit), usual };
}

function compareWith(
  query: Float32Array,
  { key, vectors, dimensions }: DocumentVectors,
): VectorMatch[] {
  if (dimensions !== query.length) return [];
  const near: VectorMatch[] = [];
  for (let ordinal = 0; ordinal * dimensions < vectors.length; ordinal += 1) {
    let score = 0;
    const from = ordinal * dimensions;
    for (let at = 0; at < dimensions; at += 1)
      score += (query[at] ?? 0) * (vectors[from + at] ?? 0);
    near.push({ key, ordinal, score });
  }
  return near;
}
