// Dates and times as sentences and printed pages state them.

const dateFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
});

/** `Mar 3, 2027` */
export function dateInWords(day: string): string {
  return dateFormat.format(new Date(`${day}T00:00:00Z`));
}

/** `2026-11-22 10:31 UTC` @param instant ISO 8601, in UTC */
export function minuteInUtc(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}

/** `2026-11-22 10:31:04 UTC` @param instant ISO 8601, in UTC */
export function secondInUtc(instant: string): string {
  return `${instant.slice(0, 19).replace('T', ' ')} UTC`;
}
