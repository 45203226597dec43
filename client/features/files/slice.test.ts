import { expect, test } from 'vitest';
import type { FileHeard, Library } from '@matterdesk/contract/files.ts';
import {
  fileGone,
  fileHeard,
  filesReducer,
  folderCame,
  libraryAsked,
  libraryCame,
  trainingKnown,
} from './slice.ts';

const url = '/api/v1/files/content/c1/Medical/bill.pdf';
const heard: FileHeard = {
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
  training: { status: 'not trained', progress: null, error: null },
};
const empty: Library = { files: {}, training: {}, details: {} };

function opened() {
  const asked = filesReducer(undefined, libraryAsked('c1'));
  return filesReducer(asked, libraryCame({ caseId: 'c1', library: structuredClone(empty) }));
}

test('a file that is heard of stands in its folder, once', () => {
  const once = filesReducer(opened(), fileHeard(heard));
  const twice = filesReducer(once, fileHeard({ ...heard, pages: 2 }));
  expect(twice.library?.files).toEqual({ Medical: [url] });
  expect(twice.library?.details[url]?.pages).toBe(2);
});

test('what happens in another case changes nothing', () => {
  const before = opened();
  expect(filesReducer(before, fileHeard({ ...heard, case: 'c2' }))).toEqual(before);
  const library = structuredClone(empty);
  expect(filesReducer(before, libraryCame({ caseId: 'c2', library }))).toEqual(before);
});

test('training that this browser learns of shows at once, and a folder stays when its file goes', () => {
  const there = filesReducer(opened(), fileHeard(heard));
  const failed = filesReducer(there, trainingKnown({ url, status: 'error', error: 'Encrypted' }));
  expect(failed.library?.training[url]).toBe('error');
  expect(failed.library?.details[url]?.training).toEqual({
    status: 'error',
    progress: null,
    error: 'Encrypted',
  });
  const gone = filesReducer(failed, fileGone({ url, case: 'c1', folder: 'Medical' }));
  expect(gone.library).toEqual({ files: { Medical: [] }, training: {}, details: {} });
  expect(filesReducer(gone, trainingKnown({ url, status: 'trained' }))).toEqual(gone);
});

test('a new folder is there, and those with files keep them', () => {
  const there = filesReducer(opened(), fileHeard(heard));
  const both = filesReducer(there, folderCame({ caseId: 'c1', folders: ['Medical', 'New'] }));
  expect(both.library?.files).toEqual({ Medical: [url], New: [] });
});
