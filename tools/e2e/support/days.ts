/** The zone of the browsers, and of a firm that chose none. */
export const ZONE = 'America/New_York';

const DAY = 86_400_000;

/** A day from today as the firm counts it, YYYY-MM-DD; UTC is a day ahead each evening. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * DAY).toLocaleDateString('en-CA', { timeZone: ZONE });
}
