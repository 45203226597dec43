import type { Executor } from '../../../db/schema.ts';
import { fuseRanks } from './rules.fusion.ts';
import * as store from './store.passages.ts';
import { learnTerms } from './store.feedback.ts';
import { weights } from './rules.weights.ts';

/**
 * Ranks passages, and those of the documents found once more by what the first ones speak of besides: what answers in
 * other words comes to light below them. What is told of the first ranking stays as it was.
 */
export async function rankTwice(
  db: Executor,
  boosts: ReadonlyMap<string, number>,
  options: store.RankOptions,
): Promise<store.Ranking> {
  const ranking = await store.rankPassages(db, boosts, options);
  const { rows } = ranking;
  const teachers = rows.slice(0, weights.teachers).filter((row) => row.score > 0);
  if (teachers.length === 0 || rows.length <= weights.teachers) return ranking;
  const learnt = await learnTerms(db, teachers, options.terms);
  const terms = [...options.terms, ...learnt];
  const documents = new Set(rows.map((row) => row.documentId));
  const again = new Map([...boosts].filter(([id]) => documents.has(id)));
  const second = await store.rankPassages(db, again, { ...options, terms });
  const byId = new Map(
    [...second.rows.map((row) => ({ ...row, score: 0 })), ...rows].map((row) => [row.id, row]),
  );
  // The others stand in no order that means anything.
  const isRanked = (row: store.PassageRow) => row.score > 0 || boosts.get(row.documentId) !== 0;
  const lists = [rows, second.rows].map((some) => idsOf(some.filter(isRanked)));
  const fused = fuseRanks(lists, 2 * options.limit, weights.secondRanking);
  const ids = [...new Set([...idsOf(rows.slice(0, weights.teachers)), ...fused, ...idsOf(rows)])];
  return { ...ranking, rows: ids.slice(0, options.limit).flatMap((id) => byId.get(id) ?? []) };
}

function idsOf(rows: readonly store.PassageRow[]): number[] {
  return rows.map((row) => row.id);
}
