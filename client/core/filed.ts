import { createAction } from '@reduxjs/toolkit';

/** A feature has put files or texts into the case with this id, or taken texts out; the server sends its own socket no event. */
export const filedToCase = createAction<string>('filedToCase');

/** The user has done something that the activity of the case with this id shows; the server sends its own socket no event. */
export const actedOnCase = createAction<string>('actedOnCase');
