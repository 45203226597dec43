import { describe, expect, test } from 'vitest';
import type { Case, StatusType } from '@matterdesk/contract/cases.ts';
import {
  caseHeard,
  caseRead,
  casesReducer,
  caseTouched,
  caseWatched,
  listAsked,
  listCame,
  listFailed,
  listGivenUp,
  listGrew,
  listKey,
  listsOutdated,
  type CasesState,
  type ListQuery,
} from './slice.ts';

const active: ListQuery = { statusType: 'Active', search: '' };
const archive: ListQuery = { statusType: 'Archive', search: '' };

/** The n-th case of the firm; a later state of it has a later hour. */
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
  return state.lists[listKey(query)];
}

const asked = (query = active, epoch = 1) => listAsked({ ...query, epoch });
const came = (numbers: number[], { query = active, more = false, total = numbers.length } = {}) =>
  listCame({
    query,
    page: {
      cases: numbers.map((n) => matter(n, { statusType: query.statusType })),
      nextCursor: more ? `after ${numbers.at(-1)}` : null,
      total,
    },
  });

describe('a list', () => {
  test('stands in the order of its pages', () => {
    const state = after(
      asked(),
      came([9, 8], { more: true, total: 4 }),
      asked(),
      listGrew({
        query: active,
        after: 'after 8',
        page: { cases: [matter(8), matter(7), matter(6)], nextCursor: null, total: 4 },
      }),
    );
    expect(list(state)).toMatchObject({
      ids: ['9', '8', '7', '6'],
      nextCursor: null,
      total: 4,
      status: 'ready',
      asks: 0,
    });
  });

  test('does not take a page that belongs behind other rows', () => {
    const state = after(
      asked(),
      came([5, 4], { more: true, total: 3 }),
      asked(),
      asked(),
      came([9, 5], { more: true, total: 4 }),
      listGrew({
        query: active,
        after: 'after 4',
        page: { cases: [matter(3)], nextCursor: null, total: 3 },
      }),
    );
    expect(list(state)).toMatchObject({ ids: ['9', '5'], nextCursor: 'after 5', asks: 0 });
  });

  test('that is read afresh loses what is no longer in it', () => {
    expect(list(after(asked(), came([3, 2, 1]), asked(), came([4, 3, 1])))?.ids).toEqual([
      '4',
      '3',
      '1',
    ]);
  });

  test('that failed says why, and again tries as if it were new', () => {
    const failed = after(asked(), listFailed({ query: active, failure: 'No answer' }));
    expect(list(failed)).toMatchObject({ status: 'failed', failure: 'No answer', asks: 0 });
    expect(list(casesReducer(failed, asked()))).toMatchObject({ status: 'loading', failure: null });
  });

  test('keeps its rows when only the next ones fail', () => {
    const state = after(asked(), came([2]), asked(), listFailed({ query: active, failure: 'No' }));
    expect(list(state)).toMatchObject({ ids: ['2'], status: 'ready', failure: 'No' });
  });

  test('that nobody waits for goes, or is asked afresh the next time', () => {
    expect(list(after(asked(), listGivenUp(active)))).toBeUndefined();
    expect(list(after(asked(), came([1]), asked(), listGivenUp(active)))).toMatchObject({
      ids: ['1'],
      epoch: -1,
      asks: 0,
    });
  });

  test('of a search makes room for newer searches, the tabs stay', () => {
    const searches = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap((search) => {
      const query = { ...active, search };
      return [asked(query), came([], { query })];
    });
    const state = after(
      asked(),
      came([1]),
      asked(archive),
      came([], { query: archive }),
      ...searches,
    );
    expect(Object.keys(state.lists)).toEqual(
      ['Active ', 'Archive '].concat('bcdefgh'.split('').map((search) => `Active ${search}`)),
    );
  });

  test('is behind after an import, whatever its connection', () => {
    expect(list(after(asked(), came([1]), listsOutdated()))?.epoch).toBe(-1);
  });
});

describe('a case that is heard of', () => {
  const read = after(
    asked(),
    came([8, 6, 4], { more: true, total: 9 }),
    asked(archive),
    came([7, 5], { query: archive }),
  );

  test('stands at the top when it is new, and counts', () => {
    const state = casesReducer(read, caseHeard(matter(9)));
    expect(list(state)).toMatchObject({ ids: ['9', '8', '6', '4'], total: 10 });
    expect(list(state, archive)).toMatchObject({ ids: ['7', '5'], total: 2 });
  });

  test('counts once, however often it is heard of', () => {
    const twice = [caseHeard(matter(9)), caseHeard(matter(9))].reduce<CasesState>(
      casesReducer,
      read,
    );
    expect(list(twice)).toMatchObject({ ids: ['9', '8', '6', '4'], total: 10 });
  });

  test('goes from tab to tab, into its place', () => {
    const archived = casesReducer(read, caseHeard(matter(6, { statusType: 'Archive', hour: 1 })));
    expect(list(archived)).toMatchObject({ ids: ['8', '4'], total: 8 });
    expect(list(archived, archive)).toMatchObject({ ids: ['7', '6', '5'], total: 3 });
    const reopened = casesReducer(archived, caseHeard(matter(6, { hour: 2 })));
    expect(list(reopened)).toMatchObject({ ids: ['8', '6', '4'], total: 9 });
    expect(list(reopened, archive)).toMatchObject({ ids: ['7', '5'], total: 2 });
  });

  test('is not what it was before', () => {
    const newer = casesReducer(read, caseHeard(matter(6, { statusType: 'Archive', hour: 2 })));
    const state = casesReducer(newer, caseHeard(matter(6, { hour: 1 })));
    expect(state.entities['6']?.statusType).toBe('Archive');
    expect(list(state)?.ids).toEqual(['8', '4']);
  });

  test('waits for its page when it is older than the rows that were read', () => {
    const state = casesReducer(read, caseHeard(matter(2, { hour: 1 })));
    expect(list(state)).toMatchObject({ ids: ['8', '6', '4'], total: 9 });
    expect(state.entities['2']).toBeDefined();
  });

  test('comes at the end of a list that was read to its end', () => {
    const state = casesReducer(read, caseHeard(matter(3, { statusType: 'Archive' })));
    expect(list(state, archive)).toMatchObject({ ids: ['7', '5', '3'], total: 3 });
  });

  test('joins and leaves a search as its texts do', () => {
    const query = { ...active, search: 'roe' };
    const found = after(asked(query), came([], { query }));
    const named = casesReducer(found, caseHeard(matter(1, { caseName: 'DOE V. ROE', hour: 1 })));
    expect(list(named, query)?.ids).toEqual(['1']);
    const other = {
      ...matter(1, { hour: 2 }),
      opposingCounselInfo: { ...parties(), organization: 'X' },
    };
    expect(list(casesReducer(named, caseHeard(other)), query)?.ids).toEqual([]);
  });

  test('is not lost to an answer that was under way', () => {
    const state = after(
      asked(),
      came([3, 2, 1]),
      asked(),
      caseHeard(matter(4)),
      caseHeard(matter(2, { statusType: 'Archive', hour: 1 })),
      came([3, 2, 1]),
    );
    expect(list(state)).toMatchObject({ ids: ['4', '3', '1'], total: 3 });
    expect(state.entities['2']?.statusType).toBe('Archive');
  });
});

describe('the case whose page is open', () => {
  test('counts what happens to it, and to nothing else', () => {
    const state = after(
      caseWatched('1'),
      caseHeard(matter(1)),
      caseHeard(matter(2)),
      caseRead(matter(1)),
      caseTouched('1'),
      caseTouched('2'),
    );
    expect(state.watched).toEqual({ id: '1', changes: 2 });
    expect(casesReducer(state, caseWatched(null)).watched).toBeNull();
  });
});

function parties() {
  return matter(0).opposingCounselInfo;
}
