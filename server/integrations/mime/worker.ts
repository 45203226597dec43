import { readMail, readPart } from './read.ts';
import type { Answer, Errand, Whole } from './reader.ts';

/** Parses a stranger's mail in a thread, where it can neither block nor crash the server. */
export async function answer({ json, wanted }: Errand): Promise<Answer> {
  const { raw, ...whole } = open(json);
  if (wanted === 'raw') return { whole, bytes: copy(raw) };
  if (wanted === 'mail') return { whole, mail: await readMail(raw) };
  const part = await readPart(raw, wanted.part);
  if (!part) return { whole };
  const { bytes, ...attachment } = part;
  return { whole, attachment, bytes: copy(bytes) };
}

/** A separate buffer, since transferring a view would transfer the whole buffer. */
function copy(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

type Message = { raw?: string; labelIds?: string[]; threadId?: string; internalDate?: string };

function open(json: ArrayBuffer): Whole & { raw: Buffer } {
  const message = JSON.parse(Buffer.from(json).toString('latin1')) as Message;
  return {
    raw: Buffer.from(message.raw ?? '', 'base64url'),
    labels: message.labelIds ?? [],
    threadId: message.threadId ?? '',
    arrivedAt: Number(message.internalDate ?? 0),
  };
}
