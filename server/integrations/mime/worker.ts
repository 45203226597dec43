import { parentPort } from 'node:worker_threads';
import { readMail, readPart } from './read.ts';
import type { Answer, Errand, Whole } from './reader.ts';

// Third-party mail is parsed here, where it can neither block nor crash the server.
parentPort?.on('message', (errand: Errand) => {
  // The error is dropped, since a parser's message may quote the mail.
  answer(errand).catch(() => parentPort?.postMessage({ failed: true } satisfies Answer, []));
});

async function answer({ json, wanted }: Errand): Promise<void> {
  const { raw, ...whole } = open(json);
  if (wanted === 'raw') return send({ whole, bytes: copy(raw) });
  if (wanted === 'mail') return send({ whole, mail: await readMail(raw) });
  const part = await readPart(raw, wanted.part);
  if (!part) return send({ whole });
  const { bytes, ...attachment } = part;
  return send({ whole, attachment, bytes: copy(bytes) });
}

function send(answer: Answer) {
  const bytes = 'bytes' in answer ? answer.bytes : undefined;
  parentPort?.postMessage(answer, bytes ? [bytes] : []);
}

/** A separate buffer, which can be transferred without another copy. */
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
