// Ranking of passages: by words, by near spellings, by meaning.

import type { Answer } from '@matterdesk/contract/ai.ts';
import { weights } from './rules.weights.ts';

export type Confidence = Answer['confidence'];

/** @param share the top score divided by the question's mass; 0 without a passage */
export function confidenceOf(share: number): Confidence {
  if (share >= weights.answers) return 'answer';
  return share >= weights.mayAnswer ? 'possible' : 'none';
}

/** How many of the best passages an answer shows. */
export function countShown(scores: readonly number[], confidence: Confidence): number {
  if (confidence === 'none') return Math.min(weights.mostShown, scores.length);
  const best = scores[0] ?? 0;
  return scores.slice(0, weights.mostShown).filter((score) => score >= weights.shownShare * best)
    .length;
}
