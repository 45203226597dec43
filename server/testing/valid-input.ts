import * as z from 'zod';
import type { Route } from '@matterdesk/contract/route.ts';

type Schema = NonNullable<Route['body']>;
type JsonSchema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  anyOf?: JsonSchema[];
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
  if (schema.anyOf?.[0]) return sketch(schema.anyOf[0]);
  if (schema.items) return [sketch(schema.items)];
  if (schema.properties) {
    const members = Object.entries(schema.properties);
    return Object.fromEntries(members.map(([name, member]) => [name, sketch(member)]));
  }
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
