import type { AccessChange, AccessMode } from '@matterdesk/contract/access.ts';

/** Who is named by a matter's access; ids of users. */
export type Wall = {
  mode: AccessMode;
  /** Who sees it while it is open; undefined for everyone at the firm. */
  openTo: string[] | undefined;
  assigned: string[];
  added: string[];
  screened: string[];
};

/** True for those who see the matter for good; a glass that was opened for a time does not count. */
export function isInside(wall: Wall, userId: string): boolean {
  if (wall.screened.includes(userId)) return false;
  if (wall.assigned.includes(userId) || wall.added.includes(userId)) return true;
  return wall.mode === 'open' && (wall.openTo?.includes(userId) ?? true);
}

/** The wall after a change; assignments stay. */
export function changedWall(wall: Wall, change: AccessChange): Wall {
  return {
    mode: change.mode,
    openTo: wall.openTo,
    assigned: wall.assigned,
    added: [...new Set(change.people)].filter((id) => !wall.assigned.includes(id)),
    screened: [...new Set(change.screened.map(({ person }) => person))],
  };
}

/** A change of the mode or of the screened people needs a reason. */
export function needsReason(before: Wall, after: Wall): boolean {
  return before.mode !== after.mode || !isSameSet(before.screened, after.screened);
}

function isSameSet(one: string[], other: string[]) {
  return one.length === other.length && one.every((id) => other.includes(id));
}

/** Reads are filtered for walled matters only. */
export function isWalled({ mode, screened }: Wall): boolean {
  return mode === 'restricted' || screened.length > 0;
}

/** What the history calls a change. */
export function nameOfChange(before: Wall, after: Wall) {
  if (before.mode === after.mode) return 'changed';
  return after.mode === 'open' ? 'opened' : 'restricted';
}

/** People whom a change lets in, adds, or keeps out, for the history. */
export function affected(before: Wall, after: Wall): string[] {
  const differing = (one: string[], other: string[]) => [
    ...one.filter((id) => !other.includes(id)),
    ...other.filter((id) => !one.includes(id)),
  ];
  return [
    ...new Set([
      ...differing(before.added, after.added),
      ...differing(before.screened, after.screened),
    ]),
  ];
}
