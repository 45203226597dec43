import type { Round } from '../../jobs/queue.ts';

/** Seconds between rounds, so that what is due is raised within 30. */
const EVERY = 10;

/** Seconds between looks whether a day's digests are due. */
const DIGESTS_EVERY = 20;

type Step = { round: (round: { signal: AbortSignal }) => Promise<void> };

/** What falls due by the database's clock, in this order. */
export function noticeRound(steps: Step[]): Round {
  return {
    name: 'notices',
    every: EVERY,
    async run({ signal }) {
      for (const step of steps) await step.round({ signal });
    },
  };
}

export function digestRound(digests: Step): Round {
  return { name: 'digests', every: DIGESTS_EVERY, run: (round) => digests.round(round) };
}
