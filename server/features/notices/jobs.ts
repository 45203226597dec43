import type { Context } from '../../context.ts';
import type { Round } from '../../jobs/queue.ts';
import { warnOfDeadlines } from '../deadlines/warnings/service.ts';
import { raiseDigests } from './digest/service.ts';
import { raiseDueNotices } from './service.raising.ts';

/** Seconds between rounds, so that what is due is raised within 30. */
const EVERY = 10;

/** Seconds between looks whether a day's digests are due. */
const DIGESTS_EVERY = 20;

/** What falls due by the database's clock, in this order. */
export function noticeRound(context: Context): Round {
  return {
    name: 'notices',
    every: EVERY,
    async run(round) {
      await raiseDueNotices(context, round);
      await warnOfDeadlines(context, round);
    },
  };
}

export function digestRound(context: Context): Round {
  return { name: 'digests', every: DIGESTS_EVERY, run: (round) => raiseDigests(context, round) };
}
