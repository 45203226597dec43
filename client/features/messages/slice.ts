import { createSlice } from '@reduxjs/toolkit';

/** The `messages` store. Its key exists from sign-in on; what it holds comes with its pages. */
const slice = createSlice({ name: 'messages', initialState: {}, reducers: {} });

export const messagesReducer = slice.reducer;
