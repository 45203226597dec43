import type * as z from 'zod/mini';
import type { Permission } from './permissions.ts';

type Schema = z.ZodMiniType;

/** What an administrator configures, and some calls require. */
export type Integration = 'google' | 'twilio';

/**
 * Who may call a route: anyone, every signed-in person, or the holders of one permission.
 * `unlessOnly` opens it to every signed-in person when the body holds just these members;
 * `adminOnly` are members of the body that none but an admin may set.
 */
export type Access =
  | 'anyone'
  | 'signedIn'
  | { permission: Permission; unlessOnly?: readonly string[]; adminOnly?: readonly string[] };

/** One call of the wire, as data: both sides, the tests and the OpenAPI description read the same object. */
export type Route = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With its `/api/v1` or `/ai` prefix; parameters as `{name}`. */
  path: string;
  /** One line for the description. */
  summary: string;
  access: Access;
  /** Refused with 503 while this is not configured. */
  needs?: Integration;
  query?: Schema;
  /** JSON body. */
  body?: Schema;
  /** The body is multipart/form-data, with one file, or several, under this name. */
  file?: string;
  /** The most bytes that the file may have. */
  fileBytes?: number;
  /** The body is a form of Twilio's, which its handler reads and checks by itself. */
  form?: true;
  /** JSON of somebody else's, which its handler reads once it knows who sent it. */
  signedBody?: Schema;
  /** The text fields that come before the files. */
  fields?: readonly string[];
  /** The session cookie opens it too, so that a plain link works. */
  cookie?: true;
  /** The reply, success or not, has no envelope. */
  bare?: true;
  /** What the envelope's `body` holds on success; absent where the reply is not an envelope. */
  reply?: Schema;
  /** HTTP status on success; 200 without it. */
  status?: 200 | 201;
  /** The envelope's `message` on success. */
  message: string;
  /** Honours the `Idempotency-Key` header. */
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
/** `caseId` out of `/api/v1/tasks/{caseId}`. */
export type RouteParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & RouteParams<Rest>
  : unknown;
