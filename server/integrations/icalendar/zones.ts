import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';

/** Whose clocks a time is on: a zone that everyone knows by its name, or one that the file itself describes. */
export type Zone = { name: string } | { described: ICAL.Timezone };

/** `YYYY-MM-DDTHH:MM:SS` on the clocks of a zone as an instant; of two the first, and in a gap that much later. */
export function instantOf(wall: string, zone: Zone): string {
  if ('name' in zone) {
    const zoned = Temporal.PlainDateTime.from(wall).toZonedDateTime(zone.name);
    return new Date(zoned.epochMilliseconds).toISOString();
  }
  const time = ICAL.Time.fromDateTimeString(wall);
  time.zone = zone.described;
  return time.toJSDate().toISOString();
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
  if (isKnown(id)) return { name: id };
  const found = calendar
    .getAllSubcomponents('vtimezone')
    .find((component) => component.getFirstPropertyValue('tzid') === id);
  return found && isYearly(found) ? { described: new ICAL.Timezone(found) } : undefined;
}

/** Names with a slash: others, such as EST, mean different zones to different programs. */
function isKnown(name: string): boolean {
  if (name !== 'UTC' && !/^[A-Za-z]+\//.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).format() !== '';
  } catch {
    return false;
  }
}

/** Clocks change by the year; other rules are written to keep a reader busy. */
function isYearly(zone: ICAL.Component): boolean {
  const parts = ['standard', 'daylight'].flatMap((name) => zone.getAllSubcomponents(name));
  const rules = parts.flatMap((part) => part.getAllProperties('rrule'));
  return rules.every((rule) => {
    const value = rule.getFirstValue();
    return value instanceof ICAL.Recur && value.freq === 'YEARLY';
  });
}
