import * as z from 'zod/mini';
import { written } from './time.ts';

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** A time of day, `HH:MM` from 00:00 to 23:59. */
export function timeOfDay(label: string, { required = `${label} is required` } = {}) {
  const wrong = `${label} must be a time such as 07:30`;
  return written(required, wrong).check(z.regex(TIME, wrong));
}

/** The name of an IANA time zone, in its usual spelling. */
export function timeZone(label: string, { required = `${label} is required` } = {}) {
  const wrong = `${label} must be a time zone such as America/New_York`;
  return written(required, wrong).check(
    z.refine(isTimeZone, { error: wrong, abort: true }),
    z.overwrite(usualSpelling),
  );
}

/** Whether a text names a time zone; offsets such as +05:00 do not. */
export function isTimeZone(text: string): boolean {
  if (!/^[a-z]/i.test(text)) return false;
  try {
    return usualSpelling(text) !== '';
  } catch {
    return false;
  }
}

/** @throws RangeError for an unknown zone */
function usualSpelling(zone: string): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone;
}
