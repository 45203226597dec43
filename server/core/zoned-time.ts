import { Temporal } from 'temporal-polyfill';

/** `YYYY-MM-DDTHH:MM:SS` on the clocks of a zone. @param instant ISO 8601 */
export function wallTime(instant: string, timeZone: string): string {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDateTime().toString();
}

/**
 * The instant of a wall time. Of two instants of the same wall time it is the first; a time that clocks skip is as much
 * later as they skip.
 * @param wall `YYYY-MM-DDTHH:MM`, with or without seconds
 */
export function instantOf(wall: string, timeZone: string): Date {
  const zoned = Temporal.PlainDateTime.from(wall).toZonedDateTime(timeZone, COMPATIBLE);
  return new Date(zoned.epochMilliseconds);
}

const COMPATIBLE = { disambiguation: 'compatible' } as const;

/** Whether the clocks of a zone never show a wall time. */
export function isSkipped(wall: string, timeZone: string): boolean {
  const asked = Temporal.PlainDateTime.from(wall);
  return !asked.toZonedDateTime(timeZone, COMPATIBLE).toPlainDateTime().equals(asked);
}

/** A day does not begin at midnight everywhere. @param day `YYYY-MM-DD` */
export function startOfDay(day: string, timeZone: string): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds);
}

/** A day ends when the next one begins, also the last day that is written with four digits. */
export function endOfDay(day: string, timeZone: string): Date {
  const next = Temporal.PlainDate.from(day).add({ days: 1 });
  return new Date(next.toZonedDateTime(timeZone).epochMilliseconds);
}
