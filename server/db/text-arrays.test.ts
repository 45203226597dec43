import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { suite } from '../testing/app.ts';
import { Random } from '../testing/random.ts';
import { readTextArray } from './text-arrays.ts';

const { app } = suite({});
let read: (written: string) => (string | null)[];

beforeAll(() => {
  const refuse = () => {
    throw new Error('not a plain array');
  };
  read = (written) => readTextArray(written, refuse);
});

const PIECES = ['a', 'NULL', 'null', '"', '\\', '\\\\', ',', '{', '}', ' ', '', 'ä', '\n', '😀'];

/** As PostgreSQL itself writes arrays. */
async function writtenBy(arrays: (string | null)[][]): Promise<string[]> {
  const client = new pg.Client(app.database.connection);
  await client.connect();
  try {
    const written: string[] = [];
    for (const array of arrays) {
      const { rows } = await client.query<{ text: string }>('select $1::text[]::text as text', [
        array,
      ]);
      written.push(rows[0]?.text ?? '');
    }
    return written;
  } finally {
    await client.end();
  }
}

test('an array of arbitrary texts is read as it was written', async () => {
  const random = new Random(7);
  const text = () => Array.from({ length: random.whole(0, 5) }, () => random.pick(PIECES)).join('');
  const arrays = Array.from({ length: 300 }, () =>
    Array.from({ length: random.whole(0, 6) }, () => (random.isLucky(0.1) ? null : text())),
  );
  const written = await writtenBy(arrays);
  expect(written.map(read)).toEqual(arrays);
});

test('an array in an array, and one that begins elsewhere, are left to the driver', () => {
  const left = (written: string) => readTextArray(written, (given) => [`left ${given}`]);
  expect(left('{{a,b},{c,d}}')).toEqual(['left {{a,b},{c,d}}']);
  expect(left('[0:1]={a,b}')).toEqual(['left [0:1]={a,b}']);
});
