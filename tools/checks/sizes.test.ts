import { expect, test } from 'vitest';
import { checkSizes, measure } from './sizes.ts';

const lines = (count: number): string => '  work();\n'.repeat(count);

test('the check lets a component have more lines than another function', () => {
  const text = `export function Row() {\n${lines(100)}}\n`;
  expect(checkSizes([{ path: 'client/ui/Row.tsx', text }, ...small])).toEqual([]);
});

test('the check refuses a function of more than 60 lines beside components', () => {
  const text = `export const sortRows = () => {\n${lines(60)}};\n`;
  expect(checkSizes([{ path: 'client/ui/Row.tsx', text }, ...small])).toEqual([
    { path: 'client/ui/Row.tsx', message: expect.stringContaining('sortRows has 62 lines') },
  ]);
});

test('the check refuses a tree whose functions are long on the whole', () => {
  const text = `export function work() {\n${lines(45)}}\n`;
  expect(checkSizes([{ path: 'server/http/work.ts', text }])).toEqual([
    {
      path: '(all)',
      message: expect.stringContaining('functions have 47 lines at the 90th percentile'),
    },
  ]);
});

test('the check lets a file have as many lines as its idea takes', () => {
  const long = { path: 'server/http/long.ts', text: lines(201) };
  expect(checkSizes([long])).toEqual([]);
});

test('the check leaves tests out of the spread', () => {
  expect(measure([{ path: 'server/http/work.test.ts', text: lines(400) }]).files.count).toBe(0);
});

const small = Array.from({ length: 20 }, (_, index) => ({
  path: `server/http/small-${index}.ts`,
  text: 'export function work() {\n  return 1;\n}\n',
}));
