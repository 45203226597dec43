import { expect, test } from 'vitest';
import { splitLast, suggested } from './rules.addresses.ts';

const VOSS = { name: 'Piet Voss', email: 'p.voss@elsewhere.example' };
const JUN = { name: '', email: 'Jun@court.example' };
const KNOWN = [{ ...VOSS, name: '' }, JUN, VOSS, { name: 'Anna', email: '' }];

test('separates the address being typed from those before it', () => {
  expect(splitLast('a@b.example; c@d.example, vo')).toEqual({
    before: 'a@b.example; c@d.example,',
    last: 'vo',
  });
  expect(splitLast(' vo')).toEqual({ before: '', last: 'vo' });
});

test('suggests each person once, by the beginning of a name or an address', () => {
  expect(suggested('vos', KNOWN)).toEqual([VOSS]);
  expect(suggested('PIET V', KNOWN)).toEqual([VOSS]);
  expect(suggested('p.voss@els', KNOWN)).toEqual([VOSS]);
  expect(suggested('court', KNOWN)).toEqual([JUN]);
  expect(suggested('oss', KNOWN)).toEqual([]);
});

test('suggests no one for a single letter or for a complete address', () => {
  expect(suggested('v', KNOWN)).toEqual([]);
  expect(suggested('jun@court.example', KNOWN)).toEqual([]);
  const many = Array.from({ length: 20 }, (_, at) => ({ name: 'Ann', email: `${at}@x.example` }));
  expect(suggested('ann', many)).toHaveLength(6);
});
