import { beforeAll, expect, test } from 'vitest';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { fold } from '../../db/search.ts';
import { suite } from '../../testing/app.ts';
import { openCase, registerAdmin } from '../../testing/factories.ts';
import { plantDocument, upload } from '../../testing/training.ts';
const { app } = suite({});
let token: string;
let userId: string;

beforeAll(async () => {
  ({ token, id: userId } = await registerAdmin(app));
});

type Sought = { caseId: string; search?: string; limit?: number; cursor?: string };

async function search(query: Sought) {
  const { body } = await app.call(fileRoutes.searchFiles, { token, query });
  return body;
}

async function newLibrary() {
  const { id: caseId } = await openCase(app, token);
  const plant = (folder: string, name: string, pages: string[], more = {}) =>
    plantDocument(app, { caseId, userId, folder, name, pages, ...more });
  const namesOf = async (words: string) => {
    const { files, total } = await search({ caseId, search: words });
    expect(total).toBe(files.length);
    return files.map(({ folder, name }) => `${folder}/${name}`);
  };
  return { caseId, plant, namesOf };
}

test('the search finds files by words of their names and of their texts, in any order', async () => {
  const { caseId, plant, namesOf } = await newLibrary();
  await plant('Police', 'Report.pdf', [
    'The tow truck stood\nin the intersection.',
    'Seen by Ödön Weiß.',
  ]);
  await plant('Medical', 'Bill 2.pdf', ['An ambulance to 100% of_the clinic.']);
  await plant('Medical', 'Broken truck.pdf', ['never read'], {
    status: 'failed',
    error: 'damaged',
  });
  await upload(
    { url: app.url, token },
    { caseId, folder: 'Medical', name: 'Weiss.txt' },
    Buffer.from('x'),
  );

  expect(await namesOf('TRUCK')).toEqual(['Medical/Broken truck.pdf', 'Police/Report.pdf']);
  expect(await namesOf('weiß truck ödön')).toEqual(['Police/Report.pdf']);
  expect(await namesOf('WEISS')).toEqual(['Medical/Weiss.txt', 'Police/Report.pdf']);
  expect(await namesOf('report section')).toEqual(['Police/Report.pdf']);
  expect(await namesOf('"stood in"')).toEqual(['Police/Report.pdf']);
  expect(await namesOf('"in stood"')).toEqual([]);
  expect(await namesOf('never')).toEqual([]);
  expect(await namesOf('0%')).toEqual(['Medical/Bill 2.pdf']);
  expect(await namesOf('f_t')).toEqual(['Medical/Bill 2.pdf']);
  expect(await namesOf('% %')).toEqual(['Medical/Bill 2.pdf']);
  expect(await namesOf('')).toHaveLength(4);
});

test('the search shows the text around a word, and nothing when only the name has it', async () => {
  const { caseId, plant } = await newLibrary();
  const long = `${'A quiet street lies there. '.repeat(40)}Then the Żurek policy lapsed. ${'Nothing followed it. '.repeat(40)}`;
  await plant('A', 'Żurek.pdf', ['No word of it.']);
  await plant('B', 'Żurek 2.pdf', [long, long]);
  const { files } = await search({ caseId, search: 'lapsed żurek' });
  expect(files).toEqual([
    {
      url: expect.stringContaining('/B/'),
      folder: 'B',
      name: 'Żurek 2.pdf',
      excerpt: expect.any(String),
    },
  ]);
  const excerpt = files[0]?.excerpt ?? '';
  expect(excerpt).toMatch(/^….*Then the Żurek policy lapsed\. .*…$/);
  expect(excerpt.length).toBeLessThan(300);
  const byName = await search({ caseId, search: 'pdf' });
  expect(byName.files.map(({ excerpt }) => excerpt)).toEqual([null, null]);
});

test('the search goes on by folder and name from a cursor, also after a deletion', async () => {
  const { caseId, plant } = await newLibrary();
  for (const folder of ['b', 'a'])
    for (const name of ['2', '1']) await plant(folder, `n${name}`, []);
  const first = await search({ caseId, search: 'n', limit: 2 });
  expect(first).toMatchObject({ total: 4, files: [{ url: expect.stringMatching(/a\/n1$/) }, {}] });
  const params = { caseId, folder: 'a', name: 'n2' };
  await app.call(fileRoutes.deleteFile, { token, params });
  const rest = await search({ caseId, search: 'n', limit: 2, cursor: first.nextCursor ?? '' });
  expect(rest.files.map(({ folder, name }) => folder + name)).toEqual(['bn1', 'bn2']);
  expect(rest).toMatchObject({ total: 3, nextCursor: null });
  const refused = { token, query: { caseId, cursor: 'x' } };
  expect(await app.call(fileRoutes.searchFiles, refused)).toMatchObject({ status: 400 });
  const unknown = { token, query: { caseId: 'x', search: 'n' } };
  expect(await app.call(fileRoutes.searchFiles, unknown)).toMatchObject({
    status: 404,
    message: 'Case not found',
  });
});

test('the search folds pages in the database as names are folded here', async () => {
  const texts = [
    'ẞ Straße SS',
    'ΣΊΣΥΦΟΣ Σίσυφος',
    'ﬁling İstanbul Ǆ ŉ',
    'e\u0301 É Ångström',
    'ДѢЛО К',
  ];
  for (const text of texts) {
    const { rows } = await app.pool.query<{ folded: string }>('select fold_page($1) folded', [
      text,
    ]);
    expect(rows[0]?.folded).toBe(fold(text));
  }
});
