import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import { createAction } from '@reduxjs/toolkit';

/** The signed-in person as a reply carries them, perhaps after something about them has changed. */
export const currentUserReplaced = createAction<CurrentUser>('user/currentUserReplaced');
