export const DAY = 24 * 3600_000;

/** That many days later, fractions included. */
export function addDays(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * DAY);
}

/** Whole days between two instants. */
export function daysBetween(earlier: Date, later: Date): number {
  return Math.max(0, Math.floor((later.getTime() - earlier.getTime()) / DAY));
}

/** `YYYY-MM-DD` in UTC. */
export function toDay(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** The same instant, moved back to Friday from a weekend. */
export function toWorkday(instant: Date): Date {
  const weekday = instant.getUTCDay();
  if (weekday === 6) return addDays(instant, -1);
  return weekday === 0 ? addDays(instant, -2) : instant;
}
