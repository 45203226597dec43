import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import type { Client, Reply } from './client.ts';

const TYPE = 'application/octet-stream';

/** Its name goes out as it is, which no browser would do. */
type FilePart = { name: string | Buffer; bytes: Uint8Array; type?: string; field?: string };
/** One part of an upload. */
export type Part = { field: string; value: string } | FilePart;

type Whose = { token?: string | undefined; caseId: string; folder: string };

/** The usual fields, then these files. */
export function filesIn({ caseId, folder }: Whose, ...files: Part[]): Part[] {
  return [{ field: 'caseId', value: caseId }, { field: 'folder', value: folder }, ...files];
}

/** Sends the parts in this order and to the letter. */
export async function sendParts(
  { request: ask }: Pick<Client, 'request'>,
  token: string | undefined,
  parts: Part[],
): Promise<Reply<{ urls: string[] } | null>> {
  const boundary = `b${randomBytes(12).toString('hex')}`;
  const end = Buffer.from(`--${boundary}--\r\n`);
  const body = Buffer.concat([...parts.map((part) => encode(part, boundary)), end]);
  const reply = await ask(fileRoutes.uploadFiles.path, {
    method: 'POST',
    headers: headersOf(boundary, token),
    body,
  });
  return reply as Reply<{ urls: string[] } | null>;
}

/** One file with any name, in the usual way. */
export function sendFile(
  client: Pick<Client, 'request'>,
  { token, ...place }: Whose,
  file: string | Buffer | FilePart,
) {
  const isName = typeof file === 'string' || Buffer.isBuffer(file);
  const part = isName ? { name: file, bytes: Buffer.from('some words') } : file;
  return sendParts(client, token, filesIn(place, part));
}

function encode(part: Part, boundary: string): Buffer {
  return Buffer.concat([headOf(part, boundary), bodyOf(part), Buffer.from('\r\n')]);
}

function bodyOf(part: Part): Uint8Array {
  return 'bytes' in part ? part.bytes : Buffer.from(part.value);
}

function headOf(part: Part, boundary: string): Buffer {
  const begin = `--${boundary}\r\ncontent-disposition: form-data; name="${part.field ?? 'attachments'}"`;
  if (!('bytes' in part)) return Buffer.from(`${begin}\r\n\r\n`);
  return Buffer.concat([
    Buffer.from(`${begin}; filename="`),
    Buffer.from(part.name),
    Buffer.from(`"\r\ncontent-type: ${part.type ?? TYPE}\r\n\r\n`),
  ]);
}

function headersOf(boundary: string, token: string | undefined) {
  const type = `multipart/form-data; boundary=${boundary}`;
  return { 'content-type': type, ...(token !== undefined && { 'x-auth-token': token }) };
}

/** An upload that is under way, of unknown length. */
export type OpenUpload = {
  /** Begins another file. */
  begin: (name: string) => Promise<void>;
  /** Sends bytes of it; waits until the system has taken them. */
  send: (bytes: Uint8Array) => Promise<void>;
  /** Ends the file that was begun. */
  endFile: () => Promise<void>;
  /** Ends the whole; resolves with the status and the envelope. */
  finish: () => Promise<{ status: number; text: string }>;
  /** Hangs up. */
  abort: () => void;
  /** Resolves as soon as there is a reply, also when not all was sent. */
  reply: Promise<{ status: number; text: string }>;
};

/** Sends the fields of an upload and leaves it open. */
export function openUpload(url: string, { token, ...place }: Whose): OpenUpload {
  const boundary = `b${randomBytes(12).toString('hex')}`;
  const asked = request(url + fileRoutes.uploadFiles.path, {
    method: 'POST',
    headers: headersOf(boundary, token),
    agent: false,
  });
  const reply = replyTo(asked);
  // Whoever hangs up does not wait for it.
  reply.catch(() => undefined);
  const send = async (bytes: Uint8Array) => {
    if (!asked.write(bytes) && !asked.destroyed)
      await Promise.race([once(asked, 'drain'), reply.then(() => undefined)]);
  };
  for (const field of filesIn(place)) asked.write(encode(field, boundary));
  return {
    begin: (name) => send(headOf({ name, bytes: Buffer.alloc(0) }, boundary)),
    send,
    endFile: () => send(Buffer.from('\r\n')),
    finish() {
      asked.end(`--${boundary}--\r\n`);
      return reply;
    },
    abort: () => void asked.destroy(),
    reply,
  };
}

async function replyTo(asked: ClientRequest): Promise<{ status: number; text: string }> {
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return { status: response.statusCode ?? 0, text };
}

/** Files below a directory, by their paths in it. */
export async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}
