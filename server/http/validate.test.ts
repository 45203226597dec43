import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Refusal } from '../core/refusal.ts';
import { validate } from './validate.ts';

const schema = z.strictObject({
  list: z._default(z.array(z.string('An entry must be text')), []),
  inner: z.optional(z.strictObject({ name: z.string('Name is required') })),
});

function refusalOf(value: unknown): Partial<Refusal> {
  try {
    validate(schema, value);
  } catch (error) {
    if (error instanceof Refusal) return error;
  }
  return {};
}

test('the validation returns the output of the schema', () => {
  expect(validate(schema, { inner: { name: 'Ada' } })).toEqual({
    list: [],
    inner: { name: 'Ada' },
  });
});

test('the validation reports every invalid field in the order of the schema, with the message of the first', () => {
  expect(refusalOf({ list: ['a', 7, null], inner: { name: 1, color: 2 } })).toMatchObject({
    code: 'invalidInput',
    message: 'An entry must be text',
    errors: [
      { path: 'list.1', message: 'An entry must be text' },
      { path: 'list.2', message: 'An entry must be text' },
      { path: 'inner.name', message: 'Name is required' },
      { path: 'inner.color', message: 'Unknown field: color' },
    ],
  });
});

test.each([
  [7, '', 'The body must be an object'],
  [[], '', 'The body must be an object'],
  [{ inner: [] }, 'inner', 'inner must be an object'],
])('the validation refuses %j, which is not an object', (value, path, message) => {
  expect(refusalOf(value)).toMatchObject({ message, errors: [{ path, message }] });
});

test('the validation reports at most a hundred errors', () => {
  const wrong = Array.from({ length: 5000 }, () => 7);
  expect(refusalOf({ list: wrong }).errors).toHaveLength(100);
  const strange = Object.fromEntries(wrong.map((_, index) => [`strange${index}`, 7]));
  expect(refusalOf(strange).errors).toHaveLength(100);
});

test('the validation cleans unknown member names before it returns them', () => {
  const errors = refusalOf({ '\u202E<script>\0': 1, ['x'.repeat(1000)]: 1, '😀': 1 }).errors ?? [];
  expect(errors).toEqual([
    { path: 'script', message: 'Unknown field: script' },
    { path: 'x'.repeat(40), message: `Unknown field: ${'x'.repeat(40)}` },
    { path: '(unnamed)', message: 'Unknown field: (unnamed)' },
  ]);
});
