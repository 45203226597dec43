import { expect, test } from 'vitest';
import { filesOfDirectory, type DroppedFile, isObvious, toFolderBatches } from './rules.dropped.ts';

function found(path: string): DroppedFile {
  const way = path.split('/');
  const name = way.pop() ?? '';
  return { way, file: new File(['words'], name) };
}

function batches(paths: string[], target: string | null = null, known: string[] = []) {
  const made = toFolderBatches(paths.map(found), { target, known });
  return made.map(({ folder, files }) => [folder, files.map(({ name }) => name)]);
}

test('a drop turns directories into folders, and nested ones into folders with both names', () => {
  expect(batches(['Discovery/a.pdf', 'Discovery/Photos/b.jpg', 'Discovery/c.pdf'])).toEqual([
    ['Discovery', ['a.pdf', 'c.pdf']],
    ['Discovery - Photos', ['b.jpg']],
  ]);
  expect(batches(['P/10.jpg', 'P/9.jpg'])).toEqual([['P', ['9.jpg', '10.jpg']]]);
  expect(batches(['Photos/b.jpg'], 'Discovery')).toEqual([['Discovery - Photos', ['b.jpg']]]);
});

test('reuses an existing folder regardless of case', () => {
  expect(batches(['DISCOVERY/a.pdf', 'discovery/b.pdf'], null, ['Discovery'])).toEqual([
    ['Discovery', ['a.pdf', 'b.pdf']],
  ]);
  expect(batches(['Cafe\u0301/a.pdf', 'Café/b.pdf'])).toEqual([['Cafe\u0301', ['a.pdf', 'b.pdf']]]);
});

test('assigns no folder to files dropped outside of folders', () => {
  expect(batches(['a.pdf', 'New/b.pdf'])).toEqual([
    [null, ['a.pdf']],
    ['New', ['b.pdf']],
  ]);
});

test('a drop cleans names that folders cannot have', () => {
  expect(batches(['a\\b\u202Ec/x.pdf'])).toEqual([['a b c', ['x.pdf']]]);
  expect(batches(['\u0007/x.pdf'])).toEqual([['Folder', ['x.pdf']]]);
  const [[folder] = []] = batches([`${'long '.repeat(90)}/x.pdf`]);
  expect(folder).toHaveLength(199);
});

test('a drop asks about many files and directories, not about a few files for a folder', () => {
  const asked = (paths: string[], target: string | null) =>
    isObvious(toFolderBatches(paths.map(found), { target, known: [] }), target);
  const some = (count: number) => Array.from({ length: count }, (_, at) => `${at}.pdf`);
  expect(asked(some(25), 'Medical')).toBe(true);
  expect(asked(some(26), 'Medical')).toBe(false);
  expect(asked(['Photos/a.jpg'], 'Medical')).toBe(false);
  expect(asked(['a.pdf'], null)).toBe(false);
  expect(asked([], 'Medical')).toBe(false);
});

test('a drop keeps the directories of chosen files', () => {
  const files = ['Case/a.pdf', 'Case/.DS_Store', 'Case/__MACOSX/b.pdf'].map((way) =>
    Object.defineProperty(new File(['words'], way.split('/').at(-1) ?? ''), 'webkitRelativePath', {
      value: way,
    }),
  );
  const dropped = filesOfDirectory(files);
  expect(dropped.found.map(({ way }) => way)).toEqual([['Case']]);
  expect(dropped.leftOut).toBe(2);
});
