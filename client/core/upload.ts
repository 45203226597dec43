import type { Route, RouteReply } from '@matterdesk/contract/route.ts';
import { call, CallError, type CallInput } from '../api.ts';

const FAILED = 'Something went wrong, Please try again';

export type Upload<T> = { done: Promise<T>; cancel: () => void };

/**
 * Sends one file to a route that takes one.
 * @returns `done` rejects with a CallError, or an AbortError after `cancel`
 */
export function uploadFile<R extends Route>(
  route: R,
  sent: Required<Pick<CallInput<R>, 'file' | 'onProgress'>> &
    Pick<CallInput<R>, 'fields' | 'params'>,
): Upload<RouteReply<R>> {
  const controller = new AbortController();
  const done = call(route, { ...sent, signal: controller.signal, toasts: 'none' });
  return { done: done.catch(inWords), cancel: () => controller.abort() };
}

/** Keeps the message of a refusal, and replaces any other. */
function inWords(error: unknown): never {
  if (!(error instanceof CallError) || error.code !== undefined) throw error;
  throw new CallError(FAILED, error.status);
}
