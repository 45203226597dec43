// Limits of the tray, and its counts.

import {
  DISMISSED_ALREADY,
  FILED_ALREADY,
  type TrayCounts,
  type TraySource,
  UNDO_DAYS,
} from '@matterdesk/contract/tray.ts';
import type { Actor } from '../../core/actor.ts';
import { DAY_MS } from '../../core/durations.ts';
import { Refusal } from '../../core/refusal.ts';

/** Folders of what is filed without the name of one. */
export const folders: Readonly<Record<TraySource, string>> = {
  mail: 'Mail',
  text: 'Texts',
  scan: 'Scans',
  upload: 'Uploads',
};

type State = { closed_at: Date | null; closed_by: string | null };

/** The refusal of an act on an item that left the tray. */
export function closedAlready(state: 'filed' | 'dismissed'): Refusal {
  return new Refusal('conflict', state === 'filed' ? FILED_ALREADY : DISMISSED_ALREADY);
}

/** For the user who filed or dismissed it, and for those who sort papers. @throws Refusal notPermitted, conflict */
export function requireUndo(actor: Actor, item: State, now: Date): void {
  if (item.closed_by !== actor.id && !actor.permissions.sortPapers)
    throw new Refusal('notPermitted');
  if (item.closed_at && now.getTime() - item.closed_at.getTime() > UNDO_DAYS * DAY_MS)
    throw tooLate();
}

export function tooLate(): Refusal {
  return new Refusal('conflict', 'This can no longer be undone');
}

export type OpenCount = { source: TraySource; owner_id: string | null; n: number };

/** Mails and texts are their reader's alone. */
const isPaper = (source: TraySource) => source === 'upload' || source === 'scan';

/** Items that one user may file. @param waiting open items by source and owner */
export function countsFor(
  { id, sorts }: { id: string; sorts: boolean },
  waiting: readonly OpenCount[],
): TrayCounts {
  const own = waiting.filter(
    ({ source, owner_id: owner }) => owner === id || (sorts && isPaper(source)),
  );
  const of = (source: TraySource) =>
    own.filter((row) => row.source === source).reduce((sum, { n }) => sum + n, 0);
  return { mail: of('mail'), text: of('text'), upload: of('upload'), scan: of('scan') };
}
