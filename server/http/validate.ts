import type * as z from 'zod/mini';
import type { FieldError } from '@matterdesk/contract/errors.ts';
import { invalidFields } from '../core/refusal.ts';

/**
 * @returns the value as the schema shapes it
 * @throws Refusal invalidInput with an error for each wrong field, in the schema's order
 */
export function validate<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidFields(findFieldErrors(result.error));
}

/** More than any form has; a body made of wrong members is not answered member by member. */
const MOST_ERRORS = 100;

/** Every wrong field, in the schema's order. */
export function findFieldErrors(error: z.core.$ZodError): FieldError[] {
  return error.issues.flatMap(fieldErrors).slice(0, MOST_ERRORS);
}

type Issue = z.core.$ZodIssue;

function fieldErrors(issue: Issue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MOST_ERRORS).map((key) => ({
      path: [...path, printable(key)].join('.'),
      message: `Unknown field: ${printable(key)}`,
    }));
  const message =
    // What the contract has no words for; some package may have given the validator its own.
    issue.message.startsWith('Invalid input')
      ? `${path.at(-1) ?? 'The body'} must be an object`
      : issue.message;
  return [{ path: path.join('.'), message }];
}

/** A stranger's member name goes back only as far as it is harmless. */
export function printable(key: string) {
  return key.replace(/[^\w.-]/g, '').slice(0, 40) || '(unnamed)';
}
