import * as z from 'zod/mini';
import { written } from './time.ts';

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

// Without the validator, because the client's shell needs the names alone.

/** `Area/Location`, as IANA names the zones of places. */
const PLACE =
  /^(?:africa|america|antarctica|arctic|asia|atlantic|australia|europe|indian|pacific)\/[a-z_/-]+$/i;
/** Old names that mean a place by their country or by both of its clocks; EST alone has no summer time. */
const ALIAS = /^(?:(?:us|canada|mexico|brazil|chile)\/[a-z-]+|[a-z]{3}\d[a-z]{3}|etc\/utc)$/i;
const ZONE_NAME_MAX = 60;

/** Whether a text names a place's time zone, or UTC; abbreviations, offsets and old names do not. */
export function isTimeZone(text: string): boolean {
  return (/^utc$/i.test(text) || PLACE.test(text)) && known(text) !== undefined;
}

/** The zone that a name from a file or a machine means, if that is certain. */
export function placeOf(name: string): string | undefined {
  if (isTimeZone(name)) return usualSpelling(name);
  const place = ALIAS.test(name) ? known(name) : undefined;
  return place !== undefined && isTimeZone(place) ? place : undefined;
}

/** A renamed zone keeps the name under which it was given: engines write some by their former names. */
function usualSpelling(zone: string): string {
  const name = known(zone);
  return name?.toLowerCase() === zone.toLowerCase() ? name : zone;
}

function known(zone: string): string | undefined {
  if (zone.length > ZONE_NAME_MAX) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
