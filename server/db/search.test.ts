import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { suite } from '../testing/app.ts';
import { fold, holdsWord } from './search.ts';

const { app } = suite({});

async function isFound(text: string, word: string): Promise<boolean | undefined> {
  const { rows } = await sql<{ found: boolean }>`
    select ${holdsWord(sql`${text}::text`, word)} as found`.execute(app.db);
  return rows[0]?.found;
}

test.each([
  ['Order PHOTOGRAPHS', 'photo'],
  ['Straße', 'Straße'],
  ['Straße', 'STRASSE'],
  ['Strasse', 'Straße'],
  ['Οδυσσεύς', 'Οδυσσεύς'],
  ['Οδυσσεύς', 'ΟΔΥΣΣΕΎΣ'],
  ['ΟΔΥΣΣΕΎΣ', 'Οδυσσεύς'],
  ['the oﬃce', 'oﬃce'],
  ['the oﬃce', 'OFFICE'],
  ['İpek', 'İpek'],
  ['Café'.normalize('NFD'), 'CAFÉ'],
  ['100% of it', '0%'],
])('the text %j holds the word %j', async (text, word) => {
  expect(await isFound(text, word)).toBe(true);
});

test('a text holds each letter that folding changes beyond lower case', async () => {
  const letters = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));
  const special = letters.filter(
    (letter) =>
      letter.isWellFormed() &&
      letter === letter.normalize() &&
      (letter === 'İ' || fold(letter) !== letter.toLowerCase()),
  );
  expect(special.length).toBeGreaterThan(100);
  const found = special.map((letter) => holdsWord(sql`${letter}::text`, letter));
  const { rows } = await sql<{ found: boolean[] }>`
    select array[${sql.join(found)}] as found`.execute(app.db);
  expect(special.filter((_, at) => rows[0]?.found[at] !== true)).toEqual([]);
});

test.each([
  ['Strase', 'Straße'],
  ['one\nSträßchen', 'one s'],
  ['100', '%'],
])('the text %j does not hold the word %j', async (text, word) => {
  expect(await isFound(text, word)).toBe(false);
});
