// Accounts: registration, sign-in, sessions, permissions.

import { purgeKeys } from '../../db/idempotency.ts';
import type { Context } from '../../context.ts';
import { purgeSessions } from '../../db/sessions.ts';
import type { Round } from '../../jobs/queue.ts';
import * as rules from './rules.ts';
import { purgeInvitations } from './invitations/store.ts';
import { purgeLinks } from './passwords/store.ts';
import { CHALLENGE_LIFE } from './second-factors/rules.ts';
import { purgeChallenges } from './second-factors/store.passkeys.ts';
import { purgeBrowsers } from './signing-in/store.ts';
import { purgeAttempts } from './store.attempts.ts';
import { sessionTerms } from './service.ts';

/** Sessions, counted attempts and idempotency keys are removed when they have expired. */
export function accountRound(context: Context): Round {
  const { db } = context;
  return {
    name: 'accounts',
    every: 3600,
    async run() {
      await purgeSessions(db, await sessionTerms(context));
      await purgeAttempts(db, rules.LONGEST_WINDOW);
      await purgeBrowsers(db);
      await purgeChallenges(db, CHALLENGE_LIFE);
      await purgeLinks(db);
      await purgeInvitations(db);
      await purgeKeys(db);
    },
  };
}
