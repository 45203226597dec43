import * as z from 'zod/mini';
import { missingOr } from './text.ts';

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** True for real calendar days, years 1 to 9999. */
export function isRealDay(text: string): boolean {
  const parts = DAY.exec(text);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Trimmed text to parse as a day, an instant and the like; missing or blank gives `required`. */
export function written(required: string, otherwise: string) {
  return z
    .string({ error: missingOr(required, otherwise) })
    .check(z.trim(), z.minLength(1, { error: required, abort: true }));
}

/** A calendar day without a time zone, `YYYY-MM-DD`. */
export function day(label: string, { required = `${label} is required` } = {}) {
  const wrong = `${label} must be a date`;
  return written(required, wrong).check(z.refine(isRealDay, wrong));
}

/** An ISO 8601 instant with `Z` or an offset; the output is UTC with `Z` and milliseconds. */
export function instant(label: string, { required = `${label} is required` } = {}) {
  const wrong = `${label} must be a date`;
  return written(required, wrong).check(
    z.refine(isInstant, { error: wrong, abort: true }),
    z.overwrite((text) => new Date(text).toISOString()),
  );
}

function isInstant(text: string): boolean {
  if (!INSTANT.test(text) || !isRealDay(text.slice(0, 10))) return false;
  const time = new Date(text).getTime();
  return time >= Date.UTC(1000, 0, 1) && time < Date.UTC(10_000, 0, 1);
}

/** An instant in a reply, UTC with `Z`. */
export const Instant = z.string();
/** A day in a reply, `YYYY-MM-DD`. */
export const Day = z.string();
