import type { Route, RouteReply } from '@matterdesk/contract/route.ts';
import { CallError, sessionHeaders } from '../api.ts';

const FAILED = 'Something went wrong, Please try again';

export type Upload<T> = { done: Promise<T>; cancel: () => void };

type Sent = {
  file: File;
  /** The text fields that come before the file. */
  fields?: Record<string, string>;
  /** Hears the share that has left, 0 to 1. */
  onProgress: (share: number) => void;
};

/**
 * Sends one file to a route that takes one; `fetch` could not show how far it has come.
 * @returns `done` rejects with a CallError, or an AbortError after `cancel`
 */
export function uploadFile<R extends Route>(
  route: R,
  { file, fields = {}, onProgress }: Sent,
): Upload<RouteReply<R>> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set(route.file ?? 'file', file);
  const request = new XMLHttpRequest();
  const done = new Promise<RouteReply<R>>((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
    request.addEventListener('load', () => {
      const reply = parse(request.responseText);
      if (request.status === route.status && reply) resolve(reply.body as RouteReply<R>);
      else reject(new CallError(reply?.message ?? FAILED, request.status));
    });
    request.addEventListener('error', () => reject(new CallError(FAILED, 0)));
    request.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
  });
  request.open(route.method, route.path);
  for (const [name, value] of sessionHeaders()) request.setRequestHeader(name, value);
  request.send(form);
  return { done, cancel: () => request.abort() };
}

function parse(text: string): { message: string; body: unknown } | undefined {
  try {
    return JSON.parse(text) as { message: string; body: unknown };
  } catch {
    return undefined;
  }
}
