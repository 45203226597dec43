// The instants of reminders, and the notices of missed ones.

import { addDays, morningOf, type FirmClock } from '../../core/dates.ts';

/** Minutes. */
const DAY_MINUTES = 1440;

/** The instant of an all-day event's reminder: whole days before on the calendar, the rest before the morning. */
export function dueBefore(day: string, minutes: number, firm: FirmClock): Date {
  const days = Math.floor(minutes / DAY_MINUTES);
  const morning = morningOf(addDays(day, -days), firm);
  return new Date(morning.getTime() - (minutes % DAY_MINUTES) * 60_000);
}

/** Everything that the instants of mornings depend on. */
export function reminderBasis({ timeZone, morning }: FirmClock): string {
  return `${timeZone} ${morning} ${process.versions.tz ?? ''}`;
}

/** More missed notices than these come as one. */
const MAX_MISSED = 20;

type Missable = { user_id: string; missed: boolean; at: Date };

/** Splits drafts into single ones and those that come as one notice per user. */
export function gatherMissed<Draft extends Missable>(drafts: Draft[]) {
  const counts = new Map<string, Draft[]>();
  for (const draft of drafts)
    if (draft.missed) counts.set(draft.user_id, [...(counts.get(draft.user_id) ?? []), draft]);
  const many = new Map([...counts].filter(([, missed]) => missed.length > MAX_MISSED));
  const single = drafts.filter((draft) => !draft.missed || !many.has(draft.user_id));
  return { single, many };
}
