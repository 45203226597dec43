import '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { invalidField } from '../core/refusal.ts';
import { readForm } from './form-body.ts';
import { declaredLength, type IncomingFile } from './upload.ts';

/** A form that a browser sent. `text` is whole when the files have been read. */
export type SentForm = {
  text: ReadonlyMap<string, readonly string[]>;
  files: AsyncGenerator<IncomingFile>;
  /** Bytes of the request, if declared. */
  length: number | undefined;
};

export type FormLimits = {
  /** Controls that take files. */
  fileNames: ReadonlySet<string>;
  files: number;
  /** Of each file. */
  bytes: number;
};

const FIELDS = 200;
const FIELD_BYTES = 20_000;

/** Reads a form in either encoding, with or without files. */
export function readSentForm(request: FastifyRequest, limits: FormLimits): SentForm {
  const text = new Map<string, string[]>();
  const files = request.isMultipart() ? readParts(request, limits, text) : readText(request, text);
  return { text, files, length: declaredLength(request) };
}

/** The rest of a refused body is read and dropped: browsers send everything before they read a reply. */
export function dropRest({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
}

function add(text: Map<string, string[]>, name: string, value: string) {
  const values = text.get(name);
  if (values) values.push(value);
  else text.set(name, [value]);
}

async function* readText(request: FastifyRequest, text: Map<string, string[]>) {
  for (const [name, value] of Object.entries(readForm(request)))
    for (const each of Array.isArray(value) ? value : [value]) add(text, name, each);
  yield* [];
}

async function* readParts(
  request: FastifyRequest,
  { fileNames, files, bytes }: FormLimits,
  text: Map<string, string[]>,
): AsyncGenerator<IncomingFile> {
  // A control without a chosen file sends an empty one.
  const parts = files + fileNames.size;
  const limits = {
    fileSize: bytes,
    files: parts,
    fields: FIELDS,
    fieldSize: FIELD_BYTES,
    parts: FIELDS + parts,
  };
  let count = 0;
  const options = { limits, defParamCharset: 'utf8', preservePath: true };
  for await (const part of request.parts(options)) {
    if (part.type === 'field') {
      add(text, part.fieldname, typeof part.value === 'string' ? part.value : '');
      continue;
    }
    if (part.filename === '' || !fileNames.has(part.fieldname)) {
      part.file.resume();
      continue;
    }
    count += 1;
    if (count > files) throw invalidField('files', `At most ${files} files`);
    yield { name: part.filename, bytes: part.file, isCut: () => part.file.truncated };
  }
}
