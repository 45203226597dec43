import { createAction } from '@reduxjs/toolkit';

/** A feature has put a file into the library of the case with this id; the server sends its own socket no event. */
export const filedToCase = createAction<string>('filedToCase');
