import { expect, test } from 'vitest';
import { readSeedOptions } from './options.ts';

test('defaults to a small firm', () => {
  expect(readSeedOptions([])).toEqual({
    cases: 200,
    users: 12,
    tasks: 400,
    archived: 8,
    seed: 1,
    password: undefined,
  });
});

test('the command reads each number by its name', () => {
  const args = ['--cases', '100000', '--users=500', '--tasks', '200000'];
  expect(readSeedOptions(args)).toMatchObject({ cases: 100_000, users: 500, tasks: 200_000 });
});

test.each([
  [['--cases', 'many'], '--cases takes a whole number from 0 to 1000000'],
  [['--cases', '2000000'], '--cases takes a whole number from 0 to 1000000'],
  [['--cases', '1.5'], '--cases takes a whole number from 0 to 1000000'],
  [['--cases=-1'], '--cases takes a whole number from 0 to 1000000'],
  [['--case', '5'], "Unknown option '--case': npm run seed takes --cases <number>"],
  [['100000'], "Unexpected argument '100000': npm run seed takes --cases <number>"],
  [['--password', 'short'], '--password takes at least 8 characters'],
  [['--cases', '1', '--tasks', '401'], '--tasks takes at most 400 for each of --cases'],
])('the command refuses %j in one line', (args, line) => {
  expect(() => readSeedOptions(args)).toThrow(line);
});
