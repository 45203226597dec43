import { expect, test } from 'vitest';
import {
  affectedPeople,
  changedWall,
  isInside,
  letsIn,
  letsInSelf,
  needsReason,
  peopleLetIn,
  type Wall,
} from './rules.ts';

const open: Wall = {
  mode: 'open',
  openTo: undefined,
  assigned: [],
  added: [],
  screened: [],
  paused: [],
};
const restricted: Wall = { ...open, mode: 'restricted', assigned: ['ann'], added: ['bob'] };
const change = { updatedAt: '', mode: 'restricted' as const, people: ['bob'], screened: [] };

test('an open matter is seen by everyone but the screened', () => {
  expect(isInside(open, 'eve')).toBe(true);
  expect(isInside({ ...open, screened: ['eve'] }, 'eve')).toBe(false);
  expect(isInside({ ...open, openTo: ['ann'] }, 'eve')).toBe(false);
});

test('a restricted matter is seen by the assigned and the added, unless they are paused or screened', () => {
  expect(['ann', 'bob', 'eve'].map((id) => isInside(restricted, id))).toEqual([true, true, false]);
  expect(isInside({ ...restricted, paused: ['ann'] }, 'ann')).toBe(false);
  expect(isInside({ ...restricted, screened: ['bob'] }, 'bob')).toBe(false);
  expect(isInside({ ...restricted, mode: 'open', paused: ['ann'] }, 'ann')).toBe(true);
});

test('a change keeps assignments, and paused people whom it does not name', () => {
  const before = { ...restricted, added: ['bob', 'cal'], paused: ['bob', 'cal'] };
  expect(changedWall(before, change)).toEqual({
    ...before,
    added: ['bob', 'cal'],
    paused: ['cal'],
  });
  expect(changedWall(before, { ...change, people: ['ann', 'eve'] }).added).toEqual([
    'eve',
    'bob',
    'cal',
  ]);
});

test('opening, adding, ending a pause or lifting a screen lets people in, removing does not', () => {
  expect(letsIn(restricted, { ...restricted, mode: 'open' })).toBe(true);
  expect(letsIn(restricted, { ...restricted, added: ['bob', 'eve'] })).toBe(true);
  expect(letsIn({ ...restricted, paused: ['bob'] }, restricted)).toBe(true);
  expect(letsIn({ ...restricted, screened: ['bob'] }, restricted)).toBe(true);
  expect(letsIn(restricted, { ...restricted, added: [] })).toBe(false);
  expect(letsIn(open, { ...open, mode: 'restricted' })).toBe(false);
});

test('users neither let themselves in nor end their own pause', () => {
  expect(letsInSelf(restricted, { ...restricted, added: ['eve'] }, 'eve')).toBe(true);
  expect(letsInSelf({ ...open, paused: ['bob'] }, open, 'bob')).toBe(true);
  expect(letsInSelf(restricted, { ...restricted, added: ['bob', 'eve'] }, 'bob')).toBe(false);
});

test('an assignment lets in only people who did not see the matter', () => {
  expect(peopleLetIn(restricted, ['ann', 'bob', 'eve'])).toEqual(['eve']);
  expect(peopleLetIn({ ...restricted, screened: ['eve'] }, ['eve'])).toEqual([]);
});

test('a change of the mode or of the screened people needs a reason', () => {
  expect(needsReason(restricted, { ...restricted, mode: 'open' })).toBe(true);
  expect(needsReason(open, { ...open, screened: ['eve'] })).toBe(true);
  const screened = { ...open, screened: ['eve', 'cal'] };
  expect(needsReason(screened, { ...open, screened: ['cal', 'eve'] })).toBe(false);
  expect(needsReason(restricted, { ...restricted, added: [] })).toBe(false);
});

test('the history names each affected person once', () => {
  const before = { ...restricted, added: ['bob', 'cal'], paused: ['cal'] };
  expect(affectedPeople(before, { ...restricted, added: ['bob'], screened: ['eve'] })).toEqual([
    'cal',
    'eve',
  ]);
});
