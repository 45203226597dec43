const DAY = 86_400_000;
const MONTHS = 12;

/** On the wire, years have four digits: what lies beyond is the first or the last day. */
const FIRST_DAY = '0001-01-01';
export const LAST_DAY = '9999-12-31';

function writtenDay(time: number): string {
  const text = new Date(time).toISOString();
  if (text.startsWith('+')) return LAST_DAY;
  return text < FIRST_DAY ? FIRST_DAY : text.slice(0, FIRST_DAY.length);
}

export function addDays(day: string, days: number): string {
  return writtenDay(Date.parse(`${day}T00:00:00Z`) + days * DAY);
}

/** The same day of a later or an earlier month, at most its last: January 31 and a month is February 28. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const total = year * MONTHS + (month - 1) + months;
  const [toYear, toMonth] = [Math.floor(total / MONTHS), ((total % MONTHS) + MONTHS) % MONTHS];
  const last = new Date(timeOf(toYear, toMonth + 1, 0)).getUTCDate();
  return writtenDay(timeOf(toYear, toMonth, Math.min(date, last)));
}

/** `Date.UTC` takes the years before 100 for those of the last century. */
function timeOf(year: number, month: number, date: number): number {
  return new Date(0).setUTCFullYear(year, month, date);
}
