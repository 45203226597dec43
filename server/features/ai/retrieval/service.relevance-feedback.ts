import type { Scoped } from '../../../db/schema.ts';
import { fuseRanks } from './rules.ts';
import { weights } from './rules.weights.ts';
import * as store from './store.passages.ts';
import { findExpansionTerms } from './store.relevance-feedback.ts';

/**
 * Ranks passages, then ranks the found documents again with other words of the first passages, so that answers in other
 * words appear below them. Scores and frequencies are those of the first ranking.
 */
export async function rankWithFeedback(
  db: Scoped,
  boosts: ReadonlyMap<string, number>,
  options: store.RankOptions,
): Promise<store.Ranking> {
  const ranking = await store.rankPassages(db, boosts, options);
  const { rows } = ranking;
  const feedbackPassages = rows.slice(0, weights.feedbackPassages).filter((row) => row.score > 0);
  if (feedbackPassages.length === 0 || rows.length <= weights.feedbackPassages) return ranking;
  const expansion = await findExpansionTerms(db, feedbackPassages, options.terms);
  const terms = [...options.terms, ...expansion];
  const documents = new Set(rows.map((row) => row.documentId));
  const foundBoosts = new Map([...boosts].filter(([id]) => documents.has(id)));
  const second = await store.rankPassages(db, foundBoosts, { ...options, terms });
  const byId = new Map(
    [...second.rows.map((row) => ({ ...row, score: 0 })), ...rows].map((row) => [row.id, row]),
  );
  // The order of the other rows is arbitrary.
  const isRanked = (row: store.PassageRow) => row.score > 0 || boosts.get(row.documentId) !== 0;
  const lists = [rows, second.rows].map((subset) => idsOf(subset.filter(isRanked)));
  const fused = fuseRanks(lists, 2 * options.limit, weights.secondRanking);
  const ids = [
    ...new Set([...idsOf(rows.slice(0, weights.feedbackPassages)), ...fused, ...idsOf(rows)]),
  ];
  return { ...ranking, rows: ids.slice(0, options.limit).flatMap((id) => byId.get(id) ?? []) };
}

function idsOf(rows: readonly store.PassageRow[]): number[] {
  return rows.map((row) => row.id);
}
