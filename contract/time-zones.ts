import * as z from 'zod/mini';
import { written } from './time.ts';
import { isTimeZone, usualSpelling } from './zone-names.ts';

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** A time of day, `HH:MM` from 00:00 to 23:59. */
export function timeOfDay(label: string, { required = `${label} is required` } = {}) {
  const wrong = `${label} must be a time such as 07:30`;
  return written(required, wrong).check(z.regex(TIME, wrong));
}

type ZoneRule = { required?: string; wrong?: string };

/** The name of a place in IANA's database, or UTC, in its usual spelling. */
export function timeZone(
  label: string,
  {
    required = `${label} is required`,
    wrong = `${label} must be a time zone such as America/New_York`,
  }: ZoneRule = {},
) {
  return written(required, wrong).check(
    z.refine(isTimeZone, { error: wrong, abort: true }),
    z.overwrite(usualSpelling),
  );
}
