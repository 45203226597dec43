// Parses a stranger's mail in a confined process, which the parent may kill at any time.

import { receiveTask, send } from '../confinement/task.ts';
import type { AnswerSchema, Whole } from './answers.ts';
import { cluesOf } from './clues.ts';
import { readMail, readPart } from './read.ts';
import type { Order } from './reader.ts';
import type * as z from 'zod/mini';

/** Bytes of an attachment that are sent at a time, so that the parent need not hold all of them. */
const PIECE = 64 * 1024;

type Answer = Omit<z.infer<typeof AnswerSchema>, 'hasBytes'>;

async function answer({ wanted, own }: Order, json: Buffer): Promise<[Answer, Uint8Array?]> {
  const { raw, ...whole } = open(json);
  if (wanted === 'raw') return [{ whole }, raw];
  if (wanted === 'mail') {
    const mail = await readMail(raw);
    return [{ whole, mail, clues: cluesOf(mail, own) }];
  }
  const part = await readPart(raw, wanted.part);
  if (!part) return [{ whole }];
  const { bytes, ...attachment } = part;
  return [{ whole, attachment }, bytes];
}

type Message = { raw?: string; labelIds?: string[]; threadId?: string; internalDate?: string };

function open(json: Buffer): Whole & { raw: Buffer } {
  const message = JSON.parse(json.toString('latin1')) as Message;
  return {
    raw: Buffer.from(message.raw ?? '', 'base64url'),
    labels: message.labelIds ?? [],
    threadId: message.threadId ?? '',
    arrivedAt: Number(message.internalDate ?? 0),
  };
}

const { order, body } = await receiveTask<Order>();
const [found, bytes] = await answer(order, body);
await send(JSON.stringify({ ...found, hasBytes: bytes !== undefined }));
if (bytes) {
  for (let at = 0; at < bytes.length; at += PIECE) await send(bytes.subarray(at, at + PIECE));
  await send('');
}
