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
function written(required: string, otherwise: string) {
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
export function instant(label: string) {
  const wrong = `${label} must be a date`;
  return written(`${label} is required`, wrong).check(
    z.refine(isInstant, { error: wrong, abort: true }),
    z.overwrite((text) => new Date(text).toISOString()),
  );
}

function isInstant(text: string): boolean {
  if (!INSTANT.test(text) || !isRealDay(text.slice(0, 10))) return false;
  const time = new Date(text).getTime();
  return time >= Date.UTC(1000, 0, 1) && time < Date.UTC(10_000, 0, 1);
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** A time of day, `HH:MM` from 00:00 to 23:59. */
export function timeOfDay(label: string) {
  const wrong = `${label} must be a time such as 07:30`;
  return written(`${label} is required`, wrong).check(z.regex(TIME, wrong));
}

export const UNKNOWN_ZONE = 'Time zone is unknown';

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
  return (/^utc$/i.test(text) || PLACE.test(text)) && resolveZone(text) !== undefined;
}

/** The zone that a name from a file or a machine means, if that is certain. */
export function zoneNamed(name: string): string | undefined {
  if (isTimeZone(name)) return usualSpelling(name);
  const place = ALIAS.test(name) ? resolveZone(name) : undefined;
  return place !== undefined && isTimeZone(place) ? place : undefined;
}

/** A renamed zone keeps the name under which it was given: engines write some by their former names. */
function usualSpelling(zone: string): string {
  const name = resolveZone(zone);
  return name?.toLowerCase() === zone.toLowerCase() ? name : zone;
}

function resolveZone(zone: string): string | undefined {
  if (zone.length > ZONE_NAME_MAX) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
