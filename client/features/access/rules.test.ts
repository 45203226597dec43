import { describe, expect, test } from 'vitest';
import type { Access } from '@matterdesk/contract/access.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import {
  countChanges,
  describeEffect,
  describeEntry,
  describePause,
  isComplete,
  isOutside,
  toChange,
  toDraft,
} from './rules.ts';

const person = (firstName: string): Person => ({
  id: firstName.toLowerCase(),
  firstName,
  lastName: 'Stone',
});
const [ada, bob, cy, dee] = [person('Ada'), person('Bob'), person('Cy'), person('Dee')] as const;
const access: Access = {
  updatedAt: '2026-11-20T10:00:00.000Z',
  mode: 'open',
  people: [{ person: ada, why: 'assigned', until: null }],
  screened: [],
  history: [],
};
const active = [ada, bob, cy, dee];
const after = (draft: Parameters<typeof describeEffect>[0]) =>
  describeEffect(draft, { kind: 'cases', access, active, self: ada.id });

describe('what saving does', () => {
  test('names everyone while the matter is open', () => {
    expect(after(toDraft(access))).toEqual(['Everyone at the firm sees this matter: four people.']);
  });

  test('names the people, the screened, and the number of others', () => {
    const screened = [{ person: cy, reason: 'Prior firm' }];
    const draft = { ...toDraft(access), mode: 'restricted' as const, added: [bob], screened };
    expect(after(draft)).toEqual([
      'Two people see this matter: you and Bob Stone.',
      'Cy Stone never sees it.',
      'For the one other it does not exist: not in lists, search, or totals.',
    ]);
  });

  test('names those who see an open intake', () => {
    const draft = { ...toDraft(access), added: [bob] };
    expect(describeEffect(draft, { kind: 'intakes', access, active, self: ada.id })).toEqual([
      'Its owner, who entered it, everyone who handles intakes, and Bob Stone see this intake.',
    ]);
  });

  test('warns when no one would see it', () => {
    const alone = { ...access, people: [] };
    const draft = { ...toDraft(alone), mode: 'restricted' as const };
    expect(describeEffect(draft, { kind: 'cases', access: alone, active, self: ada.id })).toEqual([
      'No one would see this matter. Add a person first.',
    ]);
  });
});

describe('a change', () => {
  test('counts its differences', () => {
    const draft = { ...toDraft(access), mode: 'restricted' as const, added: [bob, cy] };
    expect(countChanges(toDraft(access), access)).toBe(0);
    expect(countChanges(draft, access)).toBe(3);
  });

  test('waits for the reason of another mode and of each screen', () => {
    const restricted = { ...toDraft(access), mode: 'restricted' as const };
    expect(isComplete(restricted, access)).toBe(false);
    expect(isComplete({ ...restricted, reason: 'Celebrity' }, access)).toBe(true);
    const screened = [{ person: cy, reason: ' ' }];
    expect(isComplete({ ...toDraft(access), screened }, access)).toBe(false);
  });

  test('takes the reason of a new screen as its own', () => {
    const screened = [{ person: cy, reason: 'Prior firm' }];
    expect(toChange({ ...toDraft(access), screened }, access)).toEqual({
      mode: 'open',
      people: [],
      screened: [{ person: 'cy', reason: 'Prior firm' }],
      reason: 'Prior firm',
      updatedAt: access.updatedAt,
    });
  });
});

test('the history is told in words', () => {
  const entry = {
    at: '',
    by: ada,
    people: [bob],
    reason: 'Celebrity',
    action: 'restricted',
  } as const;
  expect(describeEntry({ ...entry, people: [bob] })).toBe(
    'Ada Stone restricted it (Bob Stone): “Celebrity”',
  );
});

describe('someone whose password another user’s link set', () => {
  const paused = { person: bob, why: 'added' as const, by: cy, at: '2026-11-24T12:00:00.000Z' };
  const restricted: Access = { ...access, mode: 'restricted', paused: [paused] };

  test('waits until the draft lets them in again', () => {
    const draft = toDraft(restricted);
    expect(toChange(draft, restricted).people).toEqual([]);
    expect(after(draft)[0]).toBe('One person sees this matter: you.');
    const letIn = { ...draft, added: [bob] };
    expect(toChange(letIn, restricted).people).toEqual(['bob']);
    expect(countChanges(letIn, restricted)).toBe(1);
  });

  test('is described with who made the link', () => {
    expect(describePause('cases', paused)).toMatch(
      /^Password reset by Cy Stone, .+: does not see this matter while it is restricted$/,
    );
    const entry = { at: paused.at, by: cy, action: 'paused' as const, people: [bob], reason: '' };
    expect(describeEntry(entry)).toBe(
      'Cy Stone reset the password of Bob Stone, who waits to be let in again',
    );
  });
});

test('a user who opened a matter for a time lets people in only where no one else has access', () => {
  const opened = { person: dee, why: 'opened' as const, until: '2026-11-24T12:00:00.000Z' };
  const temporary: Access = { ...access, mode: 'restricted', people: [...access.people, opened] };
  expect(isOutside(temporary, { self: dee.id, active })).toBe(true);
  expect(isOutside(temporary, { self: ada.id, active })).toBe(false);
  expect(isOutside(temporary, { self: dee.id, active: [bob, dee] })).toBe(false);
});
