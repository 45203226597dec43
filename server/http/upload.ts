import '@fastify/multipart';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { invalidField, Refusal } from './refusal.ts';

export type UploadLimits = { bytes: number; files: number };
/** One file as it comes in. `isCut` is known once its bytes are read: it was longer than allowed. */
export type IncomingFile = { name: string; bytes: Readable; isCut: () => boolean };

/**
 * The parts of a multipart upload, its text fields first.
 * @param named the field of the files
 * @throws Refusal invalidInput, tooLarge
 */
export async function* readUpload(
  request: FastifyRequest,
  named: string,
  { bytes, files }: UploadLimits,
): AsyncGenerator<{ field: string; value: string } | IncomingFile> {
  const limits = { fileSize: bytes, files, fields: 10, fieldSize: 4000, parts: files + 10 };
  // Names of files come in UTF-8 from every browser; the parser's own default is Latin-1.
  const options = { limits, defParamCharset: 'utf8', preservePath: true };
  try {
    for await (const part of request.parts(options)) {
      if (part.type === 'field') yield { field: part.fieldname, value: textOf(part.value) };
      else if (part.fieldname !== named)
        throw invalidField(part.fieldname.slice(0, 40), `Files belong to the field ${named}`);
      else
        yield {
          name: part.filename,
          bytes: part.file,
          isCut: () => part.file.truncated,
        };
    }
  } catch (error) {
    throw toUploadRefusal(error);
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What breaks while a part is read is the sender's fault as often as the store's. */
export function toUploadRefusal(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (statusCode === 413) return new Refusal('tooLarge', 'The upload is too large');
  if (
    code?.startsWith('FST_') ||
    (error instanceof Error && /multipart|boundary|unexpected end|part/i.test(error.message))
  )
    return new Refusal('invalidInput', 'The upload is not valid multipart data', { cause: error });
  return error;
}
