import type { MailboxAddress } from '@matterdesk/contract/mails.ts';

/** The name, 'Piet Voss', or else the address. */
export function nameOf(address: MailboxAddress | null): string {
  return address?.name || address?.email || '(no address)';
}

/** 'Piet Voss <voss@example.com>' */
export function addressInWords({ name, email }: MailboxAddress): string {
  return name === '' || name === email ? email : `${name} <${email}>`;
}

export function subjectOf(subject: string): string {
  return subject.trim() === '' ? '(no subject)' : subject;
}

const DAY_MS = 86_400_000;

/** The time for today, the weekday for this week, otherwise the day. */
export function dayInList(date: string, now: Date): string {
  const at = new Date(date);
  if (Number.isNaN(at.getTime())) return '';
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const isToday = at.getTime() >= midnight && at.getTime() < midnight + DAY_MS;
  if (isToday) return timeInWords(date);
  const isThisWeek = at.getTime() >= midnight - 6 * DAY_MS && at.getTime() < midnight;
  if (isThisWeek) return at.toLocaleDateString(undefined, { weekday: 'short' });
  const isThisYear = at.getFullYear() === now.getFullYear();
  return at.toLocaleDateString(undefined, {
    month: 'short',
    day: 'numeric',
    ...(!isThisYear && { year: 'numeric' }),
  });
}

/** 'Nov 20, 2026, 10:42 AM' */
export function dateInWords(date: string): string {
  const at = new Date(date);
  if (Number.isNaN(at.getTime())) return '';
  return at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** '10:42 AM' */
export function timeInWords(date: string): string {
  return new Date(date).toLocaleTimeString(undefined, { timeStyle: 'short' });
}

/** The age of the shown list. */
export function ageInWords(readAt: string | null, now: Date): string {
  if (readAt === null) return '\u00A0';
  const minutes = Math.floor((now.getTime() - Date.parse(readAt)) / 60_000);
  if (minutes < 1) return 'Updated just now';
  return minutes < 60 ? `Updated ${minutes} min ago` : `Updated ${dateInWords(readAt)}`;
}
