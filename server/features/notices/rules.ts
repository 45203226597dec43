// Reminders, notices, and what is mailed of them.

import { addDays, morningOf, type FirmClock } from '../../core/clocks.ts';

/** Minutes. */
const DAY = 1440;

/** When a reminder of an all-day event is due: whole days before on the calendar, the rest before the morning. */
export function dueBefore(day: string, minutes: number, firm: FirmClock): Date {
  const days = Math.floor(minutes / DAY);
  const morning = morningOf(addDays(day, -days), firm);
  return new Date(morning.getTime() - (minutes % DAY) * 60_000);
}

/** What the instants of mornings depend on. */
export function derivation({ timeZone, morning }: FirmClock): string {
  return `${timeZone} ${morning} ${process.versions.tz ?? ''}`;
}

/** Missed notices of one person that come as one. */
const MOST_MISSED = 20;

type Missable = { user_id: string; missed: boolean; at: Date };

/** Splits what is raised at once by whether it comes alone or as one notice of its person. */
export function gatherMissed<Draft extends Missable>(drafts: Draft[]) {
  const counts = new Map<string, Draft[]>();
  for (const draft of drafts)
    if (draft.missed) counts.set(draft.user_id, [...(counts.get(draft.user_id) ?? []), draft]);
  const many = new Map([...counts].filter(([, missed]) => missed.length > MOST_MISSED));
  const alone = drafts.filter((draft) => !draft.missed || !many.has(draft.user_id));
  return { alone, many };
}
