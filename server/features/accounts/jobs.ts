import type { Context } from '../../context.ts';
import { purgeKeys } from '../../db/idempotency.ts';
import { purgeSessions } from '../../db/sessions.ts';
import type { RecurringJob } from '../../jobs/queue.ts';
import { purgeInvitations } from './registration/store.ts';
import * as rules from './rules.ts';
import { CHALLENGE_LIFE_MS } from './second-factors/rules.ts';
import { purgeChallenges } from './second-factors/store.ts';
import { sessionTerms } from './service.ts';
import { purgeAttempts, purgeBrowsers } from './store.attempts.ts';
import { purgeLinks } from './store.ts';

/** Removes what has expired: sessions, counted attempts, links, invitations and idempotency keys. */
export function accountsJob(context: Context): RecurringJob {
  const { db } = context;
  return {
    name: 'accounts',
    every: 3600,
    async run() {
      await purgeSessions(db, await sessionTerms(context));
      await purgeAttempts(db, rules.MAX_WINDOW_MS);
      await purgeBrowsers(db);
      await purgeChallenges(db, CHALLENGE_LIFE_MS);
      await purgeLinks(db);
      await purgeInvitations(db);
      await purgeKeys(db);
    },
  };
}
