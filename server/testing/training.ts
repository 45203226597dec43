import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { aiRoutes, type AiStatus } from '@matterdesk/contract/ai.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import type { DocumentsTable } from '../db/schema.ts';
import { fold } from '../db/search.ts';
import type { TestApp } from './app.ts';
import { createClient } from './client.ts';
import { sendFile } from './uploads.ts';

const DOCUMENTS = path.join(import.meta.dirname, 'documents');

/** A file of server/testing/documents. */
export function readDocument(name: string): Promise<Buffer> {
  return readFile(path.join(DOCUMENTS, name));
}

/** A user and a server. */
export type Caller = { url: string; token: string };
export type Address = { caseId: string; folder: string; name: string };

/** @returns the file's URL */
export async function upload(
  { url, token }: Caller,
  { name, ...place }: Address,
  bytes: Uint8Array,
): Promise<string> {
  const reply = await sendFile(createClient(url), { token, ...place }, { name, bytes });
  const made = reply.body?.urls[0];
  if (made === undefined) throw new Error(`not uploaded: ${reply.message}`);
  return made;
}

export function train(caller: Caller, { caseId, folder, name }: Address): Promise<AiStatus> {
  const body = { case_id: caseId, folder_to_download: folder, file_name: name };
  return ask(caller, aiRoutes.train, body);
}

export function check(caller: Caller, { caseId, folder, name }: Address): Promise<AiStatus> {
  return ask(caller, aiRoutes.check, { case_id: caseId, folder, file_name: name });
}

/** Polls until the file is trained or failed. */
export async function settle(caller: Caller, address: Address): Promise<AiStatus> {
  const status = await check(caller, address);
  if (status.status !== 202) return status;
  await pause(50);
  return settle(caller, address);
}

async function ask({ url, token }: Caller, route: Route, body: unknown): Promise<AiStatus> {
  const { text } = await createClient(url).call(route, { token, body });
  return JSON.parse(text) as AiStatus;
}

type Planted = {
  caseId: string;
  userId: string;
  folder: string;
  name: string;
  /** A text per page; a blank line ends a passage. */
  pages: string[];
  status?: DocumentsTable['status'];
  error?: string;
};

/** A file whose document appears trained. */
export async function plantDocument(app: TestApp, planted: Planted): Promise<string> {
  const { pages, status = 'ready' } = planted;
  const fileId = await plantFile(app, planted);
  const { id } = await app.db
    .insertInto('documents')
    .values({
      sha256: createHash('sha256').update(randomUUID()).digest(),
      kind: 'text',
      version: 1,
      status,
      pages: pages.length,
      characters: pages.join('').length,
      error: planted.error ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const training = { file_id: fileId, document_id: id, requested_by: planted.userId };
  await app.db.insertInto('trainings').values(training).execute();
  let start = 0;
  let ordinal = 0;
  for (const [at, text] of pages.entries()) {
    const row = { document_id: id, page: at + 1, start_offset: start, text };
    await app.db.insertInto('document_pages').values(row).execute();
    for (const match of text.matchAll(/(?:[^\n]|\n(?!\n))+/g)) {
      const [from, to] = [start + match.index, start + match.index + match[0].length];
      await sql`insert into passages
        (document_id, ordinal, page, start_offset, end_offset, heading, tsv) values (${id}, ${ordinal},
          ${at + 1}, ${from}, ${to}, '', to_tsvector('english', ${match[0]}))`.execute(app.db);
      ordinal += 1;
    }
    start += text.length;
  }
  return id;
}

async function plantFile(app: TestApp, { caseId, userId, folder, name }: Planted) {
  await app.db
    .insertInto('folders')
    .values({ case_id: caseId, name: folder, name_key: fold(folder) })
    .onConflict((conflict) => conflict.columns(['case_id', 'name_key']).doNothing())
    .execute();
  const place = await app.db
    .selectFrom('folders')
    .select('id')
    .where('case_id', '=', caseId)
    .where('name_key', '=', fold(folder))
    .executeTakeFirstOrThrow();
  const { id } = await app.db
    .insertInto('files')
    .values({
      case_id: caseId,
      folder_id: place.id,
      name,
      name_key: fold(name),
      size: 1,
      mime_type: 'text/plain',
      sha256: Buffer.alloc(32),
      blob_key: randomUUID(),
      uploaded_by: userId,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
