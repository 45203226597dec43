import path from 'node:path';
import pLimit from 'p-limit';
import { type ConfinedProcess, StandbyProcess } from '../confinement/confined-process.ts';
import { AnswerSchema } from './answers.ts';
import { holdBytes, type HeldBytes } from './held-bytes.ts';

export type Order = {
  wanted: 'mail' | 'raw' | { part: string };
  /** Addresses of the reader in lower case, which point to no case. */
  own: string[];
  /** Bytes that follow. */
  size: number;
};
/** `whole` is Gmail's answer with the raw mail in it. */
export type MailRequest = Omit<Order, 'size'> & { whole: HeldBytes };

const MEBIBYTE = 1024 * 1024;
/** Milliseconds for a mail. */
const READ_TIMEOUT_MS = 20_000;
const MAX_MEMORY_BYTES = 1200 * MEBIBYTE;
/** Mails at a time. */
const AT_ONCE = 2;

const program = { script: path.join(import.meta.dirname, 'child.ts'), heap: 700 };
/** Gmail's largest mail has 50 MB. */
const MAX_MAIL_BYTES = 64 * MEBIBYTE;
const spare = new StandbyProcess(program, { longest: MAX_MAIL_BYTES, rest: 60_000 });

/** The mail is damaged, or parsing it takes too much time or memory. */
export class UnreadableMail extends Error {}

/** Parses each mail in a confined process of its own. */
export class MailReader {
  readonly #limit = pLimit(AT_ONCE);
  readonly #directory: string;

  /** @param directory for large attachments that are being read */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * @returns bytes that the caller holds, and releases
   * @throws UnreadableMail
   */
  read(request: MailRequest) {
    return this.#limit(async () => {
      const child = await spare.take();
      child.watchMemory(MAX_MEMORY_BYTES);
      try {
        return await child.within(READ_TIMEOUT_MS, () => ask(child, request, this.#directory));
      } catch {
        // The cause is dropped, since a parser's message may quote the mail.
        throw new UnreadableMail('the parser gave up, or it took too much');
      } finally {
        child.kill();
      }
    });
  }
}

async function ask(child: ConfinedProcess, { whole, ...order }: MailRequest, directory: string) {
  const fed = child.feed({ ...order, size: whole.size } satisfies Order, whole.open());
  const first = await child.receiveAs(AnswerSchema);
  if (!first) throw new Error('no answer');
  const { hasBytes, ...answer } = first;
  await fed;
  if (!hasBytes) return { ...answer, bytes: undefined };
  const tooLarge = () => new Error('too many bytes');
  const bytes = await holdBytes(piecesFrom(child), { directory, most: MAX_MAIL_BYTES, tooLarge });
  return { ...answer, bytes };
}

async function* piecesFrom(child: ConfinedProcess): AsyncGenerator<Buffer> {
  for (;;) {
    const piece = await child.receive();
    if (!piece) throw new Error('no end');
    if (piece.length === 0) return;
    yield piece;
  }
}
