import { createSlice } from '@reduxjs/toolkit';

/** The `mails` store. Its key exists from sign-in on; what it holds comes with its pages. */
const slice = createSlice({ name: 'mails', initialState: {}, reducers: {} });

export const mailsReducer = slice.reducer;
