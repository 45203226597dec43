import * as z from 'zod/mini';
import { missingOr } from './text.ts';

/** A required whole number. */
export function wholeNumber(label: string, { min, max }: { min: number; max: number }) {
  const wrong = `${label} must be a whole number from ${min} to ${max}`;
  return z
    .number({ error: missingOr(`${label} is required`, wrong) })
    .check(z.refine((n) => Number.isInteger(n) && n >= min && n <= max, wrong));
}
