import { expect, test } from 'vitest';
import { filesOf, foldersExport, isRow, readExport } from '../../testing/exports.ts';
import { namedBy, placeOf } from './folders.ts';

test.each([
  ['Doe, Jane - 2024-17', '2024-17', 'Doe, Jane'],
  ['Doe, Jane – 2024-17', '2024-17', 'Doe, Jane'],
  ['Doe, Jane-2024-17', '2024-17', 'Doe, Jane'],
  ['Doe, Jane 2024-17', '2024-17', 'Doe, Jane'],
  ['Doe, Jane (2024-17)', '2024-17', 'Doe, Jane'],
  ['Doe #17', '17', 'Doe'],
  ['2024-17 - Doe, Jane', '2024-17', 'Doe, Jane'],
  ['2024-17 Doe, Jane', '2024-17', 'Doe, Jane'],
  ['00017_Doe v. Roe', '00017', 'Doe v. Roe'],
  ['PI-2024-17 – Doe v. Roe', 'PI-2024-17', 'Doe v. Roe'],
  ['Doe v. Roe - 24CV1234', '24CV1234', 'Doe v. Roe'],
  ['2024-17', '2024-17', undefined],
  ['24CV1234', '24CV1234', undefined],
  ['Doe, Jane', undefined, 'Doe, Jane'],
  ['Smith-Jones v. Roe', undefined, 'Smith-Jones v. Roe'],
])('the folder %s names its matter', (folder, matter, matterName) => {
  expect(namedBy(folder)).toEqual({
    ...(matter !== undefined && { matter }),
    ...(matterName !== undefined && { matterName }),
  });
});

test('documents lie in the matter of their folder, and deeper folders become one', async () => {
  const { rows, files } = await readExport('folders', filesOf(foldersExport));
  expect(files.find(({ path }) => path === 'loose.pdf')?.kind).toBeNull();
  expect(rows.map((row) => (isRow(row) ? row.cells : row))).toEqual([
    { matter: '2024-18', matterName: 'Roe', name: 'z.pdf', path: '2024-18 Roe/z.pdf' },
    { matter: '2024-19', name: 'z.pdf', path: '2024-19/z.pdf' },
    {
      matter: '2024-17',
      matterName: 'Doe, Jane',
      folder: 'Medical – Mercy',
      name: 'x.pdf',
      path: 'Doe, Jane - 2024-17/Medical/Mercy/x.pdf',
    },
    {
      matter: '2024-17',
      matterName: 'Doe, Jane',
      name: 'y.pdf',
      path: 'Doe, Jane – 2024-17/y.pdf',
    },
    { matterName: 'Poe, Edgar', name: 'z.pdf', path: 'Poe, Edgar/z.pdf' },
  ]);
});

test('shelves above matters, and a folder that all of them are in, name none', () => {
  const paths = [
    'Firm Share/Clients/A-F/Doe, Jane - 2024-17/Bills/x.pdf',
    'Firm Share/Doe, Jim - 2024-18/x.pdf',
    'Firm Share/Roe - 2024-19/x.pdf',
  ];
  const files = filesOf(Object.fromEntries(paths.map((path) => [path, ''])));
  expect(paths.map((path) => placeOf(path, files)?.matter)).toEqual([
    '2024-17',
    '2024-18',
    '2024-19',
  ]);
  expect(placeOf('Closed/2019/Doe/Bills/x.pdf', [])).toEqual({
    matterName: 'Doe',
    folder: 'Bills',
    name: 'x.pdf',
  });
  expect(placeOf('Documents/x.pdf', [])).toBeUndefined();
});

test('the folders of a single matter are not taken for matters', () => {
  const files = filesOf({ 'Doe, Jane/Medical/x.pdf': '', 'Doe, Jane/Bills/y.pdf': '' });
  expect(placeOf('Doe, Jane/Medical/x.pdf', files)).toEqual({
    matterName: 'Doe, Jane',
    folder: 'Medical',
    name: 'x.pdf',
  });
});

test('a long path is cut in the folder, and kept whole beside it', async () => {
  const path = `Doe - 17/${'Sub folder/'.repeat(40)}x.pdf`;
  const { rows } = await readExport('folders', filesOf({ [path]: 'x' }));
  const row = rows.find(isRow);
  expect(row?.cells['folder']).toHaveLength(199);
  expect(row?.rest).toEqual({ Path: path });
});

test('emails and tables in a matter’s folder are of that matter', async () => {
  const { rows } = await readExport(
    'folders',
    filesOf({
      'Doe - 17/Mail/a.eml': 'Message-ID: <a@x>\n\nx',
      'Doe - 17/budget.csv': 'Name,Email\nA,b\n',
    }),
  );
  expect(rows).toMatchObject([
    { cells: { matter: '17', id: 'a@x' }, bytes: { size: 20 } },
    { cells: { matter: '17', name: 'budget.csv' } },
  ]);
});
