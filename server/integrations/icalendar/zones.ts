import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { placeOf } from '@matterdesk/contract/zone-names.ts';
import { isSkipped as skips } from '../../core/zoned-time.ts';

const DAY = 86_400;

/** Whose clocks a time is on: those of a place, fixed ones, or those that the file itself describes. */
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
export function isSkipped(wall: string, zone: Zone): boolean {
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
  const name = placeOf(id);
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
