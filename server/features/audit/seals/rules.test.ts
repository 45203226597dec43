import { expect, test } from 'vitest';
import {
  digestOf,
  earlierMisfit,
  entriesOf,
  followsSeal,
  hashOf,
  idsOf,
  matchesSeal,
  type Misfit,
  ORIGIN,
  type Seal,
} from './rules.ts';

const entries = ['1', '2', '7'].map((id) => ({ id, says: [id, null], isBlank: false }));
const content = {
  at: new Date('2026-03-08T12:00:00Z'),
  source: 'audit_log',
  entries: entriesOf(entries.map(({ id }) => id)),
  digests: Buffer.concat(entries.map(digestOf)),
  previous: ORIGIN,
};
const seal: Seal = { id: '1', ...content, hash: hashOf(content) };

test('ids are written as the ranges of PostgreSQL, and read back', () => {
  expect(seal.entries).toBe('{[1,3),[7,8)}');
  expect(idsOf(seal)).toEqual(['1', '2', '7']);
});

test('a range that does not have as many ids as digests is not read', () => {
  expect(idsOf({ ...seal, entries: '{[1,4000000000)}' })).toEqual([]);
});

test('an entry matches its own digest only, and may be missing once it was erased on record', () => {
  const [first, second] = entries;
  expect(matchesSeal(seal, 0, { entry: first, isErased: false })).toBe(true);
  expect(matchesSeal(seal, 0, { entry: second, isErased: false })).toBe(false);
  expect(matchesSeal(seal, 0, { entry: undefined, isErased: false })).toBe(false);
  expect(matchesSeal(seal, 0, { entry: undefined, isErased: true })).toBe(true);
});

test('a seal follows the one before only as it was written', () => {
  expect(followsSeal(seal, ORIGIN)).toBe(true);
  expect(followsSeal(seal, seal.hash)).toBe(false);
  expect(followsSeal({ ...seal, at: new Date('2026-03-09T12:00:00Z') }, ORIGIN)).toBe(false);
});

test('the earlier of two misfits is by id within a table, and the first across tables', () => {
  const at = (id: string, source: Misfit['source']): Misfit => ({ id, source });
  expect(earlierMisfit(at('10', 'audit_log'), at('9', 'audit_log'))).toEqual(at('9', 'audit_log'));
  expect(earlierMisfit(at('10', 'audit_log'), at('9', 'access_history'))).toEqual(
    at('10', 'audit_log'),
  );
  expect(earlierMisfit(undefined, at('9', 'audit_log'))).toEqual(at('9', 'audit_log'));
});
