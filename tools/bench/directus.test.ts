import { expect, test } from 'vitest';
import { toDirectus } from './directus.ts';
import { newCase } from './writing.ts';

/** The path and the query of a request to Directus, without the fields. */
function partsOf(path: string): Record<string, string> {
  const { pathname, searchParams } = new URL(path, 'http://127.0.0.1');
  searchParams.delete('fields');
  return { pathname, ...Object.fromEntries(searchParams) };
}

test('a list page is asked of Directus with the same filter, order and limit', () => {
  const { path } = toDirectus({ path: '/api/v1/cases?limit=50&statusType=Active' });
  expect(partsOf(path)).toEqual({
    pathname: '/items/cases',
    sort: '-serial',
    limit: '50',
    'filter[status_type][_eq]': 'Active',
  });
});

test('a search is asked of Directus as its own, or of the column that our index has', () => {
  const ask = { path: '/api/v1/cases?limit=50&search=2026-CV-00001' };
  expect(partsOf(toDirectus(ask).path)).toMatchObject({ search: '2026-CV-00001' });
  expect(partsOf(toDirectus(ask, 'indexed').path)).toMatchObject({
    'filter[search_text][_contains]': '2026-cv-00001',
  });
});

test('a case and its board are asked of Directus by the id of the case', () => {
  expect(partsOf(toDirectus({ path: '/api/v1/cases/a' }).path)).toEqual({
    pathname: '/items/cases/a',
  });
  expect(partsOf(toDirectus({ path: '/api/v1/tasks/a' }).path)).toEqual({
    pathname: '/items/tasks',
    sort: 'in_column_since,id',
    limit: '-1',
    'filter[case_id][_eq]': 'a',
    'filter[deleted_at][_null]': 'true',
  });
});

test('a new case is sent to Directus as its row, with what our server works out', () => {
  const json = newCase('B-1');
  const asked = toDirectus({ method: 'POST', path: '/api/v1/cases', json });
  expect(asked).toMatchObject({
    method: 'POST',
    json: { case_name: json.caseName, case_no: 'B-1', case_no_key: 'b-1' },
  });
  expect((asked.json as { search_text: string }).search_text).toContain('\nb-1\n');
});

test('a move is sent to Directus with the times that our server sets', () => {
  const asked = toDirectus({ method: 'PATCH', path: '/api/v1/tasks/t', json: { type: 'adr' } });
  expect(asked.method).toBe('PATCH');
  expect(partsOf(asked.path)).toEqual({ pathname: '/items/tasks/t' });
  expect(asked.json).toEqual({
    type: 'adr',
    in_column_since: expect.stringMatching(/Z$/) as string,
    updated_at: expect.stringMatching(/Z$/) as string,
  });
});

test('a request that Directus has no counterpart of is refused', () => {
  expect(() => toDirectus({ path: '/api/v1/contacts' })).toThrow('no request like GET');
});
