import { expect, test } from 'vitest';
import type { FileEvent, Library } from '@matterdesk/contract/files.ts';
import { keyOf } from '../../core/resource.ts';
import {
  fileDeleted,
  fileReceived,
  filesReducer,
  type FilesState,
  foldersAdded,
  libraries,
  libraryOf,
  trainingKnown,
} from './slice.ts';

const url = '/api/v1/files/content/c1/Medical/bill.pdf';
const uploaded: FileEvent = {
  url,
  case: 'c1',
  folder: 'Medical',
  name: 'bill.pdf',
  size: 3,
  mimeType: 'application/pdf',
  sha256: '00',
  uploadedAt: '2026-03-01T00:00:00.000Z',
  uploadedBy: { id: 'p1', firstName: 'Ama', lastName: 'Owusu' },
  pages: null,
  version: 1,
  training: { status: 'not trained', progress: null, error: null },
};
const empty: Library = { files: {}, training: {}, details: {} };

function answered(state: FilesState | undefined, library: Library, caseId = 'c1') {
  const key = keyOf(caseId);
  return [
    libraries.step({ kind: 'begun' as const, key, isMore: false }),
    libraries.step({
      kind: 'answered' as const,
      key,
      answer: structuredClone(library),
      after: null,
    }),
  ].reduce<FilesState | undefined>(filesReducer, state) as FilesState;
}

const opened = () => answered(undefined, empty);
const shown = (state: FilesState) => libraryOf(state, 'c1');

test('the store of files adds a received file to its folder once', () => {
  const once = filesReducer(opened(), fileReceived(uploaded));
  const twice = filesReducer(once, fileReceived({ ...uploaded, pages: 2 }));
  expect(shown(twice)?.files).toEqual({ Medical: [url] });
  expect(shown(twice)?.details[url]?.pages).toBe(2);
});

test('the store of files ignores events of other cases', () => {
  const before = opened();
  expect(filesReducer(before, fileReceived({ ...uploaded, case: 'c2' }))).toEqual(before);
  expect(shown(answered(before, empty, 'c2'))).toEqual(empty);
});

test('the store of files keeps a file received while the library is loading', () => {
  const key = keyOf('c1');
  const loading = filesReducer(opened(), libraries.step({ kind: 'begun', key, isMore: false }));
  const received = filesReducer(loading, fileReceived(uploaded));
  const state = filesReducer(
    received,
    libraries.step({ kind: 'answered', key, answer: structuredClone(empty), after: null }),
  );
  expect(shown(state)?.files).toEqual({ Medical: [url] });
});

test('the store of files updates training at once, and keeps the folder of a deleted file', () => {
  const there = filesReducer(opened(), fileReceived(uploaded));
  const training = { url, status: 'error' as const, error: 'Encrypted' };
  const failed = filesReducer(there, trainingKnown({ caseId: 'c1', training }));
  expect(shown(failed)?.training[url]).toBe('error');
  expect(shown(failed)?.details[url]?.training).toEqual({
    status: 'error',
    progress: null,
    error: 'Encrypted',
  });
  const deleted = filesReducer(failed, fileDeleted({ url, case: 'c1', folder: 'Medical' }));
  expect(shown(deleted)).toEqual({ files: { Medical: [] }, training: {}, details: {} });
  expect(filesReducer(deleted, trainingKnown({ caseId: 'c1', training }))).toEqual(deleted);
});

test('the store of files adds a new folder, and keeps the files of others', () => {
  const there = filesReducer(opened(), fileReceived(uploaded));
  const both = filesReducer(there, foldersAdded({ caseId: 'c1', folders: ['Medical', 'New'] }));
  expect(shown(both)?.files).toEqual({ Medical: [url], New: [] });
});
