import type { Import, ImportCounts, ImportProblem } from '@matterdesk/contract/imports.ts';

/** Found, then new, changed, same, conflicting and refused. */
export function countsOf(...counts: number[]): ImportCounts {
  const [found = 0, added = 0, changed = 0, same = 0, conflicting = 0, refused = 0] = counts;
  return { found, new: added, changed, same, conflicting, refused };
}

export function importProblem(own: Partial<ImportProblem> = {}): ImportProblem {
  return {
    file: 'matters.csv',
    row: 611,
    column: 'Open Date',
    message: '“13/31/2024” is not a date.',
    kind: 'matters',
    outcome: 'refused',
    item: null,
    ...own,
  };
}

export const petrov = importProblem({
  row: 12,
  column: 'SOL',
  message: 'Here “2027-07-02”, in the file “2027-07-12”',
  outcome: 'conflicting',
  item: { id: 'c2', name: 'Petrov v. Cascade Builders' },
});

/** A small export of Clio, with its columns mapped. */
export function oneImport(own: Partial<Import> = {}): Import {
  return {
    id: 'i1',
    profile: 'clio',
    state: 'mapped',
    dryRun: false,
    counts: {},
    problems: [],
    problemCount: 0,
    mapping: {
      contacts: { id: 'Id', name: 'Name', email: 'Email' },
      matters: { number: 'Display Number', name: 'Description', type: 'Practice Area' },
    },
    tables: {
      status: { Open: 'Active', Closed: 'Archive' },
      type: { 'Personal Injury': 'PI', Estates: null },
      people: { 'Ama Owusu': 'ama', 'Lee Farrow': null },
    },
    files: [
      { path: 'contacts.csv', size: 2_412_000, kind: 'contacts', headers: ['Id', 'Name', 'Email'] },
      {
        path: 'matters.csv',
        size: 640_000,
        kind: 'matters',
        headers: ['Display Number', 'Description', 'Practice Area', 'Referred By'],
      },
    ],
    fileCount: 2,
    progress: null,
    undoing: false,
    left: [],
    by: { id: 'ama', firstName: 'Ama', lastName: 'Owusu' },
    at: '2026-11-20T15:42:00.000Z',
    error: null,
    ...own,
  };
}
