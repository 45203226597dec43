import type { Database } from '../../db/schema.ts';
import type { Seal } from '../../db/seal.ts';
import type { Queue } from '../../jobs/queue.ts';
import * as rules from './rules.ts';
import type { Google } from './service.access.ts';
import * as store from './store.ts';

type Parts = { db: Database; seal: Seal; queue: Queue; google: Google | undefined };

/** Revokes at Google what was disconnected here, again and again until Google has heard of it. */
export class Revoker {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { google, queue } = this.#parts;
    if (google) await queue.work('revoke', 1, (sealed) => this.#revoke(google, sealed));
  }

  async #revoke({ signIn }: Google, sealed: string): Promise<void> {
    const { db, seal } = this.#parts;
    const opened = seal.open(Buffer.from(sealed, 'base64'), rules.REVOCATION);
    // Sealed under a key that is lost: nobody can use it any more.
    if (opened === undefined) return;
    const { refreshToken, email } = JSON.parse(opened) as rules.Revocation;
    // Google forgets all tokens of an account together: whoever is still connected to it would lose theirs.
    if (email !== null && (await store.hasGrantOf(db, email))) return;
    await signIn.revoke(refreshToken);
  }
}
