import { describe, expect, test } from 'vitest';
import { caseColumns, type Activity, type Case, type NewCase } from '@matterdesk/contract/cases.ts';
import { matchesSearch, withNewest } from './rules.lists.ts';
import {
  activityInWords,
  changesOf,
  limitationOf,
  mattersInWords,
  missingInWords,
  remarkOnChange,
  proposedDaysOpen,
  readCsvHead,
} from './rules.ts';

const today = '2026-11-21';

describe('a statute of limitations', () => {
  const at = (SOL: string, statusType: Case['statusType'] = 'Active') =>
    limitationOf({ SOL, statusType }, today);

  test('is not mentioned 90 days ahead or more, then soon, urgent and overdue', () => {
    expect(at('2027-02-19')).toBeUndefined();
    expect(at('2027-02-18')).toEqual({ words: 'in 89 days', tone: 'amber' });
    expect(at('2026-12-21')).toEqual({ words: 'in 30 days', tone: 'amber' });
    expect(at('2026-12-20')).toEqual({ words: 'in 29 days', tone: 'amber' });
    expect(at('2026-11-22')).toEqual({ words: 'tomorrow', tone: 'amber' });
    expect(at('2026-11-21')).toEqual({ words: 'today', tone: 'amber' });
    expect(at('2026-11-18')).toEqual({ words: '3 days late', tone: 'red' });
  });

  test('is not mentioned in the archive', () => {
    expect(at('2026-11-22', 'Archive')).toBeUndefined();
  });
});

test('counts open matters in words', () => {
  expect(mattersInWords(148, 6)).toBe(
    '148 open matters · 6 with a statute of limitations in the next 90 days',
  );
  expect(mattersInWords(1, 0)).toBe(
    '1 open matter · none with a statute of limitations in the next 90 days',
  );
  expect(mattersInWords(0, 0)).toBe('No open matters');
  expect(mattersInWords(10_001, 1234)).toMatch(/^10,001 open matters · 1,234 with/);
});

test('the page of a case names what it lacks, and counsel as a whole', () => {
  const counsel = ['organization', 'name', 'phoneNumber', 'email', 'address'].map(
    (member) => `opposingCounselInfo.${member}`,
  );
  expect(missingInWords(['caseNo', 'SOL', 'clientInfo.email', ...counsel])).toBe(
    'Case No, SOL, Client Email, Opposing Counsel',
  );
  expect(missingInWords(counsel.slice(2, 3))).toBe('Opposing Counsel Phone Number');
});

test('the matters page proposes the days since the case was opened, never negative', () => {
  expect(proposedDaysOpen('2026-03-02', today)).toBe(264);
  expect(proposedDaysOpen('2026-12-02', today)).toBe(0);
});

const parties = {
  clientInfo: { name: 'Ngozi Abara', phoneNumber: '1', email: 'n@x.example', address: '12 Elm' },
  opposingCounselInfo: {
    organization: 'Hale & Voß',
    name: 'Piet Voss',
    phoneNumber: '2',
    email: 'p@x.example',
    address: '1 Court',
  },
};
const form: NewCase = {
  caseName: 'Abara v. Northline',
  caseNo: '2026-CV-00418',
  statusType: 'Active',
  status: 'Litigation',
  type: 'PI',
  judge: 'Hon. M. Osei',
  dateOfOpening: '2026-03-02',
  managingAttorney: 'R. Lindqvist',
  DOI: '2025-02-12',
  SOL: '2027-02-12',
  daysOpen: 263,
  assignedUsers: ['a', 'b'],
  ...parties,
};

describe('search', () => {
  const matter = {
    ...form,
    id: '1',
    assignedUsers: [],
    download: [],
    incomplete: [],
    createdAt: '',
    updatedAt: '',
  };

  test.each([
    'abara',
    'CV-004',
    'litig',
    'pi',
    'OSEI',
    'lindqvist',
    'elm',
    'VOSS',
    'hale & voss',
    'voss litig 004',
  ])('finds %j in a text of the case, as the server does', (text) =>
    expect(matchesSearch(matter, text)).toBe(true),
  );

  test.each(['%', '_', 'active', '2027-02', 'abara unknown', '"northline abara"'])(
    'takes %j literally, and only within one text',
    (text) => expect(matchesSearch(matter, text)).toBe(false),
  );
});

describe('a change', () => {
  test('holds only the changed fields, also within the parties', () => {
    const after = {
      ...form,
      judge: 'Hon. A. Reyes',
      assignedUsers: ['b', 'a'],
      clientInfo: { ...form.clientInfo, email: 'ngozi@x.example' },
    };
    expect(changesOf(form, after)).toEqual({
      judge: 'Hon. A. Reyes',
      assignedUsers: ['b', 'a'],
      clientInfo: { email: 'ngozi@x.example' },
    });
  });

  test('is empty when nothing changed', () => {
    expect(changesOf(form, structuredClone(form))).toEqual({});
  });
});

describe('the head of a CSV file', () => {
  test('is read with quotes, blank lines and any line endings', () => {
    const text = '\uFEFFcaseName,caseNo\r\n\r\n"Doe, ""J."" v.\nRoe",1\nSmith,"2"\nThird,3';
    expect(readCsvHead(text, 3)).toEqual([
      ['caseName', 'caseNo'],
      ['Doe, "J." v.\nRoe', '1'],
      ['Smith', '2'],
    ]);
  });

  test('has other signs between its cells', () => {
    expect(readCsvHead('a;"b;c"\n1,5;2', 9, ';')).toEqual([
      ['a', 'b;c'],
      ['1,5', '2'],
    ]);
  });

  test('ends at the end of the text or of valid CSV', () => {
    expect(readCsvHead('a,b\n', 9)).toEqual([['a', 'b']]);
    expect(readCsvHead('a,\nb,"never closed', 9)).toEqual([['a', '']]);
    expect(readCsvHead('', 9)).toEqual([]);
  });

  test('has a column for each field', () => {
    expect(caseColumns.join(' ')).toBe(
      'caseName caseNo statusType status type judge dateOfOpening managingAttorney DOI SOL daysOpen assignedUsers ' +
        'clientInfo.name clientInfo.phoneNumber clientInfo.email clientInfo.address ' +
        'opposingCounselInfo.organization opposingCounselInfo.name opposingCounselInfo.phoneNumber opposingCounselInfo.email opposingCounselInfo.address',
    );
  });
});

describe('activity', () => {
  const entry = (own: Partial<Activity>): Activity => ({
    id: '1',
    at: '2026-11-21T10:00:00Z',
    actor: { id: 'u', firstName: 'Jun', lastName: 'Tanaka' },
    action: 'updated',
    entity: 'case',
    entityId: 'c',
    name: 'Abara v. Northline',
    detail: [],
    changes: [],
    ...own,
  });
  const changed = (...labels: string[]): Partial<Activity> => ({
    changes: labels.map((label) => ({ field: label, label, kind: 'text', from: 'a', to: 'b' })),
  });
  const inWords = (own: Partial<Activity>) =>
    Object.values(activityInWords(entry(own)))
      .filter((part) => part !== '')
      .join(' ');

  test.each<[Partial<Activity>, string]>([
    [{ action: 'created' }, 'Jun Tanaka opened this case'],
    [{ action: 'imported' }, 'Jun Tanaka imported this case'],
    [{ action: 'archived', detail: ['statusType'] }, 'Jun Tanaka archived this case'],
    [{ action: 'reopened', detail: ['statusType'] }, 'Jun Tanaka reopened this case'],
    [changed('SOL'), 'Jun Tanaka changed SOL'],
    [changed('SOL', 'Judge'), 'Jun Tanaka changed SOL and Judge'],
    [changed('SOL', 'Judge', 'Type', 'Status'), 'Jun Tanaka changed SOL, Judge and 2 more'],
    [changed(), 'Jun Tanaka changed this case'],
    [{ action: 'created', actor: null }, 'Someone opened this case'],
  ])('on a case is told in words: %j', (own, words) => {
    expect(inWords(own)).toBe(words);
  });

  test.each<[Partial<Activity>, string]>([
    [{ action: 'created' }, 'Jun Tanaka added First interrogatories'],
    [
      { action: 'moved', detail: ['discovery'] },
      'Jun Tanaka moved First interrogatories to Discovery',
    ],
    [changed('End time'), 'Jun Tanaka changed First interrogatories (end time)'],
    [{ action: 'deleted' }, 'Jun Tanaka deleted First interrogatories'],
  ])('on a task is told in words: %j', (own, words) => {
    expect(inWords({ entity: 'task', name: 'First interrogatories', ...own })).toBe(words);
  });

  test('on the content of a file names its version', () => {
    const change = (field: string, to: string) =>
      ({ field, label: field, kind: 'text', from: '', to }) as const;
    const file = { entity: 'file', action: 'updated', name: 'lease.pdf' } as const;
    expect(inWords({ ...file, changes: [change('version', '3')] })).toBe(
      'Jun Tanaka uploaded version 3 of lease.pdf',
    );
    const restored = [change('version', '3'), change('restoredFrom', '1')];
    expect(inWords({ ...file, changes: restored })).toBe(
      'Jun Tanaka restored version 1 of lease.pdf',
    );
    expect(inWords({ ...file, changes: [change('name', 'rent.pdf')] })).toBe(
      'Jun Tanaka renamed lease.pdf',
    );
  });

  test('says that a training failed, and why', () => {
    const failed = { entity: 'file', action: 'trainingFailed', name: 'lease.pdf' } as const;
    expect(inWords({ ...failed, detail: ['The file is empty.'] })).toBe(
      'Training failed for lease.pdf (The file is empty.)',
    );
  });
});

describe('a refetched story', () => {
  const entries = (...ids: number[]) => ids.map((id) => ({ id: String(id) }) as Activity);
  const newest = { entries: entries(9, 8, 7), nextCursor: 'after 7' };

  test('keeps its older entries', () => {
    const read = { entries: entries(8, 7, 6, 5), nextCursor: 'after 5' };
    expect(withNewest(read, newest)).toEqual({
      entries: entries(9, 8, 7, 6, 5),
      nextCursor: 'after 5',
    });
    expect(withNewest({ entries: entries(8, 7), nextCursor: null }, newest).nextCursor).toBe(
      'after 7',
    );
  });

  test('starts over when there is a gap, or nothing older', () => {
    expect(withNewest({ entries: entries(4, 3), nextCursor: 'after 3' }, newest)).toBe(newest);
    expect(withNewest(null, newest)).toBe(newest);
    const whole = { entries: entries(2, 1), nextCursor: null };
    expect(withNewest({ entries: entries(1), nextCursor: null }, whole)).toBe(whole);
  });
});

describe('the remark on an SOL before it is saved', () => {
  const matter = { SOL: '2030-03-01' };
  test.each([
    ['2030-03-01', false, undefined],
    ['', false, undefined],
    ['2030-04-01', false, 'Mar 1, 2030 stays in effect until a second person decides'],
    ['2030-04-01', true, 'Mar 1, 2030 stays in effect until you verify it under Deadlines'],
    ['2030-02-01', false, 'In effect at once; then a second person decides'],
  ])('for %j, alone %j, is %j', (sol, isAlone, words) => {
    expect(remarkOnChange(matter, sol, isAlone)).toBe(words);
  });

  test('names the change that waits while the date in effect stays', () => {
    const decides = { id: '2', firstName: 'Ama', lastName: 'Owusu' };
    const waiting = { date: '2030-03-01', proposed: '2030-03-20', by: null, decides };
    expect(remarkOnChange({ SOL: '2030-03-20', waiting }, '2030-03-01', false)).toBe(
      'Proposed Mar 20, 2030; Ama Owusu decides',
    );
  });
});
