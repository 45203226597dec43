import type { ErrorCode, Refusal, FieldError } from '@matterdesk/contract/errors.ts';
import type { Route, RouteParams, RouteReply } from '@matterdesk/contract/route.ts';
import { noteBuild } from './core/new-version.ts';
import { toast } from './ui/toast-store.ts';

/** Session access for every call. `shell/session.ts` connects it. */
export type Session = {
  token: () => string | undefined;
  /** The socket that is left out when this browser's own changes are broadcast. */
  socketId: () => string | undefined;
  /** Called with a new token, which any reply may carry. */
  tokenRenewed: (token: string) => void;
  /** Called with a sent token that the server no longer accepts. */
  tokenInvalidated: (token: string) => void;
  /** Called when the user must set up a second factor before anything else. */
  factorDemanded: () => void;
};

let session: Session = {
  token: () => undefined,
  socketId: () => undefined,
  tokenRenewed: () => undefined,
  tokenInvalidated: () => undefined,
  factorDemanded: () => undefined,
};

/** The session's headers, for a library that does its own fetching. */
export function sessionHeaders(): Headers {
  return headersOf({}, session.token());
}

export function connectSession(connected: Session): void {
  session = connected;
}

/** Words a refusal for its reader. */
let formatRefusal = (message: string) => message;

export function setRefusalFormatter(by: typeof formatRefusal): void {
  formatRefusal = by;
}

/** A refused or failed call. `status` is 0 when there was no response. */
export class CallError extends Error {
  readonly status: number;
  /** For programs; undefined unless the server refused the call. */
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
  /** Sent as multipart/form-data, in the field that the route names. */
  file?: File;
  /** A body of several files. */
  form?: FormData;
  /** Text fields, sent before the file. */
  fields?: Record<string, string>;
  /** Receives the share of the files that has been sent, 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
  accept?: string;
  idempotencyKey?: string;
  /** Which toasts the call shows: by default a read shows errors, a write shows both. */
  toasts?: 'none' | 'errors' | 'all';
  /** Shown when there is no response, such as 'Couldn’t move the task'. */
  failing?: string;
};

type Envelope = { message: string; body: unknown } & Pick<Partial<Refusal>, 'code' | 'errors'>;

/**
 * Calls a route of the contract.
 * @returns the envelope's body
 * @throws CallError after its toast; DOMException AbortError when `signal` aborts
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
    throw showFailure(error, toasts);
  }
}

/**
 * Downloads a route's response that has no envelope, such as an export.
 * @returns the content and the file name from the server
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
    throw showFailure(error, input.toasts);
  }
}

/** Error codes that the session handles itself, without a toast. */
const SESSION_ERROR_CODES = new Set<unknown>(['invalidToken', 'mustEnrol'] satisfies ErrorCode[]);

/** Shows a failed call as a toast. @returns the error */
export function showFailure(error: unknown, toasts: CallInput<Route>['toasts']): unknown {
  if (error instanceof CallError && toasts !== 'none' && !SESSION_ERROR_CODES.has(error.code))
    toast.error(error.message);
  return error;
}

/**
 * Calls a route that responds with an event stream.
 * @returns the successful response, its body unread
 * @throws CallError without a toast; DOMException AbortError when `signal` aborts
 */
export async function openStream(route: Route, input: CallInput<Route>): Promise<Response> {
  const token = session.token();
  const reply = await ask(route, { ...input, accept: 'text/event-stream' }, token);
  return reply.ok ? reply : refuse(reply, await readBare(reply), token);
}

/** A response cut off midway is a failed call, not a file. */
async function readWhole(reply: Response, input: CallInput<Route>): Promise<Blob> {
  try {
    return await reply.blob();
  } catch (error) {
    throw isAbort(error) ? error : unreachableError(input);
  }
}

async function send(route: Route, input: CallInput<Route>): Promise<Envelope> {
  const token = session.token();
  const reply = await ask(route, input, token);
  const envelope = await (route.bare ? readBare(reply) : readEnvelope(reply));
  if (reply.ok && envelope) {
    const carried = (envelope.body as { token?: unknown } | null)?.token;
    if (typeof carried === 'string') session.tokenRenewed(carried);
    return envelope;
  }
  return refuse(reply, envelope, token);
}

function refuse(
  { status }: Response,
  envelope: Envelope | undefined,
  token: string | undefined,
): never {
  const message = formatRefusal(envelope?.message ?? 'Something went wrong');
  if (envelope?.code === 'invalidToken' && token) session.tokenInvalidated(token);
  if (envelope?.code === 'mustEnrol') session.factorDemanded();
  throw new CallError(message, status, envelope);
}

async function ask(route: Route, input: CallInput<Route>, token: string | undefined) {
  try {
    const url = urlOf(route, input);
    const init: Init = {
      method: route.method,
      headers: headersOf(input, token),
      body: bodyOf(route, input) ?? null,
      signal: input.signal ?? null,
    };
    const reply = await (input.onProgress && init.body instanceof FormData
      ? fetchWithProgress(url, init, input.onProgress)
      : fetch(url, init));
    noteBuild(reply.headers.get('x-build'));
    return reply;
  } catch (error) {
    throw isAbort(error) ? error : unreachableError(input);
  }
}

interface Init {
  method: string;
  headers: Headers;
  body: string | FormData | null;
  signal: AbortSignal | null;
}

/** Like `fetch`, but reports the share of the body sent so far, 0 to 1. */
function fetchWithProgress(
  url: string,
  { method, headers, body, signal }: Init,
  onProgress: (share: number) => void,
): Promise<Response> {
  const request = new XMLHttpRequest();
  const reply = new Promise<Response>((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
    request.addEventListener('load', () =>
      resolve(new Response(request.responseText, { status: request.status })),
    );
    request.addEventListener('error', () => reject(new TypeError('The request failed')));
    request.addEventListener('abort', () => reject(new DOMException('canceled', 'AbortError')));
  });
  signal?.addEventListener('abort', () => request.abort());
  request.open(method, url);
  for (const [name, value] of headers) request.setRequestHeader(name, value);
  request.send(body);
  return reply;
}

function unreachableError({ failing }: CallInput<Route>): CallError {
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

/** The AI service's address, which the served page names when it is on another host. */
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
  if (!route.file || !input.file) return input.form;
  const form = new FormData();
  for (const [name, value] of Object.entries(input.fields ?? {})) form.set(name, value);
  form.set(route.file, input.file);
  return form;
}

async function readEnvelope(reply: Response): Promise<Envelope | undefined> {
  try {
    return (await reply.json()) as Envelope;
  } catch (error) {
    // An aborted call was not refused.
    if (isAbort(error)) throw error;
    return undefined;
  }
}

/** Wraps a bare body in an envelope; bare refusals carry `{ status, code, message }`. */
async function readBare(reply: Response): Promise<Envelope | undefined> {
  const answer = await readEnvelope(reply);
  return answer && { ...answer, message: answer.message ?? 'Something went wrong', body: answer };
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
