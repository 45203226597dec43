import { describe, expect, test } from 'vitest';
import { checkDocumentWords, checkWords } from './words.ts';

const path = 'server/jobs/rounds.ts';

test('the check accepts plain words', () => {
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
    ['a comment over two lines', '/** The row is\n * not there, word\n * for word. */', 'verbatim'],
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

describe('refuses a comment that opens with a question word:', () => {
  test.each([
    ['a line', '// What a row is.', 'What', 1],
    ['a line after code', 'run(); // By hand.', 'By', 1],
    ['a line after a blank one', '// A row.\n\n// Whom it is for.', 'Whom', 3],
    ['a docstring', '/** Of all rows. */', 'Of', 1],
    ['a docstring over lines', '/**\n * Where rows are\n * kept.\n */', 'Where', 2],
    ['a member', 'type Row = {\n  /** Who wrote it. */\n  by: string;\n};', 'Who', 2],
    ['a comment in a page', 'const page = <p>{/* How it looks. */}</p>;', 'How', 1],
  ])('%s', (_what, text, opening, line) => {
    const message = `a comment opens with "${opening}": open with a noun or a verb`;
    expect(check(text)).toEqual([{ path: `${path}x:${line}`, message }]);
  });
});

test('the check accepts question words within comments and in texts', () => {
  expect(
    check(`
      // The rows of a page.
      // What follows is the second line.
      /** Rows. Of these, none are
       * What they were; Offers and Whole rows open with other words. */
      const url = 'https://matterdesk.example/ // What is here';
      const text = \`// How many: \${url}\`;
      // Offers a row.
      const page = <p>Who can see this matter</p>;
    `),
  ).toEqual([]);
});

test('the check names the line', () => {
  expect(check('const a = 1;\n\n// Asks afresh.\n')[0]?.path).toBe(`${path}x:3`);
});

test('the check holds documents to the same words', () => {
  const text = 'A first paragraph.\n\nThe data is what it was, word\nfor word.\n';
  const odd = checkDocumentWords([{ path: 'docs/a.md', text }]);
  expect(odd).toEqual([
    { path: 'docs/a.md:3', message: expect.stringContaining('verbatim') as string },
  ]);
});

function check(text: string): { path: string; message: string }[] {
  return checkWords([{ path: `${path}x`, text }]);
}
