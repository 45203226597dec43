import { expect, test } from 'vitest';
import { peopleOf } from './LimitationPeople.tsx';

test.each([
  [[], {}, 'me', null],
  [['ama'], {}, 'ama', null],
  [['ama', 'rune'], {}, 'ama', 'rune'],
  [['ama', 'rune'], { owner: 'rune' }, 'rune', 'ama'],
  [['ama', 'rune'], { second: null }, 'ama', null],
  [['ama', 'rune'], { second: 'jun' }, 'ama', 'jun'],
  [['ama'], { owner: 'jun', second: 'jun' }, 'jun', null],
])(
  'the SOL of a team %j with %j is owned by %s and checked by %s',
  (team, chosen, owner, second) => {
    expect(peopleOf({ team, readerId: 'me', chosen })).toEqual({ owner, second });
  },
);
