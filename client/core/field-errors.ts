import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { CallError } from '../api.ts';

/**
 * Shows the server's field errors under their fields, and focuses the first.
 * @returns whether there were any
 */
export function showFieldErrors<Values extends FieldValues, Output extends FieldValues>(
  form: UseFormReturn<Values, unknown, Output>,
  error: unknown,
): boolean {
  if (!(error instanceof CallError)) return false;
  for (const [index, { path, message }] of error.errors.entries())
    form.setError(path as FieldPath<Values>, { message }, { shouldFocus: index === 0 });
  return error.errors.length > 0;
}
