import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { aiRoutes, type AiStatus } from '@matterdesk/contract/ai.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';

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
  { caseId, folder, name }: Address,
  bytes: Uint8Array,
): Promise<string> {
  const form = new FormData();
  form.set('caseId', caseId);
  form.set('folder', folder);
  form.set('attachments', new Blob([new Uint8Array(bytes)]), name);
  const response = await fetch(url + fileRoutes.uploadFiles.path, {
    method: 'POST',
    headers: { 'x-auth-token': token },
    body: form,
  });
  const reply = (await response.json()) as { body: { urls: string[] } | null; message: string };
  const made = reply.body?.urls[0];
  if (made === undefined) throw new Error(`not uploaded: ${reply.message}`);
  return made;
}

export function train(caller: Caller, { caseId, folder, name }: Address): Promise<AiStatus> {
  const body = { case_id: caseId, folder_to_download: folder, file_name: name };
  return post(caller, aiRoutes.train.path, body);
}

export function check(caller: Caller, { caseId, folder, name }: Address): Promise<AiStatus> {
  return post(caller, aiRoutes.check.path, { case_id: caseId, folder, file_name: name });
}

/** Polls until the file is trained or failed. */
export async function settle(caller: Caller, address: Address): Promise<AiStatus> {
  const status = await check(caller, address);
  if (status.status !== 202) return status;
  await pause(50);
  return settle(caller, address);
}

async function post({ url, token }: Caller, path: string, body: unknown): Promise<AiStatus> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as AiStatus;
}
