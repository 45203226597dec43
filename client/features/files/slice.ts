import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { FileDetail, FileHeard, Library } from '@matterdesk/contract/files.ts';

/** The `files` store: the library of the case whose page is open. */
export type FilesState = {
  caseId: string | null;
  library: Library | null;
  status: 'idle' | 'loading' | 'ready' | 'failed';
};

export type TrainingKnown = { url: string } & Pick<FileDetail['training'], 'status'> &
  Partial<FileDetail['training']>;

declare module '../../core/store.ts' {
  interface RootState {
    files: FilesState;
  }
}

const initialState: FilesState = { caseId: null, library: null, status: 'idle' };

const slice = createSlice({
  name: 'files',
  initialState,
  reducers: {
    libraryAsked(state, { payload }: PayloadAction<string>) {
      if (state.caseId !== payload) state.library = null;
      state.caseId = payload;
      state.status = 'loading';
    },
    libraryCame(state, { payload }: PayloadAction<{ caseId: string; library: Library }>) {
      if (state.caseId !== payload.caseId) return;
      state.library = payload.library;
      state.status = 'ready';
    },
    libraryFailed(state, { payload }: PayloadAction<string>) {
      if (state.caseId === payload) state.status = 'failed';
    },
    folderCame(state, { payload }: PayloadAction<{ caseId: string; folders: string[] }>) {
      if (state.caseId !== payload.caseId || !state.library) return;
      for (const folder of payload.folders) state.library.files[folder] ??= [];
    },
    /** A file is new, restored, or stands differently with its training. */
    fileHeard(state, { payload }: PayloadAction<FileHeard>) {
      if (state.caseId !== payload.case || !state.library) return;
      const { url, case: _, folder, ...detail } = payload;
      const urls = (state.library.files[folder] ??= []);
      if (!urls.includes(url)) urls.push(url);
      state.library.details[url] = detail;
      state.library.training[url] = detail.training.status;
    },
    /** What this browser has learnt itself of a file's training. */
    trainingKnown(state, { payload }: PayloadAction<TrainingKnown>) {
      const detail = state.library?.details[payload.url];
      if (!state.library || !detail) return;
      const { status, progress = null, error = null } = payload;
      detail.training = { status, progress, error };
      state.library.training[payload.url] = status;
    },
    fileGone(state, { payload }: PayloadAction<{ url: string; case: string; folder: string }>) {
      if (state.caseId !== payload.case || !state.library) return;
      const urls = state.library.files[payload.folder];
      if (urls) state.library.files[payload.folder] = urls.filter((url) => url !== payload.url);
      delete state.library.details[payload.url];
      delete state.library.training[payload.url];
    },
  },
});

export const {
  libraryAsked,
  libraryCame,
  libraryFailed,
  folderCame,
  fileHeard,
  trainingKnown,
  fileGone,
} = slice.actions;
export const filesReducer = slice.reducer;
