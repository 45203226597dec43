import type { PayloadAction } from '@reduxjs/toolkit';
import type { FileDetail, FileEvent, Library } from '@matterdesk/contract/files.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { matterLost } from '../../core/matter-lost.ts';
import {
  type AnswerContext,
  type Entries,
  keptEntries,
  keyOf,
  resource,
} from '../../core/resource.ts';
import type { Cited } from '../../ui/highlight.ts';
import type { Citable, FileAt, FilesFound, FileVersions, PageText } from './rules.preview.ts';

/** The `files` slice. */
export type FilesState = {
  /** Keyed by case id. */
  libraries: Entries<Library, LibraryEvent>;
  searches: Entries<FilesFound>;
  texts: Entries<PageText>;
  passages: Entries<[page: number, cited: Cited][]>;
  versions: Entries<FileVersions>;
  /** File contents as parsed for their viewers. */
  contents: Entries<unknown>;
};

type LibraryEvent =
  | { kind: 'file'; caseId: string; file: FileEvent }
  | { kind: 'deleted'; caseId: string; url: string; folder: string }
  | { kind: 'folders'; caseId: string; folders: string[] }
  | { kind: 'training'; caseId: string; training: TrainingKnown };

export type TrainingKnown = { url: string } & Pick<FileDetail['training'], 'status'> &
  Partial<FileDetail['training']>;

declare module '../../core/store.ts' {
  interface RootState {
    files: FilesState;
  }
}

export const libraries = resource<string, Library, Library, LibraryEvent>({
  kept: 1,
  apply(_, { query, data }, event) {
    if (event.caseId !== query) return data;
    if (event.kind === 'file') putFile(data, event.file);
    else if (event.kind === 'deleted') removeFile(data, event);
    else if (event.kind === 'training') putTraining(data, event.training);
    else for (const folder of event.folders) data.files[folder] ??= [];
    return data;
  },
});

type Search = { caseId: string; search: string };

export const searches = resource({
  kept: 4,
  take: (_, { answer, held, isMore }: AnswerContext<Search, FilesFound, FilesFound>) => {
    const before = isMore && held ? held.data.files : [];
    return { data: { ...answer, files: [...before, ...answer.files] }, cursor: answer.nextCursor };
  },
});

export const texts = resource<FileAt & { page: number }, PageText>({
  kept: 20,
  isFixed: true,
});

export const passages = resource<Citable, [number, Cited][]>({
  kept: 4,
  isFixed: true,
});

export const versions = resource<FileAt, FileVersions>({ kept: 4 });

export const contents = resource<FileAt, unknown>({
  kept: 0,
  isFixed: true,
});

const slice = featureSlice(
  'files',
  { libraries, searches, texts, passages, versions, contents },
  {
    on: {
      foldersAdded(state, { payload }: PayloadAction<{ caseId: string; folders: string[] }>) {
        libraries.apply(state, { kind: 'folders', ...payload });
      },
      /** A file is new, restored, or its training has changed. */
      fileReceived(state, { payload: file }: PayloadAction<FileEvent>) {
        libraries.apply(state, { kind: 'file', caseId: file.case, file });
        searches.invalidate(state);
        versions.invalidate(state);
      },
      /** A training status that this browser requested itself. */
      trainingKnown(
        state,
        { payload }: PayloadAction<{ caseId: string; training: TrainingKnown }>,
      ) {
        libraries.apply(state, { kind: 'training', ...payload });
      },
      trainingsKnown(state, { payload }: PayloadAction<{ caseId: string; all: TrainingKnown[] }>) {
        for (const training of payload.all)
          libraries.apply(state, { kind: 'training', caseId: payload.caseId, training });
      },
      fileDeleted(
        state,
        { payload }: PayloadAction<{ url: string; case: string; folder: string }>,
      ) {
        libraries.apply(state, { kind: 'deleted', caseId: payload.case, ...payload });
        searches.invalidate(state);
      },
    },
    others(builder) {
      builder.addCase(matterLost, (state, { payload: id }) => {
        delete state.libraries[keyOf(id)];
        for (const entries of [
          state.searches,
          state.texts,
          state.passages,
          state.versions,
          state.contents,
        ])
          for (const key of Object.keys(entries)) if (key.includes(id)) delete entries[key];
      });
    },
  },
);

function putFile(library: Library, file: FileEvent) {
  const { url, case: _case, folder, ...detail } = file;
  const urls = (library.files[folder] ??= []);
  if (!urls.includes(url)) urls.push(url);
  library.details[url] = detail;
  library.training[url] = detail.training.status;
}

function removeFile(library: Library, { url, folder }: { url: string; folder: string }) {
  const urls = library.files[folder];
  if (urls) library.files[folder] = urls.filter((other) => other !== url);
  delete library.details[url];
  delete library.training[url];
}

function putTraining(library: Library, training: TrainingKnown) {
  const { url, status, progress = null, error = null } = training;
  const detail = library.details[url];
  if (!detail) return;
  detail.training = { status, progress, error };
  library.training[url] = status;
}

/** The library of a case, if loaded. */
export function libraryOf({ libraries: all }: FilesState, caseId: string): Library | null {
  return all[keyOf(caseId)]?.data ?? null;
}

/** The part stored in the browser: the last loaded library. */
export function keptFiles(state: FilesState): Pick<FilesState, 'libraries'> {
  const last = Object.entries(state.libraries).slice(-1);
  return { libraries: keptEntries(Object.fromEntries(last), (library) => library) };
}

export const { foldersAdded, fileReceived, trainingKnown, trainingsKnown, fileDeleted } =
  slice.actions;
export const filesReducer = slice.reducer;
