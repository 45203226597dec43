import '@fastify/multipart';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyRequest } from 'fastify';
import type { Route } from '@matterdesk/contract/route.ts';
import { invalidField, Refusal } from '../core/refusal.ts';
import { printable } from './validate.ts';

export type UploadLimits = { bytes: number; files: number };
/** An arriving file. A file of a request reports, once its bytes are read, whether it exceeded the limit. */
export type IncomingFile = { name: string; bytes: Readable; isCut?: () => boolean };

/**
 * The parts of a multipart upload, with each text field of the route at most once.
 * @throws Refusal invalidInput, tooLarge
 */
export async function* readUpload(
  request: FastifyRequest,
  { file = '', fields = [] }: Pick<Route, 'file' | 'fields'>,
  { bytes, files }: UploadLimits,
): AsyncGenerator<{ field: string; value: string } | IncomingFile> {
  const limits = { fileSize: bytes, files, fields: 10, fieldSize: 4000, parts: files + 10 };
  // Browsers send file names in UTF-8; the parser defaults to Latin-1.
  const options = { limits, defParamCharset: 'utf8', preservePath: true };
  const left = new Set(fields);
  try {
    for await (const part of request.parts(options)) {
      const name = printable(part.fieldname);
      if (part.type === 'field') {
        if (!left.delete(part.fieldname)) throw invalidField(name, wrongField(name, fields));
        yield { field: part.fieldname, value: textOf(part.value) };
      } else if (part.fieldname !== file)
        throw invalidField(name, `Files must be in the field ${file}`);
      else
        yield {
          name: part.filename,
          bytes: part.file,
          isCut: () => part.file.truncated,
        };
    }
  } catch (error) {
    throw toUploadRefusal(error);
  } finally {
    drainBody(request);
  }
}

/** The rest of a refused body is read and dropped: many clients send everything before they read a reply. */
export function drainBody({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
}

/**
 * @param most bytes, as in the limits of the upload
 * @throws Refusal invalidInput for a file whose end is missing, tooLarge
 */
export async function readBytes(file: IncomingFile, most: number): Promise<Buffer> {
  const bytes = await buffer(file.bytes).catch((error: unknown) => {
    throw toUploadRefusal(error);
  });
  if (file.isCut?.()) throw fileTooLarge(most);
  return bytes;
}

/** @param most bytes */
export function fileTooLarge(most: number): Refusal {
  return new Refusal('tooLarge', `The file can have up to ${most / 1_048_576} MB`);
}

/** Bytes of a body as its sender declared them, which is the most that arrives; undefined for a body that only ends. */
export function declaredLength({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

function wrongField(name: string, fields: readonly string[]): string {
  return fields.includes(name) ? `Duplicate field: ${name}` : `Unknown field: ${name}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const TOO_MANY = new Set(['FST_FILES_LIMIT', 'FST_FIELDS_LIMIT', 'FST_PARTS_LIMIT']);

/** Separates the client's errors in an upload from failures of the server. */
export function toUploadRefusal(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (code && TOO_MANY.has(code))
    return new Refusal('invalidInput', 'The upload has too many parts');
  if (statusCode === 413) return new Refusal('tooLarge', 'The upload is too large');
  if (
    code?.startsWith('FST_') ||
    (error instanceof Error && /multipart|boundary|unexpected end|part/i.test(error.message))
  )
    return new Refusal('invalidInput', 'The upload is not valid multipart data', { cause: error });
  return error;
}
