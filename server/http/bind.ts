import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type {
  Access,
  Integration,
  Route,
  RouteBody,
  RouteParams,
  RouteQuery,
  RouteReply,
} from '@matterdesk/contract/route.ts';
import type { ActorContext, Context } from '../context.ts';
import type { Actor, EnrollmentState } from '../core/actor.ts';
import type { IdempotencyKey } from '../core/idempotency-key.ts';
import { invalidField, Refusal } from '../core/refusal.ts';
import { yieldToEventLoop } from '../core/time-slices.ts';
import {
  isLarge,
  requireContentType,
  requireFileSize,
  parseBody,
  MAX_PUBLIC_JSON_BYTES,
} from './bodies.ts';
import { expectUpload } from './connections.ts';
import { JsonBody } from './json-body.ts';
import { validate } from './validate.ts';

/** A checked request, as its handler gets it. */
export type Call<R extends Route> = {
  context: R['access'] extends 'anyone' ? Context : ActorContext;
  params: RouteParams<R['path']>;
  query: RouteQuery<R>;
  body: RouteBody<R>;
  /** Set when the route is idempotent and the caller sent a key. */
  once: IdempotencyKey | undefined;
  /** Records what the handler is about to send; required wherever files or lists leave the product. */
  note: (reading: ReadRecord) => Promise<void>;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** @returns the envelope's body, or undefined after sending the reply itself */
export type Handler<R extends Route> = (
  call: Call<R>,
) => Promise<RouteReply<R> | JsonBody<RouteReply<R>> | undefined>;

/**
 * Checks whether the caller may act on the named row before the body is validated; `json` is unchecked.
 * @throws Refusal notPermitted
 */
export type Guard<R extends Route> = (call: {
  context: ActorContext;
  params: RouteParams<R['path']>;
  json: unknown;
}) => Promise<void> | void;

/** A handler for each route of a table; `guard` where permission depends on the row. */
export type Handlers<Routes extends Record<string, Route>> = {
  [Name in keyof Routes]:
    | Handler<Routes[Name]>
    | { guard: Guard<Routes[Name]>; handle: Handler<Routes[Name]> };
};

export type Gate = (
  request: FastifyRequest,
  takesCookie: boolean,
) => Promise<Actor & EnrollmentState>;

/** For each integration, why it cannot be used; null when it is configured. */
export type MissingSetup = Record<Integration, Refusal | null>;

type CheckedRequest = { actor: Actor | null; json: unknown };
declare module 'fastify' {
  interface FastifyContextConfig {
    /** Replies of this route have no envelope. */
    bare?: boolean;
    /** Bodies of this route may be uploads. */
    takesFiles?: boolean;
  }
}

const FORBIDDEN = 403;
const JSON_TYPE = 'application/json; charset=utf-8';
const checked = new WeakMap<FastifyRequest, CheckedRequest>();

/** Content that a read-only request takes out of the product, for the audit log. */
export type ReadRecord = {
  action: 'downloaded' | 'previewed' | 'exported' | 'mailRead';
  entity: 'file' | 'paper' | 'template' | 'mail' | 'text' | 'list' | 'event' | 'pack' | 'import';
  entityId: string;
  caseId?: string;
  after?: object;
};
/** A request refused for lack of permission, before the reply is sent. */
export type RefusedRequest = { actor: Actor; route: Route; params: unknown; json: unknown };
export type Recorder = {
  note: (actor: Actor, reading: ReadRecord) => Promise<void>;
  noteRefused: (refused: RefusedRequest) => Promise<void>;
};

type BinderOptions = { context: Context; missingSetup: MissingSetup; recorder?: Recorder };

/** Registers the routes of the contract, each with its refusals in the contract's order. */
export class Binder {
  readonly #app: FastifyInstance;
  readonly #context: Context;
  readonly #authenticate: Gate;
  readonly #missingSetup: MissingSetup;
  readonly #bound = new Set<Route>();
  readonly #recorder: Recorder | undefined;

  constructor(
    app: FastifyInstance,
    authenticate: Gate,
    { context, missingSetup, recorder }: BinderOptions,
  ) {
    this.#context = context;
    this.#recorder = recorder;
    this.#app = app;
    this.#authenticate = authenticate;
    this.#missingSetup = missingSetup;
  }

  /** Serves every route of a table, or of the part of one that a feature's folder is about. */
  serve<Routes extends Record<string, Route>>(routes: Routes, handlers: Handlers<Routes>): void {
    for (const [name, route] of Object.entries(routes)) {
      // The types of the table pair each route with its handler.
      const handler = handlers[name] as Handlers<Record<string, Route>>[string];
      if (typeof handler === 'function') this.#serve(route, handler);
      else this.#serve(route, handler.handle, handler.guard);
    }
  }

  #serve<R extends Route>(route: R, handler: Handler<R>, guard?: Guard<R>): void {
    this.#bound.add(route);
    this.#app.route({
      method: route.method,
      url: patternOf(route.path),
      ...(isPublicJson(route) && { bodyLimit: MAX_PUBLIC_JSON_BYTES }),
      config: { bare: route.bare === true, takesFiles: route.file !== undefined },
      onRequest: async (request) => {
        const takesCookie = route.cookie === true;
        const actor =
          route.access === 'anyone' ? null : await this.#authenticate(request, takesCookie);
        checked.set(request, { actor, json: undefined });
        if (actor?.mustEnrol && !route.whileEnrolling) throw new Refusal('mustEnrol');
        requireContentType(route, request);
        requireFileSize(route, request);
        if (route.file !== undefined) expectUpload(request.raw);
      },
      preValidation: async (request) => {
        const { invalidBody } = decidePermission(route, request);
        const { actor, json } = checkedOf(request);
        // The router fills in the parameters of the route's path, which the type cannot express.
        const params = request.params as RouteParams<R['path']>;
        if (actor) await guard?.({ context: { ...this.#context, actor }, params, json });
        const missingSetup = route.needs && this.#missingSetup[route.needs];
        if (missingSetup) throw missingSetup;
        if (invalidBody) throw invalidBody;
      },
      onSend: async (request, reply) => {
        const state = reply.statusCode === FORBIDDEN ? checked.get(request) : undefined;
        if (!state?.actor) return;
        const { actor, json } = state;
        await this.#recorder?.noteRefused({ actor, json, route, params: request.params });
      },
      handler: (request, reply) =>
        answer({ route, handler, request, reply }, this.#context, this.#recorder),
    });
  }

  /** Contract routes without a handler, and routes that the contract does not list. */
  mismatchedRoutes(routes: Route[]): Route[] {
    return [...new Set(routes).symmetricDifference(this.#bound)];
  }
}

/** Permission is decided before the body's errors; an unreadable body has no members. */
function decidePermission(route: Route, request: FastifyRequest): { invalidBody: unknown } {
  const state = checkedOf(request);
  let invalidBody: unknown;
  try {
    state.json = isReadByHandler(route) ? undefined : parseBody(request.body);
  } catch (error) {
    invalidBody = error;
  }
  if (state.actor) requireAccess(route.access, state.actor, state.json);
  return { invalidBody };
}

function requireAccess(access: Access, actor: Actor, json: unknown) {
  if (access === 'admin' && actor.role !== 'admin') throw new Refusal('notPermitted');
  if (typeof access === 'string') return;
  const members = json && typeof json === 'object' ? Object.keys(json) : [];
  if (!isOpenTo(access, actor, members)) throw new Refusal('notPermitted');
}

function isOpenTo(access: Exclude<Access, string>, actor: Actor, members: string[]) {
  if ('anyOf' in access) return access.anyOf.some((name) => actor.permissions[name]);
  const { permission, unlessOnly = [], adminOnly = [] } = access;
  if (actor.permissions[permission])
    return actor.role === 'admin' || !members.some((member) => adminOnly.includes(member));
  return members.length > 0 && members.every((member) => unlessOnly.includes(member));
}

type Exchange<R extends Route> = {
  route: R;
  handler: Handler<R>;
  request: FastifyRequest;
  reply: FastifyReply;
};

async function answer<R extends Route>(
  { route, handler, request, reply }: Exchange<R>,
  shared: Context,
  recorder: Recorder | undefined,
) {
  const { actor, json } = checkedOf(request);
  const query = route.query ? validate(route.query, request.query) : undefined;
  // Reading, checking and handling a large body at once would keep others waiting.
  const letOthers = () => (isLarge(request.body) ? yieldToEventLoop() : undefined);
  await letOthers();
  const body = validateBody(route, json);
  await letOthers();
  const once =
    route.idempotent && actor ? readIdempotencyKey(route, request, { actor, body }) : undefined;
  const note = async (reading: ReadRecord) => actor && recorder?.note(actor, reading);
  // A handler may change it, such as for what was there already.
  reply.code(route.status ?? 200);
  const context = actor ? { ...shared, actor } : shared;
  const call = { context, params: request.params, query, body, once, note, request, reply };
  // The schemas and the gate guarantee the route's type, which the compiler cannot infer.
  const result = await handler(call as unknown as Call<R>);
  if (reply.sent || !route.reply) return reply;
  const { statusCode } = reply;
  if (result instanceof JsonBody) {
    const envelope = JSON.stringify({ statusCode, message: route.message });
    // Encoded once: a text would be encoded for its length, and again when it is written.
    const bytes = Buffer.from(`${envelope.slice(0, -1)},"body":${result.json}}`);
    return reply.type(JSON_TYPE).send(bytes);
  }
  const sent = route.reply.parse(result);
  if (route.bare) return reply.send(sent);
  return reply.send({ statusCode, message: route.message, body: sent });
}

/** Forms of Twilio's are longer, and have a limit of their own. */
function isPublicJson({ access, form }: Route): boolean {
  return access === 'anyone' && form !== true;
}

function isReadByHandler({ file, form, signedBody }: Route): boolean {
  return file !== undefined || form === true || signedBody !== undefined;
}

const noMembers = z.strictObject({});

function validateBody(route: Route, json: unknown) {
  if (isReadByHandler(route) || route.method === 'GET') return undefined;
  const body = validate(route.body ?? noMembers, json ?? {});
  if (route.body && route.method !== 'POST' && isEmpty(body))
    throw new Refusal('invalidInput', 'Nothing to change');
  return body;
}

/** Whether an object has no values, at any depth. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((member) => member === undefined || isEmpty(member));
}

function readIdempotencyKey(
  route: Route,
  request: FastifyRequest,
  { actor, body }: { actor: Actor; body: unknown },
): IdempotencyKey | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidField('Idempotency-Key', 'Idempotency-Key must be 1 to 255 visible characters');
  const [path] = request.url.split('?');
  const call = JSON.stringify([route.method, path, body]);
  return { userId: actor.id, key, fingerprint: createHash('sha256').update(call).digest('hex') };
}

export function isFromAdmin(request: FastifyRequest): boolean {
  return checked.get(request)?.actor?.role === 'admin';
}

function checkedOf(request: FastifyRequest): CheckedRequest {
  const state = checked.get(request);
  if (!state) throw new Error('the gate did not run');
  return state;
}

/** A parameter before an ending takes line breaks too, as one that ends its part of the path does. */
function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}(\.)?/g, (_, name: string, dot?: string) =>
    dot ? `:${name}([^/]*).` : `:${name}`,
  );
}
