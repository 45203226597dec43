import type { Case } from './cases.ts';

/** The part of a case that says which day its claim expires. */
export type Dated = Pick<Case, 'SOL' | 'waiting'>;

/** The SOL in effect: the earlier date while a change waits. */
export function solInEffect({ SOL, waiting }: Dated): string {
  return waiting?.date ?? SOL;
}
