import type { Case, WaitingDate } from './cases.ts';

/** The part of a case that says which day its claim expires. */
export type CaseSol = Pick<Case, 'SOL' | 'waiting'>;

/** The SOL in effect: the earlier date while a change waits; null for a case without a date. */
export function solInEffect<Sol extends string | null>({
  SOL,
  waiting,
}: {
  SOL: Sol;
  waiting?: WaitingDate | undefined;
}): Sol | string {
  return waiting?.date ?? SOL;
}
