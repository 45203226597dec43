import { describe, expect, test } from 'vitest';
import { checkDocumentWords, checkWords } from './words.ts';

const path = 'server/jobs/rounds.ts';

test('accepts plain words', () => {
  expect(
    check(`
      // Stand-ins answer in the hearing's own time zone; a late fee stands for a fine of 20 %.
      const latest = 1;
      const lateFee = 2;
      const hearing = 'The hearing is at 9, and someone tells the client.';
      const html = <p>No numbers available</p>;
      export { goneFishing as default } from 'nobody';
    `),
  ).toEqual([]);
});

describe('refuses, and says what is better,', () => {
  test.each([
    ['a function’s name', 'const tellSockets = 1;', 'emit, broadcast'],
    ['a state’s name', 'let gone = false;', 'deleted, ended'],
    ['a state as a member', 'const row = { isLate: true };', 'overdue'],
    ['a name with underscores', 'const HEARD_IDS = 1;', 'receive'],
    ['a comment', '// Nobody reads this.', 'no one'],
    [
      'a comment over two lines',
      '/** What the row is\n * not there, word\n * for word. */',
      'verbatim',
    ],
    ['a text on the screen', 'const page = <p>Matters will stand here.</p>;', 'appears'],
    ['a message', 'fail(`${name} is not known here`);', 'Unknown field'],
    ['a British spelling', 'const isLabelled = 1;', 'one l'],
    ['a test title', "test('hangs up on its sockets', run);", 'disconnect'],
  ])('%s', (_what, text, better) => {
    const odd = check(text);
    expect(odd).toHaveLength(1);
    expect(odd[0]?.message).toContain(better);
  });
});

test('names the line', () => {
  expect(check('const a = 1;\n\n// Asks afresh.\n')[0]?.path).toBe(`${path}x:3`);
});

test('holds documents to the same words', () => {
  const text = 'A first paragraph.\n\nThe data is what it was, word\nfor word.\n';
  const odd = checkDocumentWords([{ path: 'docs/a.md', text }]);
  expect(odd).toEqual([
    { path: 'docs/a.md:3', message: expect.stringContaining('verbatim') as string },
  ]);
});

function check(text: string): { path: string; message: string }[] {
  return checkWords([{ path: `${path}x`, text }]);
}
