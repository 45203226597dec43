import type * as z from 'zod/mini';
import type { Route, RouteParams, RouteReply } from '@matterdesk/contract/route.ts';
import { call, type CallInput } from '../api.ts';

type Schema = z.ZodMiniType;

/** Input for a call to a route, derived from its declaration in the contract. */
export type MutationInput<R extends Route> = (unknown extends RouteParams<R['path']>
  ? object
  : { params: RouteParams<R['path']> }) &
  (R extends { query: infer S extends Schema } ? { query?: z.input<S> } : object) &
  (R extends { body: infer S extends Schema } ? { body: z.input<S> } : object) &
  (R extends { file: string } ? { file: File; fields?: Record<string, string> } : object) &
  (R extends { idempotent: true } ? { idempotencyKey?: string } : object);

type Input<R extends Route> =
  object extends MutationInput<R> ? [input?: MutationInput<R>] : [input: MutationInput<R>];

interface Options<R extends Route> {
  /** As for `call`: 'errors' where the page shows the success, 'none' where it shows both. */
  toasts?: 'none' | 'errors';
  /** Runs after a success, such as to invalidate what the write changed. */
  done?: (reply: RouteReply<R>, input: MutationInput<R>) => void;
}

/**
 * A write as a function of its input: `const deleteTask = mutation(taskRoutes.deleteTask, 'Couldn’t delete the task')`,
 * then `await deleteTask({ params: { id } })`.
 * @param failing begins the toast when there is no response
 * @returns a function that calls the route as `call` does, and resolves with the envelope's body
 */
export function mutation<R extends Route>(route: R, failing: string, options: Options<R> = {}) {
  const { toasts, done } = options;
  return async (...[input]: Input<R>): Promise<RouteReply<R>> => {
    const given = (input ?? {}) as MutationInput<R>;
    const reply = await call(route, {
      ...(given as CallInput<R>),
      failing,
      ...(toasts && { toasts }),
    });
    done?.(reply, given);
    return reply;
  };
}
