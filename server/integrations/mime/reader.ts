import path from 'node:path';
import pLimit from 'p-limit';
import type { ConfinedProcess } from '../confinement/confined-process.ts';
import { Spare } from '../confinement/spare.ts';
import type { WholeMail } from '../google/whole-mail.ts';
import { AnswerSchema } from './answers.ts';

export type Order = {
  wanted: 'mail' | 'raw' | { part: string };
  /** Addresses of the reader in lower case, which point to no case. */
  own: string[];
  /** Bytes that follow. */
  size: number;
};
/** `whole` is Gmail's answer with the raw mail in it. */
export type Errand = Omit<Order, 'size'> & { whole: WholeMail };

const MEBIBYTE = 1024 * 1024;
/** Milliseconds for a mail. */
const PATIENCE = 20_000;
const MOST_MEMORY = 1200 * MEBIBYTE;
/** Mails at a time. */
const AT_ONCE = 2;

const program = { script: path.join(import.meta.dirname, 'child.ts'), heap: 700 };
/** Gmail's largest mail has 50 MB. */
const spare = new Spare(program, { longest: 64 * MEBIBYTE, rest: 60_000 });

/** The mail is damaged, or parsing it takes too much time or memory. */
export class UnreadableMail extends Error {}

/** Parses each mail in a confined process of its own. */
export class MailReader {
  readonly #limit = pLimit(AT_ONCE);

  /** @throws UnreadableMail */
  read(errand: Errand) {
    return this.#limit(async () => {
      const child = await spare.take();
      const timer = setTimeout(() => child.kill(), PATIENCE);
      const stopWatching = child.watchMemory(MOST_MEMORY, () => child.kill());
      try {
        return await ask(child, errand);
      } catch {
        // The cause is dropped, since a parser's message may quote the mail.
        throw new UnreadableMail('the parser gave up, or it took too much');
      } finally {
        clearTimeout(timer);
        stopWatching();
        child.kill();
      }
    });
  }
}

async function ask(child: ConfinedProcess, { whole, ...order }: Errand) {
  const fed = child.feed({ ...order, size: whole.size } satisfies Order, whole.open());
  const first = await child.receive();
  if (!first) throw new Error('no answer');
  const { hasBytes, ...answer } = AnswerSchema.parse(JSON.parse(first.toString('utf8')));
  const bytes = hasBytes ? await child.receive() : undefined;
  if (hasBytes && !bytes) throw new Error('no bytes');
  await fed;
  return { ...answer, bytes };
}
