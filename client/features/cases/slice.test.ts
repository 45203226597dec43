import { describe, expect, test } from 'vitest';
import type { Activity, Case, StatusType } from '@matterdesk/contract/cases.ts';
import { everythingStale } from '../../core/connection.ts';
import { keyOf } from '../../core/resource.ts';
import type { ListQuery } from './rules.lists.ts';
import {
  activity,
  caseReceived,
  casesReducer,
  caseActivityChanged,
  details,
  lists,
  type CasesState,
} from './slice.ts';

const active: ListQuery = { statusType: 'Active', search: '' };
const archive: ListQuery = { statusType: 'Archive', search: '' };

/** The nth case of the firm; a later state has a later hour. */
function matter(
  n: number,
  own: { statusType?: StatusType; hour?: number; caseName?: string } = {},
) {
  const { statusType = 'Active', hour = 0, caseName = `Matter ${n}` } = own;
  const one: Case = {
    id: String(n),
    caseName,
    caseNo: `CV-${n}`,
    statusType,
    status: 'Litigation',
    judge: 'Stone',
    dateOfOpening: '2026-01-01',
    managingAttorney: 'Hopper',
    DOI: '2025-01-01',
    SOL: '2027-01-01',
    daysOpen: 1,
    type: 'PI',
    download: [],
    incomplete: [],
    assignedUsers: [],
    clientInfo: { name: 'Jane', phoneNumber: '1', email: 'j@x.example', address: 'Elm' },
    opposingCounselInfo: {
      organization: 'Roe',
      name: 'Richard',
      phoneNumber: '2',
      email: 'r@x.example',
      address: 'Oak',
    },
    createdAt: `2026-01-01T00:00:00.${String(n).padStart(3, '0')}Z`,
    updatedAt: `2026-01-02T${String(hour).padStart(2, '0')}:00:00.000Z`,
  };
  return one;
}

type Action = Parameters<typeof casesReducer>[1];

function after(...actions: Action[]): CasesState {
  return actions.reduce<CasesState>(casesReducer, casesReducer(undefined, { type: '@@first' }));
}

function list(state: CasesState, query = active) {
  return state.lists[keyOf(query)];
}

const loading = (query = active, isMore = false) =>
  lists.step({ kind: 'begun', key: keyOf(query), isMore });
const failed = (message: string) =>
  lists.step({ kind: 'failed', key: keyOf(active), failure: { message, status: 0 } });
const aborted = () => lists.step({ kind: 'aborted', key: keyOf(active) });
const grew = (after: string, numbers: number[], total: number) =>
  lists.step({
    kind: 'answered',
    key: keyOf(active),
    answer: { cases: numbers.map((n) => matter(n)), nextCursor: null, total },
    after,
  });
const answered = (
  numbers: number[],
  { query = active, more = false, total = numbers.length } = {},
) =>
  lists.step({
    kind: 'answered',
    key: keyOf(query),
    answer: {
      cases: numbers.map((n) => matter(n, { statusType: query.statusType })),
      nextCursor: more ? `after ${numbers.at(-1)}` : null,
      total,
    },
    after: null,
  });

describe('a list', () => {
  test('has the order of its pages', () => {
    const state = after(
      loading(),
      answered([9, 8], { more: true, total: 4 }),
      loading(active, true),
      grew('after 8', [8, 7, 6], 4),
    );
    expect(list(state)).toMatchObject({
      data: { ids: ['9', '8', '7', '6'], total: 4 },
      cursor: null,
      status: 'idle',
    });
  });

  test('ignores a page that follows other rows', () => {
    const state = after(
      loading(),
      answered([5, 4], { more: true, total: 3 }),
      loading(active, true),
      answered([9, 5], { more: true, total: 4 }),
      grew('after 4', [3], 3),
    );
    expect(list(state)).toMatchObject({ data: { ids: ['9', '5'] }, cursor: 'after 5' });
  });

  test('drops rows that a refetch no longer contains', () => {
    const state = after(loading(), answered([3, 2, 1]), loading(), answered([4, 3, 1]));
    expect(list(state)?.data?.ids).toEqual(['4', '3', '1']);
  });

  test('keeps its failure until it is fetched again', () => {
    const state = after(loading(), failed('No answer'));
    expect(list(state)).toMatchObject({ data: null, failure: { message: 'No answer' } });
    expect(list(casesReducer(state, loading()))).toMatchObject({
      status: 'loading',
      failure: null,
    });
  });

  test('keeps its rows when only the next ones fail', () => {
    const state = after(loading(), answered([2]), loading(active, true), failed('No'));
    expect(list(state)).toMatchObject({ data: { ids: ['2'] }, failure: { message: 'No' } });
  });

  test('is fetched again after a fetch that was aborted', () => {
    expect(list(after(loading(), aborted()))).toBeUndefined();
    const state = after(loading(), answered([1]), loading(), aborted());
    expect(list(state)).toMatchObject({ data: { ids: ['1'] }, stale: true, status: 'idle' });
  });

  test('is stale after an import and after each connection', () => {
    expect(list(after(loading(), answered([1]), lists.invalidated()))?.stale).toBe(true);
    expect(list(after(loading(), answered([1]), everythingStale()))?.stale).toBe(true);
    expect(list(after(loading(), answered([1]), lists.invalidated(archive)))?.stale).toBe(false);
  });
});

describe('a received case', () => {
  const read = after(
    loading(),
    answered([8, 6, 4], { more: true, total: 9 }),
    loading(archive),
    answered([7, 5], { query: archive }),
  );

  test('is added at the top and counted when it is new', () => {
    const state = casesReducer(read, caseReceived(matter(9)));
    expect(list(state)?.data).toMatchObject({ ids: ['9', '8', '6', '4'], total: 10 });
    expect(list(state, archive)?.data).toMatchObject({ ids: ['7', '5'], total: 2 });
  });

  test('is counted once, however often it is received', () => {
    const twice = [caseReceived(matter(9)), caseReceived(matter(9))].reduce<CasesState>(
      casesReducer,
      read,
    );
    expect(list(twice)?.data).toMatchObject({ ids: ['9', '8', '6', '4'], total: 10 });
  });

  test('moves between tabs, into its place', () => {
    const archived = casesReducer(
      read,
      caseReceived(matter(6, { statusType: 'Archive', hour: 1 })),
    );
    expect(list(archived)?.data).toMatchObject({ ids: ['8', '4'], total: 8 });
    expect(list(archived, archive)?.data).toMatchObject({ ids: ['7', '6', '5'], total: 3 });
    const reopened = casesReducer(archived, caseReceived(matter(6, { hour: 2 })));
    expect(list(reopened)?.data).toMatchObject({ ids: ['8', '6', '4'], total: 9 });
    expect(list(reopened, archive)?.data).toMatchObject({ ids: ['7', '5'], total: 2 });
  });

  test('is ignored when it is older than the stored state', () => {
    const newer = casesReducer(read, caseReceived(matter(6, { statusType: 'Archive', hour: 2 })));
    const state = casesReducer(newer, caseReceived(matter(6, { hour: 1 })));
    expect(state.entities['6']?.statusType).toBe('Archive');
    expect(list(state)?.data?.ids).toEqual(['8', '4']);
  });

  test('waits for its page when it is older than the loaded rows', () => {
    const state = casesReducer(read, caseReceived(matter(2, { hour: 1 })));
    expect(list(state)?.data).toMatchObject({ ids: ['8', '6', '4'], total: 9 });
    expect(state.entities['2']).toBeDefined();
  });

  test('is added at the end of a completely loaded list', () => {
    const state = casesReducer(read, caseReceived(matter(3, { statusType: 'Archive' })));
    expect(list(state, archive)?.data).toMatchObject({ ids: ['7', '5', '3'], total: 3 });
  });

  test('joins and leaves a search as its text changes', () => {
    const query = { ...active, search: 'roe' };
    const found = after(loading(query), answered([], { query }));
    const named = casesReducer(found, caseReceived(matter(1, { caseName: 'DOE V. ROE', hour: 1 })));
    expect(list(named, query)?.data?.ids).toEqual(['1']);
    const other = {
      ...matter(1, { hour: 2 }),
      opposingCounselInfo: { ...parties(), organization: 'X' },
    };
    expect(list(casesReducer(named, caseReceived(other)), query)?.data?.ids).toEqual([]);
  });

  test('survives the answer of a fetch in progress', () => {
    const state = after(
      loading(),
      answered([3, 2, 1]),
      loading(),
      caseReceived(matter(4)),
      caseReceived(matter(2, { statusType: 'Archive', hour: 1 })),
      answered([3, 2, 1]),
    );
    expect(list(state)?.data).toMatchObject({ ids: ['4', '3', '1'], total: 3 });
    expect(state.entities['2']?.statusType).toBe('Archive');
  });
});

describe('the activity of a case', () => {
  const entry = (id: string) => ({ id }) as Activity;
  const read = (ids: string[], nextCursor: string | null, after: string | null = null) =>
    activity.step({
      kind: 'answered',
      key: keyOf('1'),
      answer: { activity: ids.map(entry), nextCursor },
      after,
    });
  const begun = (isMore: boolean) => activity.step({ kind: 'begun', key: keyOf('1'), isMore });
  const state = after(
    begun(false),
    read(['c', 'b'], 'after b'),
    begun(true),
    read(['a'], null, 'after b'),
  );
  const story = (state: CasesState) => state.activity[keyOf('1')];

  test('keeps the older pages when its beginning is fetched again', () => {
    expect(story(state)?.data?.entries.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    const again = [begun(false), read(['d', 'c', 'b'], 'after b')].reduce<CasesState>(
      casesReducer,
      state,
    );
    expect(story(again)?.data?.entries.map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a']);
    expect(story(again)?.cursor).toBeNull();
  });

  test('becomes stale when the case or its contents change, and not when it is only read', () => {
    const loaded = details.step({
      kind: 'answered',
      key: keyOf('1'),
      answer: { case: matter(1) },
      after: null,
    });
    for (const action of [caseReceived(matter(1)), caseActivityChanged('1')])
      expect(story(casesReducer(state, action))?.stale).toBe(true);
    for (const action of [caseReceived(matter(2)), caseActivityChanged('2'), loaded])
      expect(story(casesReducer(state, action))?.stale).toBe(false);
  });
});

function parties() {
  return matter(0).opposingCounselInfo;
}
