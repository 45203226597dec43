// Dependencies of every feature's functions, created once per server.

import type { Config } from './config.ts';
import type { Actor } from './core/actor.ts';
import { Refusal } from './core/refusal.ts';
import { hasOutcome } from './db/idempotency.ts';
import type { Database, Scoped } from './db/schema.ts';
import type { RepeatableWrite, Unit, Writer } from './db/unit-of-work.ts';
import type { BlobStore } from './integrations/blobs/blob-store.ts';
import type { TranscriptWriter } from './integrations/pdf/transcript.ts';
import type { Threads } from './integrations/threads.ts';
import type { Pace } from './jobs/pace.ts';
import type { Queue } from './jobs/queue.ts';
import type { Log } from './log.ts';
import type { Realtime } from './realtime/publisher.ts';

/** The server's own resources. Features keep theirs beside their functions, by `perContext`. */
export type Context = {
  config: Config;
  secretKey: string;
  db: Database;
  writer: Writer;
  queue: Queue;
  pace: Pace;
  realtime: Realtime;
  blobs: BlobStore;
  threads: Threads;
  paper: TranscriptWriter;
  log: Log;
  /** This process among those that share a database. */
  owner: string;
};

/** The context of a signed-in user's request. */
export type ActorContext = Context & { actor: Actor };

/** Reads what the actor may see; nothing else is visible. */
export function asActor({ db, actor }: ActorContext): Scoped {
  return db.as(actor);
}

/**
 * Writes as the actor, in one transaction.
 * @param once the caller's idempotency key: a repeat gets the outcome of the first request
 */
export function write<T>(
  { writer, actor }: ActorContext,
  work: (unit: Unit) => Promise<T>,
  once?: RepeatableWrite<T>,
): Promise<T> {
  return writer.run(actor, work, once);
}

type PreparedWrite<Made, T> = {
  /** Takes long, and is outside of the transaction. */
  prepare: () => Promise<Made>;
  /** Writes with the same key. */
  finish: (made: Made) => Promise<T>;
};

/** Writes what takes long to prepare. A repeat prepares nothing, and a refusal of the preparation is an outcome, too. */
export async function writePrepared<Made, T>(
  context: ActorContext,
  { prepare, finish }: PreparedWrite<Made, T>,
  once: RepeatableWrite<T> | undefined,
): Promise<T> {
  if (!once) return finish(await prepare());
  const refuse = (refusal: Refusal) => write(context, () => Promise.reject(refusal), once);
  if (await hasOutcome(context.db, once)) return refuse(new Refusal('unexpected'));
  let made: Made;
  try {
    made = await prepare();
  } catch (error) {
    if (error instanceof Refusal) return refuse(error);
    throw error;
  }
  return finish(made);
}

/** State that lives as long as the server, made when it is first needed and without its user. */
export function perContext<State>(make: (context: Context) => State): (context: Context) => State {
  // A request's context is a copy; the database is the same.
  const states = new WeakMap<Database, { state: State }>();
  return (context) => {
    let kept = states.get(context.db);
    if (!kept) {
      const { actor: _, ...shared }: Context & { actor?: Actor } = context;
      kept = { state: make(shared) };
      states.set(context.db, kept);
    }
    return kept.state;
  };
}

/** A dependency that a feature built on this one provides; `app` fills it in. */
export function slot<Provided>() {
  const providedOf = perContext((): { value?: Provided } => ({}));
  return {
    fill: (context: Context, value: Provided): void => void (providedOf(context).value = value),
    of: (context: Context): Provided => {
      const { value } = providedOf(context);
      if (value === undefined) throw new Error('a slot is used before it was filled');
      return value;
    },
  };
}

export type Hook<Args extends unknown[]> = {
  /** Calls this listener too, after those before it. */
  on: (context: Context, listener: (...args: Args) => Promise<void> | void) => void;
  run: (context: Context, ...args: Args) => Promise<void>;
};

/** Lets a feature report to those built on it without importing them; `app` connects the two. */
export function hook<Args extends unknown[]>(): Hook<Args> {
  const listenersOf = perContext((): ((...args: Args) => Promise<void> | void)[] => []);
  return {
    on: (context, listener) => void listenersOf(context).push(listener),
    run: async (context, ...args) => {
      for (const listener of listenersOf(context)) await listener(...args);
    },
  };
}
