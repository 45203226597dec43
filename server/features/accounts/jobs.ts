// Accounts: registration, sign-in, sessions, permissions.

import { purgeKeys } from '../../db/idempotency.ts';
import type { Database } from '../../db/schema.ts';
import { purgeSessions } from '../../db/sessions.ts';
import type { Round } from '../../jobs/queue.ts';
import * as rules from './rules.ts';
import { purgeInvitations } from './invitations/store.ts';
import { purgeLinks } from './passwords/store.ts';
import { CHALLENGE_LIFE } from './second-factors/rules.ts';
import { purgeChallenges } from './second-factors/store.passkeys.ts';
import { purgeBrowsers } from './signing-in/store.ts';
import type { AccountService } from './service.ts';
import { purgeAttempts } from './store.attempts.ts';

/** Sessions, counted attempts and idempotency keys are removed when they have expired. */
export function accountRound(db: Database, accounts: AccountService): Round {
  return {
    name: 'accounts',
    every: 3600,
    async run() {
      await purgeSessions(db, await accounts.sessionTerms());
      await purgeAttempts(db, rules.LONGEST_WINDOW);
      await purgeBrowsers(db);
      await purgeChallenges(db, CHALLENGE_LIFE);
      await purgeLinks(db);
      await purgeInvitations(db);
      await purgeKeys(db);
    },
  };
}
