import { describe, expect, test } from 'vitest';
import { type Import, IMPORT_FILES_MAX } from '@matterdesk/contract/imports.ts';
import { countsOf, oneImport } from '../../testing/factories.ts';
import {
  amountInWords,
  countsRows,
  effectsOf,
  endInWords,
  filesInWords,
  timeLeftInWords,
  nameOf,
  noteName,
  outcomeInWords,
  reachedStep,
  reportUrl,
  type Step,
  shownStep,
  stateInWords,
  stepInWords,
  summaryOf,
  totalOf,
  workInWords,
  amountOf,
  MAX_FILES,
  pathOf,
  sharesOf,
  withFiles,
  withoutSystemFiles,
} from './rules.ts';

const counts = { contacts: countsOf(10, 7, 1, 1, 1, 0), matters: countsOf(4, 2, 0, 1, 0, 1) };
const since = '2026-11-20T15:42:00.000Z';
const running = (own: Partial<Import> = {}) =>
  oneImport({
    state: 'running',
    dryRun: true,
    counts,
    progress: { kind: 'matters', done: 4, total: 8, since },
    ...own,
  });
const checked = oneImport({ state: 'checked', dryRun: true, counts });
const done = oneImport({ state: 'done', counts });
const halted = oneImport({ state: 'mapped', counts });
const none = { hasMatters: false, hasContacts: false };

describe('the step of an import', () => {
  test.each<[string, Import, Step, Step]>([
    ['', oneImport({ state: 'read' }), 'columns', 'columns'],
    ['', oneImport(), 'columns', 'columns'],
    ['files', oneImport(), 'columns', 'files'],
    ['check', oneImport(), 'columns', 'columns'],
    ['', running(), 'check', 'check'],
    ['columns', running(), 'check', 'columns'],
    ['move', running(), 'check', 'check'],
    ['', checked, 'move', 'check'],
    ['move', checked, 'move', 'move'],
    ['nothing', checked, 'move', 'check'],
    ['', running({ dryRun: false }), 'move', 'move'],
    ['', running({ dryRun: true, undoing: true }), 'move', 'move'],
    ['', done, 'move', 'move'],
    ['check', done, 'move', 'move'],
    ['columns', done, 'move', 'columns'],
    ['', halted, 'move', 'move'],
    ['', oneImport({ state: 'failed', dryRun: true }), 'check', 'check'],
    ['', oneImport({ state: 'failed' }), 'move', 'move'],
    ['', oneImport({ state: 'undone' }), 'move', 'move'],
  ])('asked for as “%s” of %#, after %3$s, is shown as it is reached', (asked, of, last, step) => {
    expect(reachedStep(of)).toBe(last);
    expect(shownStep(asked, of)).toBe(step);
  });

  test('is said with what comes next', () => {
    expect(stepInWords(running(), 'check')).toBe(
      'Step 3 of 4 · you can move in once the check is finished',
    );
    expect(stepInWords(checked, 'check')).toBe('Step 3 of 4 · the check is finished');
    expect(stepInWords(checked, 'move')).toBe('Step 4 of 4');
  });
});

describe('the table by kind', () => {
  test('has the kinds in the order in which they come in, and their total', () => {
    const rows = countsRows(checked);
    expect(rows.map(({ kind, found }) => [kind, found])).toEqual([
      ['contacts', 10],
      ['matters', 4],
    ]);
    expect(totalOf(rows)).toEqual(countsOf(14, 9, 1, 2, 1, 1));
  });

  test('takes the number of rows from the progress while a kind runs', () => {
    const [, matters] = countsRows(running());
    expect(matters).toMatchObject({ found: 8, percent: 50, isWaiting: false });
  });

  test('shows kinds of the files that have not begun as waiting', () => {
    const { contacts } = counts;
    const progress = { kind: 'contacts', done: 10, total: 20, since } as const;
    expect(countsRows(running({ counts: { contacts }, progress }))[1]).toMatchObject({
      kind: 'matters',
      isWaiting: true,
      found: null,
    });
    const failed = oneImport({ state: 'failed', counts: { contacts } });
    expect(countsRows(failed)[1]).toMatchObject({ kind: 'matters', isWaiting: true });
  });

  test('has no row for an expected kind without records', () => {
    const progress = { kind: 'people', done: 0, total: 0, since } as const;
    const kinds = (done: number) =>
      countsRows(running({ counts: {}, progress: { ...progress, done, total: null } })).map(
        ({ kind }) => kind,
      );
    expect(kinds(0)).toEqual(['contacts', 'matters']);
    expect(kinds(1)).toEqual(['people', 'contacts', 'matters']);
    expect(countsRows(running({ counts: {}, progress }))).toHaveLength(2);
  });

  test('keeps what had come in while it is undone', () => {
    const undoing = running({ undoing: true, dryRun: false });
    expect(countsRows(undoing).map(({ found }) => found)).toEqual([10, 4]);
  });
});

describe('a run', () => {
  test.each([
    [running(), 'Checking matters'],
    [running({ dryRun: false }), 'Moving in matters'],
    [running({ dryRun: false, undoing: true }), 'Undoing matters'],
    [running({ progress: null }), 'Checking …'],
  ])('says what it works on: %#', (of, words) => {
    expect(workInWords(of)).toBe(words);
  });

  test('counts rows, with the total once it is known', () => {
    const progress = { kind: 'documents', done: 18_402, total: 24_116, since } as const;
    expect(amountInWords({ progress })).toBe('18,402 of 24,116');
    expect(amountInWords({ progress: { ...progress, total: null } })).toBe('18,402');
    expect(amountInWords({ progress: { ...progress, done: 0, total: null } })).toBe('');
    expect(amountInWords({ progress: null })).toBe('');
  });

  test.each([
    [0, 1000, 60_000, 'about 10 min left'],
    [0, 9900, 60_000, 'less than a minute left'],
    [0, 100, 60_000, 'about 1 h 39 min left'],
    [0, 1000, 2000, ''],
    [1000, 1000, 60_000, ''],
  ])('with %i done at first, and %i after %i ms, has “%s”', (first, now, after, words) => {
    const total = first === 0 && now === 1000 && after === 60_000 ? 11_000 : 10_000;
    const progress = { kind: 'notes', done: now, total, since } as const;
    const from = { kind: 'notes', done: first, at: 0 } as const;
    expect(timeLeftInWords({ progress }, { from, at: after })).toBe(words);
  });

  test('has no forecast without a total or an earlier moment', () => {
    const progress = { kind: 'notes', done: 10, total: null, since } as const;
    const from = { kind: 'notes', done: 0, at: 0 } as const;
    expect(timeLeftInWords({ progress }, { from, at: 60_000 })).toBe('');
    expect(timeLeftInWords({ progress: { ...progress, total: 90 } }, { from: null, at: 1 })).toBe(
      '',
    );
    expect(timeLeftInWords({ progress: null }, { from, at: 60_000 })).toBe('');
  });

  test.each<[Import, Import, string | null]>([
    [running(), checked, 'The check is finished'],
    [running(), done, 'Everything is moved in'],
    [running(), oneImport({ state: 'undone' }), 'The import is undone'],
    [running(), oneImport(), 'Stopped'],
    [running(), oneImport({ state: 'failed', error: 'No room is left' }), 'No room is left'],
    [running(), oneImport({ state: 'failed' }), 'It failed'],
    [running(), running(), null],
    [checked, done, null],
    [running({ undoing: true }), done, null],
  ])('is announced when it ends: %#', (before, after, words) => {
    expect(endInWords(before, after)).toBe(words);
    expect(endInWords(null, after)).toBeNull();
  });
});

describe('what a move does', () => {
  const texts = (of: Import, unmatched = none) => effectsOf(of, unmatched).map(({ text }) => text);

  test('is said before it', () => {
    expect(texts(checked, { hasMatters: true, hasContacts: false })).toEqual([
      'Add everything new, and update the 1 record that changed only in Clio.',
      'Leave the 1 conflicting record as it is here. The report lists both values.',
      'Leave out the 1 refused row. The report says why.',
      'Keep unmatched columns in one pinned note per matter, “From Clio”.',
      'Bring in 1 person who has left as an inactive user who can’t sign in.',
    ]);
  });

  test('is said after it in the past', () => {
    const people = { 'Lee Farrow': null, 'Pat Moss': null };
    const tables = { status: {}, type: {}, people };
    const more = { contacts: countsOf(20, 10, 2, 0, 4, 4) };
    expect(
      texts({ ...done, tables, counts: more }, { hasMatters: true, hasContacts: true }),
    ).toEqual([
      'Added 10 records, and updated the 2 records that changed only in Clio.',
      'Left the 4 conflicting records as they are here. The report lists both values.',
      'Left out the 4 refused rows. The report says why.',
      'Kept unmatched columns in one pinned note per matter, “From Clio”, and those of contacts in their notes.',
      'Brought in 2 people who have left as inactive users who can’t sign in.',
    ]);
  });

  test('is nothing when all was here before', () => {
    const tables = { status: {}, type: {}, people: { 'Lee Farrow': null } };
    const same = { contacts: countsOf(5, 0, 0, 5) };
    expect(texts({ ...checked, tables, counts: same })).toEqual([
      'Add nothing: everything is here already.',
    ]);
    expect(
      texts({ ...done, tables, counts: same }, { hasMatters: false, hasContacts: true }),
    ).toEqual([
      'Added nothing: everything was here already.',
      'Kept unmatched columns in the notes of each contact.',
    ]);
  });
});

test('a run that leaves rows out never says that everything is here', () => {
  const tables = { status: {}, type: {}, people: {} };
  const refused = { contacts: countsOf(5, 0, 0, 4, 0, 1) };
  const nothing = { hasMatters: false, hasContacts: false };
  const first = (one: Import) => effectsOf({ ...one, tables, counts: refused }, nothing)[0]?.text;
  expect(first(checked)).toBe('Add nothing: nothing is new.');
  expect(first(done)).toBe('Added nothing: nothing was new.');
});

describe('what a run that goes on will do', () => {
  test('never says that everything is here before it has seen everything', () => {
    const tables = { status: {}, type: {}, people: {} };
    const nothing = { hasMatters: false, hasContacts: false };
    const texts = effectsOf({ ...running({ counts: {} }), tables }, nothing).map(
      ({ text }) => text,
    );
    expect(texts).toEqual(['Add everything new.']);
  });
});

describe('an import in the list', () => {
  test.each([
    [oneImport({ state: 'read' }), 'Columns to map', ''],
    [oneImport(), 'Ready to check', ''],
    [halted, 'Stopped', '9 new, 1 changed, 2 same, 1 conflicting, 1 refused'],
    [running(), 'Checking matters', '9 new, 1 changed, 2 same, 1 conflicting, 1 refused'],
    [oneImport({ state: 'failed', dryRun: true }), 'Check failed', ''],
    [oneImport({ state: 'failed' }), 'Failed', ''],
    [done, 'Moved in', '9 new, 1 changed, 2 same, 1 conflicting, 1 refused'],
    [oneImport({ state: 'undone' }), 'Undone', ''],
  ])('has its state and its outcome: %#', (of, state, outcome) => {
    expect(stateInWords(of)).toBe(state);
    expect(outcomeInWords(of)).toBe(outcome);
  });

  test('names its only file, or counts them', () => {
    const [file] = oneImport().files;
    expect(filesInWords(oneImport())).toBe('2 files');
    expect(filesInWords({ files: file ? [file] : [], fileCount: 1 })).toBe('contacts.csv');
    expect(filesInWords({ files: [], fileCount: 1 })).toBe('1 file');
  });

  test('is named for its system, and so is its note', () => {
    expect(nameOf({ profile: 'spreadsheet' })).toBe('Spreadsheet');
    expect(nameOf({ profile: 'folders' })).toBe('Folders');
    expect(nameOf({ profile: 'mycase' })).toBe('MyCase');
    expect(noteName({ profile: 'clio' })).toBe('From Clio');
    expect(noteName({ profile: 'spreadsheet' })).toBe('From your spreadsheet');
  });
});

test('the line under the title says what is saved', () => {
  expect(summaryOf(checked, 'check')).toBe(
    'Dry run. Nothing is saved yet, and no one is notified.',
  );
  expect(summaryOf(checked, 'move')).toContain('Nothing is saved yet');
  expect(summaryOf(done, 'move')).toContain('No one was emailed');
  expect(summaryOf(halted, 'move')).toContain('What came in so far stays');
  expect(summaryOf(oneImport({ state: 'failed' }), 'move')).toContain('What came in so far stays');
  expect(summaryOf(running({ dryRun: false, undoing: true }), 'move')).toContain(
    'Undoing. Everything',
  );
  expect(summaryOf(oneImport({ state: 'undone' }), 'move')).toContain('Undone');
});

test('the address of the report names the import', () => {
  expect(reportUrl('a/b')).toBe('/api/v1/imports/a%2Fb/report.csv');
});

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
