import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { type FileEvent, fileRoutes } from '@matterdesk/contract/files.ts';
import { importRoutes } from '@matterdesk/contract/imports.ts';
import type { RouteReply } from '@matterdesk/contract/route.ts';
import type { templateRoutes } from '@matterdesk/contract/templates.ts';
import type { Client, Reply } from './client.ts';

const TYPE = 'application/octet-stream';

type Place = { caseId: string; folder: string; name: string };

/** The name is sent verbatim, unlike in browsers. */
type FilePart = { name: string | Buffer; bytes: Uint8Array; type?: string; field?: string };
/** One part of an upload. */
export type Part = { field: string; value: string } | FilePart;

type Whose = { token?: string | undefined; caseId: string; folder: string };

/** The usual fields, then these files. */
export function filesIn({ caseId, folder }: Whose, ...files: Part[]): Part[] {
  return [{ field: 'caseId', value: caseId }, { field: 'folder', value: folder }, ...files];
}

/** Sends the parts verbatim in this order. */
export async function sendParts(
  client: Pick<Client, 'request'>,
  token: string | undefined,
  parts: Part[],
): Promise<Reply<{ urls: string[] } | null>> {
  const reply = await sendTo(client, { path: fileRoutes.uploadFiles.path, token, parts });
  return reply as Reply<{ urls: string[] } | null>;
}

/** A new version of a file, under its own name unless another is given. */
export async function sendVersion(
  client: Pick<Client, 'request'>,
  at: Place & { token: string | undefined },
  ...contents: (Uint8Array | FilePart)[]
): Promise<Reply<FileEvent | null>> {
  const [caseId, folder, name] = [at.caseId, at.folder, at.name].map(encodeURIComponent);
  const reply = await sendTo(client, {
    path: `/api/v1/files/versions/${caseId}/${folder}/${name}`,
    token: at.token,
    parts: contents.map((part) => ('bytes' in part ? part : { name: at.name, bytes: part })),
  });
  return reply as Reply<FileEvent | null>;
}

/** A template, or a new version of the one with this id; fields first. */
export async function sendTemplate(
  client: Pick<Client, 'request'>,
  { token, id }: { token: string | undefined; id?: string },
  { fields = {}, bytes }: { fields?: Record<string, string>; bytes: Uint8Array },
): Promise<Reply<RouteReply<typeof templateRoutes.addTemplate>>> {
  const texts = Object.entries(fields).map(([field, value]) => ({ field, value }));
  const parts = [...texts, { name: 'Letter.docx', bytes, field: 'file' }];
  const path = `/api/v1/templates${id === undefined ? '' : `/${id}/versions`}`;
  const reply = await sendTo(client, { path, token, parts });
  return reply as Reply<RouteReply<typeof templateRoutes.addTemplate>>;
}

/** An export of another system; files by their paths. */
export async function sendExport(
  client: Pick<Client, 'request'>,
  { token, profile, dir }: { token: string | undefined; profile: string; dir?: string },
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Reply<RouteReply<typeof importRoutes.addImport>>> {
  const texts = Object.entries({ profile, ...(dir !== undefined && { dir }) });
  const parts: Part[] = [
    ...texts.map(([field, value]) => ({ field, value })),
    ...Object.entries(files).map(([name, content]) => ({
      field: 'files',
      name,
      bytes: Buffer.from(content),
    })),
  ];
  const reply = await sendTo(client, { path: importRoutes.addImport.path, token, parts });
  return reply as Reply<RouteReply<typeof importRoutes.addImport>>;
}

function sendTo(
  { request: ask }: Pick<Client, 'request'>,
  { path, token, parts }: { path: string; token: string | undefined; parts: Part[] },
) {
  const boundary = `b${randomBytes(12).toString('hex')}`;
  const end = Buffer.from(`--${boundary}--\r\n`);
  const body = Buffer.concat([...parts.map((part) => encode(part, boundary)), end]);
  return ask(path, { method: 'POST', headers: headersOf(boundary, token), body });
}

/** One file with any name, encoded as usual. */
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

/** A running upload of unknown length. */
export type OpenUpload = {
  /** Starts another file. */
  begin: (name: string) => Promise<void>;
  /** Sends bytes; waits until the system has accepted them. */
  send: (bytes: Uint8Array) => Promise<void>;
  /** Ends the current file. */
  endFile: () => Promise<void>;
  /** Ends the upload; resolves with status and envelope. */
  finish: () => Promise<{ status: number; text: string }>;
  /** Disconnects. */
  abort: () => void;
  /** Resolves with the reply, even before everything is sent. */
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
  // After a disconnect the reply does not matter.
  reply.catch(() => undefined);
  // A server that has replied closes a connection on which more arrives.
  asked.on('error', () => undefined);
  const send = async (bytes: Uint8Array) => {
    if (!asked.write(bytes) && !asked.destroyed)
      await Promise.race([once(asked, 'drain'), reply]).catch(() => reply);
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

/** Relative paths of all files below a directory. */
export async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}
