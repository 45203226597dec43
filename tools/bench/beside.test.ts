import { expect, test } from 'vitest';
import { describeBeside, idsIn } from './beside.ts';
import { summarize } from './load.ts';

const reply = (value: object) => Buffer.from(JSON.stringify(value));

test('the bench derives the rates of two products from the time that their replies took', () => {
  const [ours, theirs] = [summarize([100], 1), summarize([400, 600], 1)];
  const text = describeBeside([{ name: 'single case', ours, theirs }], {
    clients: 50,
    cases: 5000,
  });
  const [, , head, , row] = text.split('\n');
  expect(head).toMatch(/^\| 5,000 cases, 50 clients \| requests\/s \|/);
  const cells = row?.split('|').map((cell) => cell.trim());
  expect(cells?.slice(1, -1)).toEqual([
    'single case',
    '500',
    '100 / 100',
    '100',
    '400 / 600',
    '5.0',
  ]);
});

test('the bench finds the rows in the replies of both products', () => {
  const rows = [{ id: 'a' }, { id: 'b' }];
  const columns = { intake: { items: rows }, adr: { items: [] } };
  expect(idsIn(reply({ body: { cases: rows } }))).toEqual(['a', 'b']);
  expect(idsIn(reply({ body: { tasks: { columns } } }))).toEqual(['a', 'b']);
  expect(idsIn(reply({ body: { case: { id: 'a' } } }))).toEqual(['a']);
  expect(idsIn(reply({ data: rows }))).toEqual(['a', 'b']);
  expect(idsIn(reply({ data: { id: 'a' } }))).toEqual(['a']);
});
