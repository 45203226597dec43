const WEEK = 7;

/** ISO day of the week, 1 for Monday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || WEEK;
}

const written = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
});

/** `Mar 3, 2027` */
export function inWords(day: string): string {
  return written.format(new Date(`${day}T00:00:00Z`));
}

const weekdays = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long' });

export function weekdayName(day: string): string {
  return weekdays.format(new Date(`${day}T00:00:00Z`));
}
