import { expect, test } from 'vitest';
import { queryOf, searchOf } from './rules.ts';

const members = ['search', 'owner'];

test('a view is the filters of an address, without what is open beside the list', () => {
  const params = new URLSearchParams('view=deadlines&owner=ada&deadline=one&search=smith');
  expect(queryOf(params, members)).toBe('search=smith&owner=ada');
  expect(queryOf(new URLSearchParams('view=deadlines&search='), members)).toBe('');
});

test('a saved view replaces the filters and what is open, and keeps the page', () => {
  const params = new URLSearchParams('view=deadlines&owner=ben&deadline=one');
  expect(searchOf('search=smith', params, members).toString()).toBe('view=deadlines&search=smith');
  expect(searchOf('view=list', new URLSearchParams('view=forms'), ['view']).toString()).toBe(
    'view=list',
  );
});
