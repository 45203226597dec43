import { expect, test } from 'vitest';
import { weights } from '@matterdesk/server/features/ai/retrieval/rules.weights.ts';
import {
  merge,
  unitsOf,
  DEPTHS,
  mean,
  placeIn,
  score,
  withNearMisses,
  withoutParagraphs,
  readVariants,
  vary,
} from './measure.ts';

const at = (depth: number) => DEPTHS.indexOf(depth);
const hit = (start: number, end: number, file = 'a.txt') => ({ file, start, end });

test('the measurement counts what the first passages hold of the gold', () => {
  const hits = [hit(0, 100, 'b.txt'), hit(0, 50), hit(25, 75)];
  const { recall, precision, hit: met } = score(hits, 'a.txt', [{ start: 40, end: 60 }]);
  expect([recall[at(1)], recall[at(2)], recall[at(4)]]).toEqual([0, 0.5, 1]);
  expect([precision[at(1)], precision[at(2)], precision[at(4)]]).toEqual([0, 10 / 150, 20 / 200]);
  expect([met[at(1)], met[at(2)]]).toEqual([0, 1]);
});

test('the measurement has nothing to say without passages', () => {
  expect(score([], 'a.txt', [{ start: 0, end: 1 }]).precision).toEqual(DEPTHS.map(() => 0));
  expect(mean([]).recall).toEqual(DEPTHS.map(() => 0));
});

test('the measurement counts spans in code points', () => {
  expect(unitsOf('a😀b', 2)).toBe(3);
  expect(unitsOf('plain', 3)).toBe(3);
  expect(unitsOf('ab', 9)).toBe(2);
});

test('the measurement merges spans that overlap', () => {
  const spans = [hit(5, 9), hit(0, 3), hit(2, 4), hit(7, 7)].map(({ start, end }) => ({
    start,
    end,
  }));
  expect(merge(spans)).toEqual([
    { start: 0, end: 4 },
    { start: 5, end: 9 },
  ]);
});

test('the measurement finds places again in a text with other blanks', () => {
  const original = '\ufeffOne\u2003 two\u0093 \u3000\r\n😀 three four';
  const extracted = 'One two\n😀 three four';
  const start = extracted.indexOf('three');
  const place = placeIn(original, extracted)({ start, end: start + 'three'.length });
  expect(original.slice(place.start, place.end).trim()).toBe('three');
});

test('the measurement removes only the paragraphs that answer', () => {
  const text = 'Rent is $900.\n\nLate rent bears interest.\n \nNo pets.';
  const start = text.indexOf('Late');
  expect(withoutParagraphs(text, [{ start, end: start + 4 }])).toBe(
    'Rent is $900.\n\n\n \nNo pets.',
  );
  const test = {
    query: 'When is interest due?',
    file: 'a/lease.txt',
    gold: [{ start, end: start + 4 }],
  };
  const easy = { query: 'Is there a pool?', file: 'a/lease.txt', gold: [] };
  const { corpus, benchmarks } = withNearMisses({
    corpus: new Map([['a/lease.txt', text]]),
    benchmarks: [{ name: 'leases', tests: [test, easy] }],
  });
  const copy = 'a/leases near misses/lease 1.txt';
  expect(benchmarks[1]).toEqual({
    name: 'leases near misses',
    tests: [{ query: test.query, file: copy, gold: [] }],
  });
  expect(corpus.get(copy)).not.toContain('interest');
  expect(corpus.get('a/lease.txt')).toBe(text);
});

test('the measurement runs with each given value of a weight and then restores it', async () => {
  const usual = weights.standsOut;
  const measured: number[] = [];
  const measure = () => {
    measured.push(weights.standsOut);
    return Promise.resolve({ right: 1, confident: 2, misled: 3 });
  };
  const lines = await Array.fromAsync(vary(readVariants('standsOut=0.2,0.4'), measure));
  expect(measured).toEqual([0.2, 0.4]);
  expect(lines[0]).toBe('standsOut 0.2: right 1 confident 2 misled 3');
  expect(weights.standsOut).toBe(usual);
  expect(() => readVariants('standOut=1')).toThrow('Unknown weight');
  expect(() => readVariants('standsOut=')).toThrow('Not a list');
});
