import ICAL from 'ical.js';
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { zoneNamed } from '@matterdesk/contract/time.ts';
import { isSkipped as skips } from '../../core/dates.ts';
import { MAX_OCCURRENCES } from './reader.ts';

/** Days ahead, and days back that a long series keeps. */
const AHEAD = 730;
const KEPT = 30;
/** Places that are looked at, far more than any real series has. */
const MAX_OCCURRENCES_CHECKED = 8000;

export class UnknownRepeat extends Error {}

type Series = {
  event: ICAL.Component;
  /** The wall time or the day of its start. */
  start: string;
  zone: Zone;
  today: string;
};

/**
 * The wall times, or days, of a series in order, of which there are never more than 730: of a long one those that were
 * over for a month are left out.
 * @throws UnknownRepeat
 */
export function slotsOf({ event, start, zone, today }: Series): string[] {
  const horizon = addDays(today > start ? today : start.slice(0, 10), AHEAD);
  const found = new Set([start]);
  for (const rule of rulesOf(event))
    for (const slot of expand(rule, { start, zone, horizon })) found.add(slot);
  for (const slot of namedIn(event, 'rdate', zone)) found.add(slot);
  for (const slot of namedIn(event, 'exdate', zone)) found.delete(slot);
  const slots = [...found].toSorted();
  if (slots.length <= MAX_OCCURRENCES) return slots;
  const since = addDays(today, -KEPT);
  return slots.filter((slot) => slot >= since).slice(0, MAX_OCCURRENCES);
}

/** The single rule of a series from which nothing is left out and to which nothing is added. */
export function onlyRuleOf(event: ICAL.Component, start: string, zone: Zone): string | null {
  const [rule, ...more] = rulesOf(event);
  if (!rule || more.length > 0) return null;
  if (event.getFirstProperty('rdate') ?? event.getFirstProperty('exdate')) return null;
  const until = untilOf(rule, zone, start);
  const parts = rule
    .toString()
    .split(';')
    .filter((part) => !/^(?:UNTIL|WKST)=/.test(part));
  // The first day of the week matters only to weeks that are left out.
  if (rule.interval > 1 && rule.freq === 'WEEKLY' && rule.wkst !== ICAL.Time.MONDAY) return null;
  if (until === undefined) return parts.join(';');
  const isWhole = until.slice(10) >= start.slice(10);
  return isWhole ? [...parts, `UNTIL=${until.slice(0, 10).replaceAll('-', '')}`].join(';') : null;
}

function rulesOf(event: ICAL.Component): ICAL.Recur[] {
  return event.getAllProperties('rrule').map((property) => {
    const value = property.getFirstValue();
    if (!(value instanceof ICAL.Recur)) throw new UnknownRepeat();
    return value;
  });
}

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];

/** Ignores times that a clock change skips, and does not count them (RFC 5545, 3.3.10); only the start is moved. */
function expand(
  rule: ICAL.Recur,
  { start, zone, horizon }: { start: string; zone: Zone; horizon: string },
): string[] {
  if (!FREQUENCIES.includes(rule.freq)) throw new UnknownRepeat();
  const until = untilOf(rule, zone, start);
  const last = until ?? `${horizon}T23:59:59`;
  const parts = rule
    .toString()
    .split(';')
    .filter((part) => !/^(?:UNTIL|COUNT)=/.test(part));
  const end = `UNTIL=${compact(last)}Z`;
  const text = `DTSTART:${compact(start)}Z\nRRULE:${[...parts, end].join(';')}`;
  const found: string[] = [];
  let looked = 0;
  new RRuleTemporal({ rruleString: text, tzid: 'UTC', maxIterations: MAX_OCCURRENCES_CHECKED }).all(
    (date) => {
      looked += 1;
      const wall = date.toPlainDateTime().toString();
      if (wall > last || looked > MAX_OCCURRENCES_CHECKED) return false;
      if (start.length === 10) found.push(wall.slice(0, 10));
      else if (wall === start || !isSkipped(wall, zone)) found.push(wall);
      return found.length !== rule.count;
    },
  );
  return found;
}

/** The last wall time of a rule. */
function untilOf(rule: ICAL.Recur, zone: Zone, start: string): string | undefined {
  const { until } = rule;
  if (!until) return undefined;
  if (until.isDate) return `${until.toString()}T23:59:59`;
  return start.length === 10 ? wallOf(until) : wallIn(until, zone);
}

/** A time on the clocks of a zone. */
function wallIn(time: ICAL.Time, zone: Zone): string {
  const wall = wallOf(time);
  if (time.isDate || time.zone !== ICAL.Timezone.utcTimezone) return wall;
  const ahead = Date.parse(`${wall}Z`) - Date.parse(instantOf(wall, zone));
  return new Date(Date.parse(`${wall}Z`) + ahead).toISOString().slice(0, 19);
}

/** Times that are named one by one; a period is its beginning. */
function namedIn(event: ICAL.Component, name: string, zone: Zone): string[] {
  return event.getAllProperties(name).flatMap((property) =>
    property.getValues().flatMap((value: unknown) => {
      const time = value instanceof ICAL.Period ? value.start : value;
      return time instanceof ICAL.Time ? [wallIn(time, zone)] : [];
    }),
  );
}

/** A time as it is written, without its zone. */
export function wallOf(time: ICAL.Time): string {
  return time.isDate ? time.toString().slice(0, 10) : time.toString().slice(0, 19);
}

/** `20270203T090000` */
function compact(wall: string): string {
  const digits = wall.replaceAll(/[-:]/g, '');
  return digits.length === 8 ? `${digits}T000000` : digits;
}

export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day.slice(0, 10)).add({ days }).toString();
}

const DAY = 86_400;

/** The clock of a time: a named zone, a fixed offset, or a zone that the file describes. */
export type Zone = { name: string } | { fixed: string } | { described: ICAL.Timezone };

/** `YYYY-MM-DDTHH:MM:SS` on the clocks of a zone as an instant; of two the first, and in a gap that much later. */
export function instantOf(wall: string, zone: Zone): string {
  if (!('described' in zone)) {
    const name = 'name' in zone ? zone.name : zone.fixed;
    const zoned = Temporal.PlainDateTime.from(wall).toZonedDateTime(name);
    return new Date(zoned.epochMilliseconds).toISOString();
  }
  const time = ICAL.Time.fromDateTimeString(wall);
  time.zone = zone.described;
  return time.toJSDate().toISOString();
}

/** Whether the clocks of a zone never show a wall time. */
function isSkipped(wall: string, zone: Zone): boolean {
  if ('name' in zone) return skips(wall, zone.name);
  // Fixed clocks are never put forward.
  if ('fixed' in zone) return false;
  const { described } = zone;
  const offsetAt = (secondsBefore: number) => {
    const time = ICAL.Time.fromDateTimeString(wall);
    time.adjust(0, 0, 0, -secondsBefore);
    return described.utcOffset(time);
  };
  // The parser changes the offset as soon as the clocks are put forward, from the first time that they skip.
  const skipped = offsetAt(0) - offsetAt(DAY);
  return skipped > 0 && offsetAt(skipped) === offsetAt(DAY);
}

/** The name under which an event is stored. */
export function nameOf(zone: Zone): string {
  return 'name' in zone ? zone.name : 'UTC';
}

/**
 * The zone of a property's time; undefined for one that neither the file nor anyone else knows.
 * @param floating of times without a zone
 */
export function zoneOf(
  property: ICAL.Property,
  calendar: ICAL.Component,
  floating: string,
): Zone | undefined {
  const value = property.getFirstValue();
  if (value instanceof ICAL.Time && value.zone === ICAL.Timezone.utcTimezone)
    return { name: 'UTC' };
  const id = property.getParameter('tzid');
  if (typeof id !== 'string' || id === '') return { name: floating };
  const name = zoneNamed(id);
  if (name !== undefined) return { name };
  const found = calendar
    .getAllSubcomponents('vtimezone')
    .find((component) => component.getFirstPropertyValue('tzid') === id);
  if (found && isYearly(found)) return { described: new ICAL.Timezone(found) };
  return FIXED.test(id) ? { fixed: id } : undefined;
}

/** Other names without a place, such as EST, mean different zones to different programs. */
const FIXED = /^Etc\/GMT(?:[+-](?:\d|1[0-2]))?$/;

/** Clocks change by the year; other rules are written to keep a reader busy. */
function isYearly(zone: ICAL.Component): boolean {
  const parts = ['standard', 'daylight'].flatMap((name) => zone.getAllSubcomponents(name));
  const rules = parts.flatMap((part) => part.getAllProperties('rrule'));
  return rules.every((rule) => {
    const value = rule.getFirstValue();
    return value instanceof ICAL.Recur && value.freq === 'YEARLY';
  });
}
