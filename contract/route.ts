import type * as z from 'zod/mini';
import type { Permission } from './permissions.ts';

type Schema = z.ZodMiniType;

/** Integrations that an administrator configures and some routes require. */
export type Integration = 'google' | 'twilio';

/**
 * Callers of a route: anyone, every signed-in user, admins, or the holders of one permission, or of any of several.
 * `unlessOnly` opens it to every signed-in person when the body holds just these members;
 * `adminOnly` are members of the body that only an admin may set.
 */
export type Access =
  | 'anyone'
  | 'signedIn'
  | 'admin'
  | { anyOf: readonly Permission[] }
  | { permission: Permission; unlessOnly?: readonly string[]; adminOnly?: readonly string[] };

/** One call as data: both sides, the tests and the OpenAPI description read the same object. */
export type Route = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With the `/api/v1` or `/ai` prefix; parameters as `{name}`. */
  path: string;
  /** One line of the API description. */
  summary: string;
  access: Access;
  /** Also open to a user who must set up a second factor first. */
  whileEnrolling?: true;
  /** Refused with 503 until configured. */
  needs?: Integration;
  query?: Schema;
  /** JSON body. */
  body?: Schema;
  /** multipart/form-data with one or several files under this name. */
  file?: string;
  /** File size limit in bytes. */
  fileBytes?: number;
  /** A Twilio form that its handler reads and verifies. */
  form?: true;
  /** Third-party JSON that its handler reads after verifying the sender. */
  signedBody?: Schema;
  /** Text fields that precede the files. */
  fields?: readonly string[];
  /** Text fields and files of an upload that may be left out. */
  optionalParts?: readonly string[];
  /** Also accepts the session cookie, so that plain links work. */
  cookie?: true;
  /** Replies have no envelope. */
  bare?: true;
  /** Schema of the envelope's `body` on success; absent without an envelope. */
  reply?: Schema;
  /** HTTP status on success; default 200. */
  status?: 200 | 201 | 202 | 204;
  /** HTTP status of a dry run, or of a call that finds its work done before, where it differs. */
  otherStatus?: 200;
  /** The envelope's `message` on success. */
  message: string;
  /** Accepts the `Idempotency-Key` header. */
  idempotent?: true;
};

/** Keeps the literal types of a route. */
export function defineRoute<const R extends Route>(route: R): R {
  return route;
}

export type RouteQuery<R extends Route> = R extends { query: infer S extends Schema }
  ? z.output<S>
  : undefined;
export type RouteBody<R extends Route> = R extends { body: infer S extends Schema }
  ? z.output<S>
  : undefined;
export type RouteReply<R extends Route> = R extends { reply: infer S extends Schema }
  ? z.output<S>
  : undefined;
/** `caseId` from `/api/v1/tasks/{caseId}`. */
export type RouteParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & RouteParams<Rest>
  : unknown;
