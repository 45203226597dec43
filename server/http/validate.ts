import type * as z from 'zod/mini';
import type { FieldError } from '@matterdesk/contract/errors.ts';
import { invalidFields } from './refusal.ts';

/**
 * @returns the value as the schema shapes it
 * @throws Refusal invalidInput with an error for each wrong field, in the schema's order
 */
export function validate<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidFields(findFieldErrors(result.error));
}

/** Every wrong field, in the schema's order. */
export function findFieldErrors(error: z.core.$ZodError): FieldError[] {
  return error.issues.flatMap(fieldErrors);
}

type Issue = z.core.$ZodIssue;

function fieldErrors(issue: Issue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key].join('.'),
      message: `${printable(key)} is not known here`,
    }));
  const message = issue.message === 'Invalid input' ? 'The body must be an object' : issue.message;
  return [{ path: path.join('.'), message }];
}

/** A stranger's member name goes back in a message only as far as it is harmless. */
function printable(key: string) {
  return key.replace(/[^\w.-]/g, '').slice(0, 40) || 'A member';
}
