import { createAction } from '@reduxjs/toolkit';

/** The user no longer sees the case with this id: everything stored of it is removed. */
export const matterLost = createAction<string>('matterLost');
