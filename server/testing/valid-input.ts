import { sql } from 'kysely';
import * as z from 'zod';
import { mailAccountRoutes, mailWritingRoutes } from '@matterdesk/contract/mails.ts';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import type { Scoped } from '../db/schema.ts';

type Schema = NonNullable<Route['body']>;
type JsonSchema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
};
/** Path of a value in an input. */
export type Path = readonly (string | number)[];

/** Candidates for every refused member, in order. */
const guesses = [
  '2025-01-15',
  '2025-01-15T10:00:00Z',
  'a.person@firm.example',
  '12',
  '+12025550123',
  'US',
  '415',
  'long enough',
  '07:30',
  'America/New_York',
  'https://firm.example/',
  'FREQ=DAILY;COUNT=2',
  'hearing',
  'new',
  'note',
];

/**
 * An input with every member of a schema, found by trial, so that it works for future schemas. What fits with no
 * candidate is left out, as one of two members that exclude each other.
 * @throws when a member can be neither guessed nor left out
 */
export function findValidInput(schema: Schema): unknown {
  const json = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  const input = { root: sketch(json as JsonSchema) };
  const tried = new Map<string, number>();
  for (;;) {
    const result = schema.safeParse(input.root);
    if (result.success) return input.root;
    // A member with two errors is guessed once.
    const issues = new Map(result.error.issues.map((issue) => [issue.path.join('.'), issue]));
    for (const [place, { path, message }] of issues) {
      const count = tried.get(place) ?? 0;
      if (count > guesses.length) throw new Error(`No guess fits ${place}: ${message}`);
      tried.set(place, count + 1);
      put(input, ['root', ...path.map(key)], guesses[count]);
    }
  }
}

function key(part: PropertyKey) {
  return typeof part === 'number' ? part : String(part);
}

function sketch(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (choice) return sketch(choice);
  if (schema.items) return [sketch(schema.items)];
  if (schema.properties) {
    const members = Object.entries(schema.properties);
    return Object.fromEntries(members.map(([name, member]) => [name, sketch(member)]));
  }
  // A record: any name may be in it, or none.
  if (schema.type === 'object') return {};
  if (schema.type === 'boolean') return true;
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  return isNumber ? Math.max(1, schema.minimum ?? 1) : 'Text';
}

/** Every path of an input, containers included, starting with the whole (the empty path). */
export function placesOf(input: unknown, at: Path = []): { path: Path; value: unknown }[] {
  const inner = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  const isList = Array.isArray(input);
  return [
    { path: at, value: input },
    ...inner.flatMap(([name, value]) => placesOf(value, [...at, isList ? Number(name) : name])),
  ];
}

/** A copy with another value at one path; `undefined` removes the member. */
export function changed(input: unknown, path: Path, value: unknown): unknown {
  const copy = { root: structuredClone(input) };
  put(copy, ['root', ...path], value);
  return copy.root;
}

function put(container: object, [first, ...rest]: Path, value: unknown): void {
  if (first === undefined) return;
  const inner = Object.getOwnPropertyDescriptor(container, first)?.value as unknown;
  if (rest.length > 0) {
    if (typeof inner === 'object' && inner !== null) put(inner, rest, value);
  } else if (value === undefined) Reflect.deleteProperty(container, first);
  // Assigning to __proto__ would not create a member of that name.
  else
    Object.defineProperty(container, first, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
}

// Every route of the contract with input that it accepts, which tests then spoil.

/** Configures the integrations so that input is validated, at an address where no service listens. */
const unreachable = 'http://127.0.0.1:9';
export const integrations = {
  GOOGLE_CLIENT_ID: 'desk.example',
  GOOGLE_CLIENT_SECRET: 'secret',
  GOOGLE_TOKEN_URL: unreachable,
  GOOGLE_REVOKE_URL: unreachable,
  GMAIL_ROOT_URL: unreachable,
  GOOGLE_CERTS_URL: unreachable,
  GOOGLE_PUBSUB_TOPIC: 'projects/firm-desk/topics/gmail',
  GOOGLE_PUBSUB_ACCOUNT: 'push@firm-desk.iam.gserviceaccount.com',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_BASE_URL: unreachable,
};

/** The attacker's number, which is also the phone number of valid inputs. */
export const PHONE = '+12025550123';
/** The attacker's address, which is also every text of valid inputs. */
export const OWN_EMAIL = 'a.person@firm.example';
/** Members that must belong to the caller: anything else gets 403 before the body is validated. */
export const ownMembers = new Map<Route, { name: string; own: string }>([
  [messageRoutes.sendText, { name: 'from', own: PHONE }],
  [messageRoutes.readHistory, { name: 'from', own: PHONE }],
  [messageRoutes.exportConversation, { name: 'from', own: PHONE }],
  [messageRoutes.buyNumber, { name: 'email', own: OWN_EMAIL }],
  [mailAccountRoutes.finishConnecting, { name: 'userEmail', own: OWN_EMAIL }],
  [mailWritingRoutes.sendMail, { name: 'from', own: OWN_EMAIL }],
  [mailWritingRoutes.keepDraft, { name: 'from', own: OWN_EMAIL }],
  [mailWritingRoutes.changeDraft, { name: 'from', own: OWN_EMAIL }],
]);

function findValidBody(route: Route) {
  const own = ownMembers.get(route);
  const body = route.body && findValidInput(route.body);
  return own ? changed(body, [own.name], own.own) : body;
}

export const subjects = routes.map((route) => ({
  route,
  name: `${route.method} ${route.path}`,
  query: route.query && findValidInput(route.query),
  body: findValidBody(route),
}));

/** Traces that a refused call may leave: attempts, idempotency keys, last use of a session, texting rounds. */
const LEFT_BY_REFUSALS = [
  // The record of refusals, exports and what was read.
  'audit_log',
  'audit_seals',
  'attempts',
  'idempotency_keys',
  'sessions',
  'socket_io_attachments',
  'text_sync',
  // Written each minute.
  'heartbeat',
  'absences',
];

/** Storage use by user, compared as sums because its rows come and go. */
const summed = sql`(
  select user_id, sum(files) as files, sum(trash) as trash from storage_use
  group by user_id having sum(files) <> 0 or sum(trash) <> 0)`;

/** Digests of all rows by table, including future tables. */
export async function watchContents(db: Scoped): Promise<() => Promise<Record<string, string>>> {
  const tables = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema in (current_schema(), 'base') and table_type = 'BASE TABLE'
      and table_name not like 'kysely%'`.execute(db);
  const digests = tables.rows
    .filter(({ name }) => !LEFT_BY_REFUSALS.includes(name.replace(/^public\./, '')))
    .map(
      ({ name }) =>
        sql`select ${name}::text as name, count(*) || ' rows ' ||
          coalesce(sum(hashtextextended(t::text, 0)), 0) as digest from ${isSummed(name) ? summed : sql.table(name)} t`,
    );
  const all = sql<{ name: string; digest: string }>`${sql.join(digests, sql` union all `)}`;
  return async () => {
    const { rows } = await all.execute(db);
    return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
  };
}

function isSummed(name: string): boolean {
  return name.endsWith('.storage_use');
}
