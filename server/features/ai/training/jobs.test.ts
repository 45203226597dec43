import { beforeAll, expect, test } from 'vitest';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { suite } from '../../../testing/app.ts';
import { openCase, registerAdmin, registerUser, unique } from '../../../testing/factories.ts';
import { longContract, textPdf } from '../../../testing/papers.ts';
import { type Address, check, settle, train, upload } from '../../../testing/training.ts';

const { app } = suite({}, { rounds: true });
let caseId: string;
type Person = { url: string; token: string };
let ada: Person;
let ben: Person;

beforeAll(async () => {
  const admin = await registerAdmin(app);
  ada = { url: app.url, token: admin.token };
  ben = { url: app.url, token: (await registerUser(app)).token };
  caseId = (await openCase(app, admin.token)).id;
});

async function uploaded(bytes: Uint8Array, name = 'file.pdf'): Promise<Address> {
  const address = { caseId, folder: `Folder ${unique()}`, name };
  await upload(ada, address, bytes);
  return address;
}

async function trained(person: Person, bytes: Uint8Array, name?: string): Promise<Address> {
  const address = await uploaded(bytes, name);
  expect((await train(person, address)).status).toBe('200');
  return address;
}

async function remove({ folder, name }: Address): Promise<void> {
  await app.call(fileRoutes.deleteFile, { token: ada.token, params: { caseId, folder, name } });
}

const newPdf = (pages: number) =>
  textPdf(Array.from({ length: pages }, () => [`The tenant owes ${unique()} dollars.`]));
const isWorking = async (address: Address) => ((await check(ada, address)).progress ?? 0) > 0;
const isTraining = async (address: Address) => (await check(ada, address)).status === 202;

async function documentOf({ folder }: Address): Promise<{ id: string; error: string | null }> {
  const { rows } = await app.pool.query<{ id: string; error: string | null }>(
    `select documents.id, documents.error from documents
      join trainings on trainings.document_id = documents.id
      join files on files.id = trainings.file_id join folders on folders.id = files.folder_id where folders.name = $1`,
    [folder],
  );
  return rows[0] ?? { id: '', error: null };
}

/** Milliseconds since 1970. */
async function endOf(address: Address): Promise<number> {
  const { id } = await documentOf(address);
  const { rows } = await app.pool.query<{ at: Date }>(
    'select updated_at as at from documents where id = $1',
    [id],
  );
  return rows[0]?.at.getTime() ?? Number.NaN;
}

test('the training ends with its file, and takes turns between people, smallest file first', async () => {
  // Both workers are busy; one yields its place to Ben, and the other keeps its own to the end, so that the three start
  // one after the other.
  const long = [await trained(ada, longContract(3000)), await trained(ada, longContract(2900))];
  for (const file of long) await expect.poll(() => isWorking(file)).toBe(true);
  const large = await trained(ada, newPdf(30));
  const small = await trained(ada, newPdf(1));
  const other = await trained(ben, newPdf(20));
  for (const file of [large, small, other])
    expect(await settle(ada, file)).toEqual({ status: 201, message: 'Trained' });
  expect(await Promise.all(long.map(isTraining))).toEqual([true, true]);
  const ids = await Promise.all(
    [other, small, large].map(async (file) => (await documentOf(file)).id),
  );
  const { rows } = await app.pool.query<{ id: string }>(
    `select data->>'key' id from jobs.job where name = 'train' and data->>'key' = any($1)
      order by started_on`,
    [ids],
  );
  expect(rows.map(({ id }) => id)).toEqual(ids);

  for (const file of long) await remove(file);
  for (const file of long)
    await expect.poll(async () => (await documentOf(file)).error).toBe('The file was deleted.');
});

test('the training keeps what was read when its work is used up, and goes on when it is trained again', async () => {
  const file = await trained(ada, newPdf(3));
  await settle(ada, file);
  const { id } = await documentOf(file);
  await app.pool.query(
    `update documents set status = 'failed', progress = 0.6, characters = null, error = 'Stopped' where id = $1`,
    [id],
  );
  await app.pool.query('delete from document_pages where document_id = $1 and page = 3', [id]);
  const written = `select xmin::text from document_pages where document_id = $1 and page = 1`;
  const before = (await app.pool.query(written, [id])).rows;
  expect(await train(ada, file)).toEqual({ status: '200', message: 'Training started' });
  expect((await settle(ada, file)).status).toBe(201);
  expect((await app.pool.query(written, [id])).rows).toEqual(before);
});

test('the training yields one of two places to another person at once, and later resumes where it stopped', async () => {
  const letters: Address[] = [];
  for (let n = 0; n < 3; n += 1)
    letters.push(await uploaded(Buffer.from(`The tenant owes ${unique()} dollars.`), 'a.txt'));
  const long = [await trained(ada, longContract(1000)), await trained(ada, longContract(990))];
  for (const file of long) await expect.poll(() => isWorking(file)).toBe(true);
  for (const letter of letters) expect((await train(ben, letter)).status).toBe('200');
  for (const letter of letters)
    expect(await settle(ben, letter)).toEqual({ status: 201, message: 'Trained' });
  for (const file of long)
    expect(await settle(ada, file)).toEqual({ status: 201, message: 'Trained' });
  // As they ended, and not as a busy machine answers.
  const ends = async (files: Address[]) => Promise.all(files.map(endOf));
  expect(Math.max(...(await ends(letters)))).toBeLessThan(Math.min(...(await ends(long))));

  const { rows } = await app.pool.query<{ n: number }>(
    'select count(*)::int n from document_pages where document_id = any($1) group by document_id order by n',
    [await Promise.all(long.map(async (file) => (await documentOf(file)).id))],
  );
  expect(rows.map(({ n }) => n)).toEqual([990, 1000]);
});

test('the training reads megabytes of lines in which no sentence ends', async () => {
  const lines = Array.from({ length: 450_000 }, (_, n) => `exhibit ${n}\n`).join('');
  const file = await trained(ada, Buffer.from(lines), 'exhibits.txt');
  expect(await settle(ada, file)).toEqual({ status: 201, message: 'Trained' });
}, 60_000);
