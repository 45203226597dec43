import { describe, expect, test } from 'vitest';
import { afterPress, nothingChosen } from './rules.filing.ts';

const all = ['a', 'b', 'c', 'd', 'e'];
const idsOf = (...presses: [id: string, among?: string[]][]) => {
  const choice = presses.reduce((before, press) => afterPress(before, ...press), nothingChosen);
  return [...choice.ids].toSorted();
};

describe('a choice of texts', () => {
  test('turns one on and off', () => {
    expect(idsOf(['b'])).toEqual(['b']);
    expect(idsOf(['b'], ['d'], ['b'])).toEqual(['d']);
  });

  test('takes those between two along, in either direction', () => {
    expect(idsOf(['b'], ['d', all])).toEqual(['b', 'c', 'd']);
    expect(idsOf(['d'], ['b', all])).toEqual(['b', 'c', 'd']);
    expect(idsOf(['a'], ['e', all], ['d'], ['b', all])).toEqual(['a', 'e']);
  });

  test('takes one alone without an earlier press, or where that one is not there any more', () => {
    expect(idsOf(['c', all])).toEqual(['c']);
    expect(idsOf(['lost'], ['c', all])).toEqual(['c', 'lost']);
  });
});
