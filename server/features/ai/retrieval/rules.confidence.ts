import type { Answer } from '@matterdesk/contract/ai.ts';

export type Confidence = Answer['confidence'];

/** Parts of what a perfect passage would score, from which a passage counts as that. */
const ANSWERS = 0.5;
const MAY_ANSWER = 0.25;
/** A second passage is shown when it is nearly as good as the first. */
const NEARLY = 0.6;
export const MOST_SHOWN = 3;

/** @param share top score by the question's mass; 0 without any passage */
export function bandOf(share: number): Confidence {
  if (share >= ANSWERS) return 'answer';
  return share >= MAY_ANSWER ? 'possible' : 'none';
}

/** How many of the best passages make up an answer. */
export function countShown(scores: readonly number[], confidence: Confidence): number {
  if (confidence === 'none') return Math.min(MOST_SHOWN, scores.length);
  const best = scores[0] ?? 0;
  return scores.slice(0, MOST_SHOWN).filter((score) => score >= NEARLY * best).length;
}
