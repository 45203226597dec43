import { expect, test } from 'vitest';
import { IMPORT_FILES_MAX } from '@matterdesk/contract/imports.ts';
import {
  amountOf,
  MAX_FILES,
  pathOf,
  sharesOf,
  withFiles,
  withoutSystemFiles,
} from './rules.files.ts';

const file = (name: string, size = 1) => new File(['x'.repeat(size)], name);

test('a file that is chosen again replaces the earlier one', () => {
  const [old, other, fresh] = [file('a.csv'), file('b.csv'), file('a.csv', 3)];
  expect(withFiles([old, other], [fresh])).toEqual([other, fresh]);
  expect(pathOf({ name: 'a.csv', webkitRelativePath: 'Doe/a.csv' })).toBe('Doe/a.csv');
});

test('system files of a chosen folder are left out', () => {
  const [kept, hidden] = [file('a.csv'), file('._a.csv')];
  const packed = Object.assign(file('b.csv'), { webkitRelativePath: 'Doe/__MACOSX/b.csv' });
  expect(withoutSystemFiles([kept, hidden, packed])).toEqual([kept]);
});

test('files are counted with their size', () => {
  expect(amountOf([file('a.csv', 600), file('b.csv', 600)])).toBe('2 files · 1.2 kB');
});

test('the share that is sent fills one file after another', () => {
  const sizes = [{ size: 100 }, { size: 0 }, { size: 300 }];
  expect(sharesOf(sizes, 0)).toEqual([0, 0, 0]);
  expect(sharesOf(sizes, 0.125)).toEqual([0.5, 1, 0]);
  expect(sharesOf(sizes, 0.625)).toEqual([1, 1, 0.5]);
  expect(sharesOf(sizes, 1)).toEqual([1, 1, 1]);
});

test('an upload has as many files as the contract allows', () => {
  expect(MAX_FILES).toBe(IMPORT_FILES_MAX);
});
