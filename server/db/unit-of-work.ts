import { CompiledQuery } from 'kysely';
import type { EventName, EventPayload } from '@matterdesk/contract/events.ts';
import type { Actor } from '../core/actor.ts';
import type { IdempotencyKey } from '../core/idempotency-key.ts';
import { Refusal } from '../core/refusal.ts';
import { type Realtime, type Audience, caseIdOf } from '../realtime/publisher.ts';
import { findAudiences, intersectAudiences, type CaseAudience } from './audiences.ts';
import { insertAudits, type AuditEntry } from './audit.ts';
import { isScreenedAssignment, transact } from './connect.ts';
import { sendLater } from './connection.ts';
import { claimKey, storeOutcome, type Outcome } from './idempotency.ts';
import type { Database, Executor, Transaction } from './schema.ts';

const SAVEPOINT = CompiledQuery.raw('savepoint work');
const ROLLBACK = CompiledQuery.raw('rollback to savepoint work');
const TRIAL = {
  begin: CompiledQuery.raw('savepoint trial'),
  keep: CompiledQuery.raw('release savepoint trial'),
  undo: CompiledQuery.raw('rollback to savepoint trial'),
};

/** Events that are sent between two waits for the other processes. */
const EVENTS_PER_BATCH = 50;

/** Something to do after the commit, and the events that it sends. */
type Effect = { weight: number; run: (realtime: Realtime) => void };

/** A write: its transaction, its audit entries, and its effects after the commit. */
export class Unit {
  readonly trx: Transaction;
  readonly #actor: Actor | null;
  readonly #beforeCommit = new Map<string, () => Promise<void>>();
  readonly #afterCommit: Effect[] = [];
  readonly #caseIds = new Set<string>();
  #audiences = new Map<string, CaseAudience>();

  constructor(trx: Transaction, actor: Actor | null) {
    this.trx = trx;
    this.#actor = actor;
  }

  /** Writes an audit entry at the latest with the commit, whose error may be the entry's. */
  async record(entry: AuditEntry): Promise<void> {
    await this.recordAll([entry]);
  }

  async recordAll(entries: AuditEntry[]): Promise<void> {
    if (entries.length > 0) await insertAudits(this.trx, this.#actor, entries);
  }

  /**
   * Broadcasts after the commit, except to the socket that made the change; of a case, to those who see it.
   * @param options among: to these of them alone
   */
  emit<Name extends EventName>(
    name: Name,
    payload: EventPayload<Name>,
    options: { audience?: Audience; among?: CaseAudience; at?: string } = {},
  ): void {
    const actor = this.#actor;
    const caseId = caseIdOf(name, payload);
    if (caseId !== undefined) this.#caseIds.add(caseId);
    this.afterCommit((realtime) => {
      const { audience, among, at } = options;
      const wall = this.#audiences.get(caseId ?? '');
      const reached = audience ?? (among ? intersectAudiences(wall, among) : wall);
      realtime.publish(name, payload, { actor, at, audience: reached });
    });
  }

  /** The same for many cases, whose payloads are made when they are sent. @param payloadsOf a part of the ids */
  emitEach<Name extends EventName>(
    name: Name,
    caseIds: string[],
    payloadsOf: (start: number, end: number) => EventPayload<Name>[],
  ): void {
    const actor = this.#actor;
    for (const id of caseIds) this.#caseIds.add(id);
    for (let start = 0; start < caseIds.length; start += EVENTS_PER_BATCH)
      this.#afterCommit.push({
        weight: EVENTS_PER_BATCH,
        run: (realtime) => {
          for (const payload of payloadsOf(start, start + EVENTS_PER_BATCH)) {
            const audience = this.#audiences.get(caseIdOf(name, payload) ?? '');
            realtime.publish(name, payload, { actor, audience });
          }
        },
      });
  }

  /** Finds the audiences of the emitted events' cases, as the transaction leaves them. */
  async findAudiences(): Promise<void> {
    if (this.#caseIds.size > 0) this.#audiences = await findAudiences(this.trx, [...this.#caseIds]);
  }

  /** Runs just before the commit. @param key calls with the same key run once */
  beforeCommit(key: string, read: () => Promise<void>): void {
    this.#beforeCommit.set(key, read);
  }

  async readLast(): Promise<void> {
    for (const read of this.#beforeCommit.values()) await read();
  }

  afterCommit(run: Effect['run']): void {
    this.#afterCommit.push({ weight: 1, run });
  }

  /** Runs the effects. Between portions of a large batch, other events are delivered. */
  async runEffects(realtime: Realtime): Promise<void> {
    let sent = 0;
    for (const { weight, run } of this.#afterCommit) {
      if (sent >= EVENTS_PER_BATCH) {
        await realtime.drain();
        sent = 0;
      }
      run(realtime);
      sent += weight;
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
   * As the actor, who neither reads nor writes what belongs to a matter that they may not see; without an actor, no
   * matter is visible.
   * @param once the caller's idempotency key: a repeat gets the outcome of the first request
   * @throws Refusal idempotencyKeyReused when the key was used for another request
   */
  run<T>(
    actor: Actor | null,
    work: (unit: Unit) => Promise<T>,
    once?: RepeatableWrite<T>,
  ): Promise<T> {
    return this.#run({ db: actor ? this.#db.as(actor) : this.#db, actor }, work, once);
  }

  /** The server's own write over all matters. @param actor who caused it, if anyone @param why as for `asSystem` */
  runAsSystem<T>(actor: Actor | null, why: string, work: (unit: Unit) => Promise<T>): Promise<T> {
    return this.#run({ db: this.#db.asSystem(why), actor }, work);
  }

  async #run<T>(
    { db, actor }: { db: Executor; actor: Actor | null },
    work: (unit: Unit) => Promise<T>,
    once?: RepeatableWrite<T>,
  ): Promise<T> {
    const transaction = transact(db, async (trx) => {
      const written = new Unit(trx, actor);
      const done = await doOnce(written, work, once);
      await done.unit?.readLast();
      // Sent together with the commit, and awaited after it.
      const found = done.unit?.findAudiences();
      // If it fails, the commit fails for the same reason, and throws.
      found?.catch(() => undefined);
      return { ...done, audiences: { found } };
    });
    const { outcome, unit, audiences } = await transaction.catch((error: unknown) => {
      throw isScreenedAssignment(error) ? new Refusal('conflict', error.message) : error;
    });
    await audiences.found;
    await unit?.runEffects(this.#realtime);
    if ('value' in outcome) return outcome.value;
    const { code, message, errors } = outcome.refusal;
    throw new Refusal(code, message, errors ? { errors } : {});
  }
}

/** `requireVisible` is called with the first outcome before a repeat gets it. @throws Refusal notFound if it is hidden by now */
export type RepeatableWrite<T> = IdempotencyKey & {
  requireVisible?: (trx: Transaction, first: T) => Promise<unknown>;
};

type WorkResult<T> = { outcome: Outcome<T>; unit: Unit | undefined };

async function doOnce<T>(
  unit: Unit,
  work: (unit: Unit) => Promise<T>,
  once: RepeatableWrite<T> | undefined,
): Promise<WorkResult<T>> {
  if (!once) return { outcome: { value: await work(unit) }, unit };
  const before = await claimKey(unit.trx, once);
  if (before) {
    const outcome = before as Outcome<T>;
    if ('value' in outcome) await once.requireVisible?.(unit.trx, outcome.value);
    return { outcome, unit: undefined };
  }
  const outcome = await attempt(unit.trx, () => work(unit));
  await storeOutcome(unit.trx, once, outcome);
  return { outcome, unit: 'value' in outcome ? unit : undefined };
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

/**
 * Does a part of a transaction, or none of it where it fails as expected. Trials do not nest.
 * @returns whether it was done
 */
export async function runInSavepoint(
  trx: Transaction,
  isExpected: (error: unknown) => boolean,
  work: () => Promise<void>,
): Promise<boolean> {
  await trx.executeQuery(TRIAL.begin);
  try {
    await work();
    await trx.executeQuery(TRIAL.keep);
    return true;
  } catch (error) {
    if (!isExpected(error)) throw error;
    await trx.executeQuery(TRIAL.undo);
    return false;
  }
}
