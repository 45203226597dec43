import { createSlice } from '@reduxjs/toolkit';

/** The `files` store. Its key exists from sign-in on; what it holds comes with its pages. */
const slice = createSlice({ name: 'files', initialState: {}, reducers: {} });

export const filesReducer = slice.reducer;
