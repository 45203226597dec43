import { describe, expect, test } from 'vitest';
import { type LeftOut, type Pack, type PackPart, packParts } from '@matterdesk/contract/packs.ts';
import {
  amountInWords,
  endInWords,
  isUnfinished,
  leftOutInWords,
  partsInWords,
  stateInWords,
  totalOf,
  volumeUrl,
  withPart,
} from './rules.ts';

const TODAY = '2026-11-27';
const NOON = '2026-12-04T12:00:00.000Z';
const nothing = { texts: 0, mails: 0, events: 0, answers: 0 };
const parts: Pack['parts'] = [
  { part: 'documents', files: 128, bytes: 1_200_000_000 },
  { part: 'mail', files: 1, bytes: 4000 },
  { part: 'texts', files: 0, bytes: 0 },
];

function pack(own: Partial<Pack> = {}): Pack {
  return {
    n: 1,
    state: 'ready',
    parts,
    volumes: [],
    files: 129,
    bytes: 1_200_004_000,
    leftOut: nothing,
    manifestSha256: null,
    by: { id: 'a', firstName: 'Ama', lastName: 'Owusu' },
    at: NOON,
    expiresAt: null,
    error: null,
    ...own,
  };
}

describe('the parts of a pack', () => {
  test('are said as files and size', () => {
    expect(parts.map(amountInWords)).toEqual(['128 files · 1.2 GB', '1 file · 4 kB', 'No files']);
  });

  test('add up to the total of those chosen', () => {
    expect(totalOf(parts, packParts)).toEqual({ files: 129, bytes: 1_200_004_000 });
    expect(totalOf(parts, ['mail', 'record'])).toEqual({ files: 1, bytes: 4000 });
    expect(totalOf(parts, [])).toEqual({ files: 0, bytes: 0 });
  });

  test('keep the order of the contract when they are chosen', () => {
    expect(withPart(['mail', 'record'], 'documents', true)).toEqual([
      'documents',
      'mail',
      'record',
    ]);
    expect(withPart(['mail', 'record'], 'mail', false)).toEqual(['record']);
    expect(withPart(['mail'], 'mail', true)).toEqual(['mail']);
  });

  test('are named unless the pack has all of them', () => {
    const all = packParts.map((part) => ({ part, files: 1, bytes: 1 }));
    expect(partsInWords(all)).toBeNull();
    expect(partsInWords(parts)).toBe('Documents, Emails, and Texts');
    expect(partsInWords(all.slice(0, -2))).toBe('without Answers and Record');
  });
});

test.each<[Partial<LeftOut>, readonly PackPart[], string]>([
  [{}, packParts, ''],
  [{ texts: 3, mails: 2 }, packParts, '3 texts, 2 emails'],
  [{ texts: 1, mails: 1, events: 1, answers: 1 }, packParts, '1 text, 1 email, 1 event, 1 answer'],
  [{ texts: 3, events: 2 }, ['texts', 'stream'], '3 texts'],
  [{ texts: 3, mails: 2, events: 2, answers: 4 }, ['documents'], ''],
])('what is left out, %o, is for the parts %o “%s”', (leftOut, chosen, words) => {
  expect(leftOutInWords({ ...nothing, ...leftOut }, chosen)).toBe(words);
});

test.each([
  [{ state: 'waiting' }, 'Waiting'],
  [{ state: 'running' }, 'Packing …'],
  [{ state: 'ready', expiresAt: NOON }, 'Ready until Dec 4'],
  [{ state: 'ready', expiresAt: '2027-01-02T12:00:00.000Z' }, 'Ready until Jan 2, 2027'],
  [{ state: 'ready' }, 'Ready'],
  [{ state: 'failed', error: 'No room is left' }, 'Failed: No room is left'],
  [{ state: 'failed' }, 'Failed'],
  [{ state: 'erased', expiresAt: NOON }, 'Erased'],
] as const)('a pack with %o is “%s”', (own, words) => {
  expect(stateInWords(pack(own), TODAY)).toBe(words);
});

test('a pack is unfinished until it is ready, failed or erased', () => {
  const states = ['waiting', 'running', 'ready', 'failed', 'erased'] as const;
  expect(states.filter((state) => isUnfinished({ state }))).toEqual(['waiting', 'running']);
});

describe('the end of a pack', () => {
  const running = pack({ n: 2, state: 'running' });

  test.each([
    [pack({ n: 2 }), 'The pack is ready'],
    [pack({ n: 2, state: 'failed' }), 'The pack failed'],
    [pack({ n: 2, state: 'failed', error: 'No room is left' }), 'The pack failed: No room is left'],
  ])('is announced once: %#', (ended, words) => {
    expect(endInWords([running, pack()], [ended, pack()])).toBe(words);
    expect(endInWords([ended], [ended])).toBeNull();
  });

  test('is not announced while it is being packed, nor when it is erased', () => {
    expect(endInWords([pack({ n: 2, state: 'waiting' })], [running])).toBeNull();
    expect(endInWords([running], [pack({ n: 2, state: 'erased' })])).toBeNull();
  });

  test('is not announced for packs that had ended before', () => {
    expect(endInWords([], [pack()])).toBeNull();
    expect(endInWords([running], [running, pack()])).toBeNull();
  });
});

test('the address of a volume names case, pack and volume', () => {
  expect(volumeUrl('a/b', 3, 2)).toBe('/api/v1/cases/a%2Fb/pack/3/2');
});
