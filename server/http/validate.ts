import type * as z from 'zod/mini';
import type { FieldError } from '@matterdesk/contract/errors.ts';
import { invalidFields } from '../core/refusal.ts';

/**
 * @returns the schema's output
 * @throws Refusal invalidInput with an error for each invalid field, in the schema's order
 */
export function validate<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidFields(findFieldErrors(result.error));
}

/** More than any form has, so that a huge invalid body does not get a huge reply. */
const MAX_ERRORS = 100;

/** Invalid fields, in the schema's order. */
export function findFieldErrors(error: z.core.$ZodError): FieldError[] {
  return error.issues.flatMap(fieldErrors).slice(0, MAX_ERRORS);
}

type Issue = z.core.$ZodIssue;

function fieldErrors(issue: Issue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MAX_ERRORS).map((key) => ({
      path: [...path, printable(key)].join('.'),
      message: `Unknown field: ${printable(key)}`,
    }));
  const message =
    // The contract has no message for this, and another package may replace the validator's own.
    issue.message.startsWith('Invalid input')
      ? `${path.at(-1) ?? 'The body'} must be an object`
      : issue.message;
  return [{ path: path.join('.'), message }];
}

/** Cleans an untrusted member name before it is returned to the client. */
export function printable(key: string) {
  return key.replace(/[^\w.-]/g, '').slice(0, 40) || '(unnamed)';
}
