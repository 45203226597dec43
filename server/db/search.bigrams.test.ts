import { expect, test } from 'vitest';
import { suite } from '../testing/app.ts';

const { app } = suite({});

test('the pairs of a text are its neighbors, and its last character with the end', async () => {
  const separators = ['\u0001', '\\&', '$1', '%_', '\n\n', ' \t'];
  const texts = ['', 'a', 'ab', 'aaaa', 'zoë 日本 𝒳\u0301', ...separators];
  for (const text of [...texts, texts.join('x')]) {
    const letters = [...text];
    const pairs = letters.map((letter, at) => letter + (letters[at + 1] ?? '\n'));
    const { rows } = await app.pool.query<{ found: string[] }>(
      'select tsvector_to_array(bigrams($1)) as found',
      [text],
    );
    expect(new Set(rows[0]?.found)).toEqual(new Set(pairs));
  }
});
