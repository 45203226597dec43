import fc from 'fast-check';
import type { Route } from '@matterdesk/contract/route.ts';
import { changed, placesOf } from './valid-input.ts';

/** Texts that no field accepts. */
export const hostileTexts = [
  'a\0b',
  'a\u0007b',
  'a\u0085b',
  'a\u202Eb',
  'a\u2066b',
  'a\uD800b',
  '\uDC00',
  'x'.repeat(5000),
];

/** Names that have misled programs. */
export const hostileNames = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'then',
  '$where',
  'id',
  'role',
  '',
  'a.b',
  '\u202E',
];

/** Texts that some fields accept and that have caused unexpected faults. */
export const troublesomeTexts = [
  '   ',
  'null',
  '%_\\',
  "'; drop table users; --",
  '<script>alert(1)</script>',
  '=cmd()',
  '0001-01-01',
  '9999-12-31',
  '2025-02-30',
  '9999-12-31T23:59:59-14:00',
  '2025-01-01T00:00:00+99:99',
  '00000000-0000-0000-0000-000000000000',
  '------------------------------------',
  '9'.repeat(30),
  '-1',
  '1e400',
  ...[['9'.repeat(19)], ['a', 'b', '-'.repeat(36)], ['\0', '\uD800', ''], [[]], {}].map(toCursor),
];

/** Cursors with arbitrary contents. */
function toCursor(content: unknown) {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

const texts = fc.oneof(
  fc.constantFrom(...hostileTexts, ...hostileNames, ...troublesomeTexts),
  fc.string({ unit: 'binary', maxLength: 300 }),
);

const values = fc.oneof(
  { weight: 3, arbitrary: texts },
  fc.constantFrom<unknown>(null, true, false, 0, -0, -1, 1.5, 1e308, 2 ** 53, [], {}, [null], [[]]),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(nested(40), Object.fromEntries([['__proto__', { role: 'admin' }]])),
);

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)];
}

/** Bodies that are invalid or abusive JSON. */
export const brokenBodies: { what: string; bytes: Buffer }[] = [
  { what: 'JSON that is cut off', bytes: Buffer.from('{"a":') },
  // As deep as fits into the body of a call without a session.
  { what: 'JSON of 5,000 levels', bytes: Buffer.from('[{"a":'.repeat(2500)) },
  { what: 'closed JSON of 7,500 levels', bytes: Buffer.from('['.repeat(7500) + ']'.repeat(7500)) },
  { what: 'bytes that are no UTF-8', bytes: Buffer.from([0x7b, 0xff, 0xfe, 0x22, 0x7d]) },
  { what: 'a NUL', bytes: Buffer.from([0]) },
  { what: 'a text', bytes: Buffer.from('"text"') },
  { what: 'a list', bytes: Buffer.from('[{}]') },
  { what: 'a number beyond all numbers', bytes: Buffer.from('1e999') },
];

const contentTypes = fc.constantFrom(
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'multipart/form-data',
  'multipart/form-data; boundary=b',
  'application/x-www-form-urlencoded',
  ';',
  'json',
);

/** A call on the wire. */
export type Attack = {
  token: 'admin' | 'user' | 'none' | 'wrong';
  /** For each path parameter: a text, or the index of an existing id. */
  params: (string | number)[];
  query: readonly [string, string][];
  headers: Record<string, string>;
  body: Buffer | undefined;
};

type Subject = { route: Route; query: unknown; body: unknown };

/** Calls of a route that are mostly invalid, often in several places. */
export function attacksOn({ route, query, body }: Subject): fc.Arbitrary<Attack> {
  const params = [...route.path.matchAll(/\{\w+\}/g)].map(() =>
    fc.oneof({ weight: 3, arbitrary: fc.nat(100) }, texts.filter(fitsInPath)),
  );
  return fc
    .record({
      token: fc.oneof(
        { weight: 8, arbitrary: fc.constant('admin' as const) },
        fc.constantFrom('user' as const, 'none' as const, 'wrong' as const),
      ),
      params: fc.tuple(...params),
      query: queries(Object.keys(query ?? {})),
      key: fc.option(fc.constantFrom('key', 'k'.repeat(300), 'two words', ''), { freq: 6 }),
      sent: route.file ? uploads(route.file) : bodies(body),
    })
    .map(({ token, params, query, key, sent }) => ({
      token,
      params,
      query,
      body: sent.body && readable(sent.body),
      headers: {
        ...(sent.type !== undefined && { 'content-type': sent.type }),
        ...(key !== null && { 'idempotency-key': key, 'x-socket-id': key }),
      },
    }));
}

/** Bytes that a counterexample prints as text. */
function readable(bytes: Buffer): Buffer {
  return Object.assign(bytes, { [fc.toStringMethod]: () => bytes.toString().slice(0, 2000) });
}

function fitsInPath(text: string) {
  return text.length < 2000 && text.isWellFormed() && text !== '' && !/^\.{1,2}$/.test(text);
}

function queries(names: string[]): fc.Arbitrary<readonly [string, string][]> {
  const strange = fc.constantFrom(...hostileNames.filter((one) => one.isWellFormed()));
  const known = names.map((name) => ({ weight: 4, arbitrary: fc.constant(name) }));
  const name = fc.oneof(...known, strange);
  const value = texts.filter((text) => text.length < 2000).map((text) => text.toWellFormed());
  return fc.oneof(
    fc.constant([]),
    fc.array(fc.tuple(name, fc.oneof(value, fc.constant('7'))), { maxLength: 3 }),
  );
}

type Sent = { type: string | undefined; body: Buffer | undefined };

function bodies(valid: unknown): fc.Arbitrary<Sent> {
  const json = fc
    .array(mutations(valid ?? {}), { maxLength: 3 })
    .map((steps) => steps.reduce<unknown>((input, step) => step(input), valid ?? {}))
    .map((input) => Buffer.from(JSON.stringify(input) ?? ''));
  const type = fc.constant('application/json');
  return fc.oneof(
    { weight: 8, arbitrary: fc.record({ type, body: json }) },
    fc.record({ type, body: fc.constantFrom(...brokenBodies.map(({ bytes }) => bytes)) }),
    fc.record({ type, body: fc.uint8Array().map((bytes) => Buffer.from(bytes)) }),
    fc.record({ type: fc.option(contentTypes, { nil: undefined }), body: json }),
    fc.record({ type, body: fc.constant(undefined) }),
  );
}

/** One mutation of an input: another value, a missing or an extra member. */
function mutations(valid: unknown): fc.Arbitrary<(input: unknown) => unknown> {
  const places = placesOf(valid).map(({ path }) => path);
  const place = fc.constantFrom(...places);
  return fc.oneof(
    fc.tuple(place, values).map(
      ([path, value]) =>
        (input: unknown) =>
          changed(input, path, value),
    ),
    place.map((path) => (input: unknown) => changed(input, path, undefined)),
    fc.tuple(place, fc.constantFrom(...hostileNames), values).map(
      ([path, name, value]) =>
        (input: unknown) =>
          changed(input, [...path, name], value),
    ),
  );
}

function uploads(field: string): fc.Arbitrary<Sent> {
  const name = fc.constantFrom(field, field, field, '__proto__', 'other', '');
  const content = fc.oneof(texts, fc.constantFrom('', 'a,b\n1,2', '"open', 'x,'.repeat(10_000)));
  const end = fc.constantFrom('\r\n--b--\r\n', '\r\n--b\r\n', '', '\r\n--b--');
  const whole = fc.tuple(name, content, end).map(([name, content, end]) => ({
    type: 'multipart/form-data; boundary=b',
    body: Buffer.from(
      `--b\r\ncontent-disposition: form-data; name="${name}"; filename="a.csv"\r\n\r\n${content}${end}`,
    ),
  }));
  const anything = fc.record({
    type: fc.option(contentTypes, { nil: undefined }),
    body: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  });
  return fc.oneof({ weight: 3, arbitrary: whole }, anything);
}
