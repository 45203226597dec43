import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { openDatabase, openPool } from '../../../db/connect.ts';
import type { Database } from '../../../db/schema.ts';
import { DiskBlobStore } from '../../../integrations/blobs/disk.ts';
import { createTestDatabase } from '../../../testing/database.ts';
import { sweepUploads } from './service.uploads.ts';

test('an upload is deleted after 24 hours with its bytes, also when a crash left it incomplete', async () => {
  const database = await createTestDatabase();
  const pool = openPool(database.connection, () => undefined);
  const db = openDatabase(pool);
  const directory = await mkdtemp(path.join(tmpdir(), 'matterdesk-files-'));
  const blobs = await DiskBlobStore.open(directory);
  const userId = await addUser(db);
  const user = { user_id: userId, name: 'x' };
  const old = new Date(Date.now() - 25 * 3600_000);
  for (const [index, created_at] of [old, new Date()].entries()) {
    const blob_key = randomUUID();
    await blobs.write(blob_key, Readable.from([Buffer.from('bytes')]));
    const is_whole = index > 0;
    const row = { ...user, blob_key, size: 5, is_whole, created_at };
    await db.insertInto('mail_uploads').values(row).execute();
  }
  await db
    .insertInto('outgoing_mails')
    .values({
      user_id: userId,
      state: 'sent',
      refused_as: null,
      refusal: null,
      created_at: new Date(0),
    })
    .execute();
  await sweepUploads({ db, blobs });
  const left = await db.selectFrom('mail_uploads').select(['is_whole']).execute();
  expect(left).toEqual([{ is_whole: true }]);
  const files = await readdir(directory, { recursive: true });
  expect(files.filter((name) => /[0-9a-f-]{36}$/.test(name))).toHaveLength(1);
  expect(await db.selectFrom('outgoing_mails').select('id').execute()).toEqual([]);
  await pool.end();
  await database.drop();
});

async function addUser(db: Database): Promise<string> {
  const person = {
    first_name: 'Ada',
    last_name: 'Lovelace',
    phone_number: '1',
    role: 'user',
  } as const;
  const address = { email: 'ada@firm.example', email_key: 'ada@firm.example' };
  const standing = { active: true, approved: true, permissions: '{}', search_text: 'ada' };
  const { id } = await db
    .insertInto('users')
    .values({ ...person, ...address, ...standing, password_hash: 'none' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
