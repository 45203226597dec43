import { expect, test } from 'vitest';
import {
  describeStage,
  isCleared,
  requireMove,
  searchColumn,
  type ConcludedCheck,
} from './rules.ts';

const check = (outcome: ConcludedCheck['outcome'], ...names: string[]): ConcludedCheck => ({
  outcome,
  names: names.map((name) => ({ name, otherNames: [] })),
});
const intake = {
  name: 'Ann Smith',
  parties: [{ name: 'Bob Roe', role: 'opposingParty' as const }],
};

test('an intake is cleared only when every one of its names was checked', () => {
  expect(isCleared(intake, [])).toBe(false);
  expect(isCleared(intake, [check('cleared', 'Ann Smith')])).toBe(false);
  const separately = [check('cleared', 'Ann Smith'), check('cleared', 'Bob Roe')];
  expect(isCleared(intake, separately)).toBe(true);
});

test('the newest check of a name decides whether an intake is cleared', () => {
  const both = ['Ann Smith', 'Bob Roe'];
  const [cleared, declined] = [check('cleared', ...both), check('declined', 'Bob Roe')];
  expect(isCleared(intake, [declined, cleared])).toBe(false);
  expect(isCleared(intake, [cleared, declined])).toBe(true);
});

test('a conflict check matches names without regard to case and spaces, and other names too', () => {
  const names = [
    { name: ' ANN SMITH', otherNames: [] },
    { name: 'Robert Roe', otherNames: ['bob roe '] },
  ];
  expect(isCleared(intake, [{ outcome: 'cleared', names }])).toBe(true);
});

test('an accepted intake does not move, and a closed one has to be reopened first', () => {
  expect(() => requireMove('accepted', 'contacted')).toThrow('matter already');
  expect(() => requireMove('declined', 'consultScheduled')).toThrow('Reopen');
  expect(() => requireMove('declined', 'contacted')).not.toThrow();
  expect(() => requireMove('accepted', undefined)).not.toThrow();
  expect(() => requireMove('new', 'consultScheduled')).not.toThrow();
});

test('the search column holds the digits of a phone number and the names of the parties', () => {
  const own = { name: 'Ann', phone_number: '(518) 555-0142', email: null, source: null };
  const { search_text: text } = searchColumn({ ...own, description: '', parties: intake.parties });
  expect(text).toContain('5185550142');
  expect(text).toContain('bob roe');
});

test('a closed intake is described by its stage and month', () => {
  const closed = new Date('2026-03-31T23:30:00Z');
  expect(describeStage({ stage: 'declined', closed_at: closed })).toBe('declined in March 2026');
  expect(describeStage({ stage: 'new', closed_at: null })).toBe('open');
});
