const DAY = 86_400_000;
const WEEK = 7;
const MONTHS = 12;

/** A calendar day as a number of days, which knows no time zone. */
function numberOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY;
}

function dayOf(number: number): string {
  return new Date(number * DAY).toISOString().slice(0, 10);
}

export function addDays(day: string, days: number): string {
  return dayOf(numberOf(day) + days);
}

/** The same day of a later or an earlier month, at most its last: January 31 and a month is February 28. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const total = year * MONTHS + (month - 1) + months;
  const [toYear, toMonth] = [Math.floor(total / MONTHS), ((total % MONTHS) + MONTHS) % MONTHS];
  const last = new Date(Date.UTC(toYear, toMonth + 1, 0)).getUTCDate();
  return new Date(Date.UTC(toYear, toMonth, Math.min(date, last))).toISOString().slice(0, 10);
}

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
