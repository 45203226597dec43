import type { Person } from '@matterdesk/contract/cases.ts';

export function nameOf({ firstName, lastName }: Person): string {
  return `${firstName} ${lastName}`;
}

/** 'Nov 24, 2026, 5:00 PM', on the firm's clock. */
export function momentAt(at: Date, timeZone: string): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
  // The locale parts time and half of the day by a narrow space, which mail programs show as a question mark.
  return new Intl.DateTimeFormat('en-US', format).format(at).replaceAll('\u202F', ' ');
}
