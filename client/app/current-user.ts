import { currentUserCame } from '../features/accounts/slice.ts';

/** The signed-in person as a reply carries them, perhaps after something about them has changed. */
export const currentUserReplaced = currentUserCame;
