import { CompiledQuery } from 'kysely';
import type { EventName, EventPayload } from '@matterdesk/contract/events.ts';
import type { Actor } from '../core/actor.ts';
import { Refusal } from '../core/refusal.ts';
import type { Realtime, Audience } from '../realtime/publisher.ts';
import { insertAudits, type AuditEntry } from './audit.ts';
import { transact } from './connect.ts';
import { sendLater } from './connection.ts';
import { claimKey, storeOutcome, type Outcome } from './idempotency.ts';
import type { Once } from '../core/once.ts';
import type { Database, Transaction } from './schema.ts';

const SAVEPOINT = CompiledQuery.raw('savepoint work');
const ROLLBACK = CompiledQuery.raw('rollback to savepoint work');

/** Effects that run between two waits for the other processes. */
const BATCH = 50;

/** A write: its transaction, its audit entries, and its effects after the commit. */
export class Unit {
  readonly trx: Transaction;
  readonly #actor: Actor | null;
  readonly #afterCommit: ((realtime: Realtime) => void)[] = [];

  constructor(trx: Transaction, actor: Actor | null) {
    this.trx = trx;
    this.#actor = actor;
  }

  /** Writes an audit entry at the latest with the commit, whose error may be the entry's. */
  async record(entry: AuditEntry): Promise<void> {
    await this.recordAll([entry]);
  }

  async recordAll(entries: AuditEntry[]): Promise<void> {
    await insertAudits(this.trx, this.#actor, entries);
  }

  /** Broadcasts after the commit, except to the socket that made the change. */
  emit<Name extends EventName>(
    name: Name,
    payload: EventPayload<Name>,
    options: { audience?: Audience; at?: string } = {},
  ): void {
    const actor = this.#actor;
    this.afterCommit((realtime) => realtime.publish(name, payload, { actor, ...options }));
  }

  afterCommit(effect: (realtime: Realtime) => void): void {
    this.#afterCommit.push(effect);
  }

  /** Runs the effects. Between portions of a large batch, other events are delivered. */
  async runEffects(realtime: Realtime): Promise<void> {
    for (const [index, effect] of this.#afterCommit.entries()) {
      if (index > 0 && index % BATCH === 0) await realtime.drain();
      effect(realtime);
    }
  }
}

/** Runs writes: commits, then broadcasts, and honors each idempotency key once. */
export class Writer {
  readonly #db: Database;
  readonly #realtime: Realtime;

  constructor(db: Database, realtime: Realtime) {
    this.#db = db;
    this.#realtime = realtime;
  }

  /**
   * @param once the caller's idempotency key: a repeat gets the outcome of the first request
   * @throws Refusal idempotencyKeyReused when the key was used for another request
   */
  async run<T>(actor: Actor | null, work: (unit: Unit) => Promise<T>, once?: Once): Promise<T> {
    const { outcome, unit } = await transact(this.#db, async (trx) => {
      const written = new Unit(trx, actor);
      if (!once) return { outcome: { value: await work(written) }, unit: written };
      const before = await claimKey(trx, once);
      if (before) return { outcome: before as Outcome<T>, unit: undefined };
      const result = await attempt(trx, () => work(written));
      await storeOutcome(trx, once, result);
      return { outcome: result, unit: 'value' in result ? written : undefined };
    });
    await unit?.runEffects(this.#realtime);
    if ('value' in outcome) return outcome.value;
    const { code, message, errors } = outcome.refusal;
    throw new Refusal(code, message, errors ? { errors } : {});
  }
}

/** Rolls back refused work but keeps the key's claim, so that the refusal is stored like a success. */
async function attempt<T>(trx: Transaction, work: () => Promise<T>): Promise<Outcome<T>> {
  await sendLater(trx, SAVEPOINT);
  try {
    return { value: await work() };
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    await sendLater(trx, ROLLBACK);
    const { code, message, errors } = error;
    return { refusal: { code, message, errors } };
  }
}
