import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import { currentUserCame } from '../features/accounts/slice.ts';

/** The signed-in person as a reply carries them, after something about them has changed. */
export function currentUserReplaced(user: CurrentUser) {
  return currentUserCame(user);
}
