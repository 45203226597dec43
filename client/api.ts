// The client: its entry, its calls to the server, and folders for its layers.

import type { ErrorCode, FieldError, Refusal } from '@matterdesk/contract/errors.ts';
import type { Route, RouteParams, RouteReply } from '@matterdesk/contract/route.ts';
import { fetchWithProgress } from './core/progress-fetch.ts';
import { toast } from './ui/toast-store.ts';

/** What the session lends to every call. `shell/session.ts` connects it. */
export type Session = {
  token: () => string | undefined;
  /** The socket that must not be told of this browser's own changes. */
  socketId: () => string | undefined;
  /** Any reply may carry a new token. */
  tokenCame: (token: string) => void;
  /** The server no longer knows the token that was sent. */
  tokenDied: (token: string) => void;
};

let session: Session = {
  token: () => undefined,
  socketId: () => undefined,
  tokenCame: () => undefined,
  tokenDied: () => undefined,
};

/** The headers of the session, for an engine that fetches by itself. */
export function sessionHeaders(): Headers {
  return headersOf({}, session.token());
}

export function connectSession(connected: Session): void {
  session = connected;
}

/** Every refusal and failure of a call. `status` is 0 when there was no answer at all. */
export class CallError extends Error {
  readonly status: number;
  /** What a program goes by; undefined where no refusal of ours was received. */
  readonly code: ErrorCode | undefined;
  readonly errors: FieldError[];

  constructor(
    message: string,
    status: number,
    refusal: Pick<Partial<Refusal>, 'code' | 'errors'> = {},
  ) {
    super(message);
    this.status = status;
    this.code = refusal.code;
    this.errors = refusal.errors ?? [];
  }
}

export type CallInput<R extends Route> = {
  params?: RouteParams<R['path']>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** Sent as multipart/form-data under the route's name for it. */
  file?: File;
  /** The text fields that come before the file. */
  fields?: Record<string, string>;
  /** Receives the share that has left, 0 to 1, when there is a file. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
  accept?: string;
  idempotencyKey?: string;
  /** Which toasts the call shows by itself: a read none on success, a write both. */
  toasts?: 'none' | 'errors' | 'all';
  /** What a person reads when there was no answer, such as 'Couldn’t move the task'. */
  failing?: string;
};

type Envelope = { message: string; body: unknown } & Pick<Partial<Refusal>, 'code' | 'errors'>;

/**
 * Calls a route of the contract.
 * @returns the envelope's body
 * @throws CallError after its toast; DOMException AbortError when `signal` says so
 */
export async function call<R extends Route>(
  route: R,
  input: CallInput<R> = {},
): Promise<RouteReply<R>> {
  const { toasts = route.method === 'GET' ? 'errors' : 'all' } = input;
  try {
    const { body, message } = await send(route, input);
    if (toasts === 'all') toast.success(message);
    return body as RouteReply<R>;
  } catch (error) {
    if (error instanceof CallError && toasts !== 'none' && error.code !== 'invalidToken')
      toast.error(error.message);
    throw error;
  }
}

/**
 * Fetches what a route answers without an envelope, such as an export.
 * @returns the bytes and the name that the server gives them
 * @throws as `call`
 */
export async function download(
  route: Route,
  input: CallInput<Route> = {},
): Promise<{ blob: Blob; name: string }> {
  const token = session.token();
  try {
    const reply = await ask(route, input, token);
    if (!reply.ok) refuse(reply, await readEnvelope(reply), token);
    const disposition = reply.headers.get('content-disposition') ?? '';
    const name = /filename="([^"]+)"/.exec(disposition)?.[1] ?? 'download';
    return { blob: await readWhole(reply, input), name };
  } catch (error) {
    if (error instanceof CallError && input.toasts !== 'none' && error.code !== 'invalidToken')
      toast.error(error.message);
    throw error;
  }
}

/**
 * Asks a route that answers in events, for whoever reads the reply as it comes.
 * @returns a reply of success, its body not yet read
 * @throws CallError without a toast; DOMException AbortError when `signal` says so
 */
export async function openStream(route: Route, input: CallInput<Route>): Promise<Response> {
  const token = session.token();
  const reply = await ask(route, { ...input, accept: 'text/event-stream' }, token);
  return reply.ok ? reply : refuse(reply, await readBare(reply), token);
}

/** A stream may break off in its middle: what came so far is not the file. */
async function readWhole(reply: Response, input: CallInput<Route>): Promise<Blob> {
  try {
    return await reply.blob();
  } catch (error) {
    throw isAbort(error) ? error : unreached(input);
  }
}

async function send(route: Route, input: CallInput<Route>): Promise<Envelope> {
  const token = session.token();
  const reply = await ask(route, input, token);
  const envelope = await (route.bare ? readBare(reply) : readEnvelope(reply));
  if (reply.ok && envelope) {
    const carried = (envelope.body as { token?: unknown } | null)?.token;
    if (typeof carried === 'string') session.tokenCame(carried);
    return envelope;
  }
  return refuse(reply, envelope, token);
}

function refuse(
  { status }: Response,
  envelope: Envelope | undefined,
  token: string | undefined,
): never {
  const message = envelope?.message ?? 'Something went wrong';
  if (envelope?.code === 'invalidToken' && token) session.tokenDied(token);
  throw new CallError(message, status, envelope);
}

async function ask(route: Route, input: CallInput<Route>, token: string | undefined) {
  try {
    const { method } = route;
    const headers = headersOf(input, token);
    const body = bodyOf(route, input) ?? null;
    const signal = input.signal ?? null;
    const url = urlOf(route, input);
    return input.onProgress && body instanceof FormData
      ? await fetchWithProgress(url, { method, headers, body, signal }, input.onProgress)
      : await fetch(url, { method, headers, body, signal });
  } catch (error) {
    throw isAbort(error) ? error : unreached(input);
  }
}

function unreached({ failing }: CallInput<Route>): CallError {
  const what = failing ? `${failing}: ` : '';
  return new CallError(`${what}Can’t reach Matterdesk. Check your connection.`, 0);
}

function urlOf(route: Route, { params, query }: Pick<CallInput<Route>, 'params' | 'query'>) {
  const values = (params ?? {}) as Record<string, string>;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) search.set(name, String(value));
  const whole = search.size > 0 ? `${path}?${search}` : path;
  return path.startsWith('/ai/') ? aiAddress() + whole.slice('/ai'.length) : whole;
}

/** Where the AI service is: on a host of its own the served page says so. */
function aiAddress(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="ai-url"]')?.content ?? '/ai';
}

function headersOf(input: CallInput<Route>, token: string | undefined) {
  const headers = new Headers();
  const socketId = session.socketId();
  if (token) headers.set('x-auth-token', token);
  if (socketId) headers.set('x-socket-id', socketId);
  if (input.accept) headers.set('accept', input.accept);
  if (input.body !== undefined) headers.set('content-type', 'application/json');
  if (input.idempotencyKey) headers.set('idempotency-key', input.idempotencyKey);
  return headers;
}

function bodyOf(route: Route, input: CallInput<Route>) {
  if (input.body !== undefined) return JSON.stringify(input.body);
  if (!route.file || !input.file) return undefined;
  const form = new FormData();
  for (const [name, value] of Object.entries(input.fields ?? {})) form.set(name, value);
  form.set(route.file, input.file);
  return form;
}

async function readEnvelope(reply: Response): Promise<Envelope | undefined> {
  try {
    return (await reply.json()) as Envelope;
  } catch (error) {
    // Whoever gave up while the answer was coming in has not been refused anything.
    if (isAbort(error)) throw error;
    return undefined;
  }
}

/** What has no envelope is put into one; its refusals carry `{ status, code, message }`. */
async function readBare(reply: Response): Promise<Envelope | undefined> {
  const answer = await readEnvelope(reply);
  return answer && { ...answer, message: answer.message ?? 'Something went wrong', body: answer };
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
