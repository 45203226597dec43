import type { AccessChange, AccessMode } from '@matterdesk/contract/access.ts';

/** The people whom a matter's access names; ids of users. */
export type Wall = {
  mode: AccessMode;
  /** People who see it while it is open; undefined for everyone at the firm. */
  openTo: string[] | undefined;
  assigned: string[];
  added: string[];
  screened: string[];
  /** People whose password someone else's link set: while restricted they wait to be let in again. */
  paused: string[];
};

/** True for those who see the matter for good; emergency access for a time does not count. */
export function isInside(wall: Wall, userId: string): boolean {
  if (wall.screened.includes(userId)) return false;
  if (wall.mode === 'restricted' && wall.paused.includes(userId)) return false;
  if (wall.assigned.includes(userId) || wall.added.includes(userId)) return true;
  return wall.mode === 'open' && (wall.openTo?.includes(userId) ?? true);
}

/** The wall after a change; assignments stay, and so do paused people whom it does not name. */
export function changedWall(wall: Wall, change: AccessChange): Wall {
  const screened = [...new Set(change.screened.map(({ person }) => person))];
  const paused = wall.paused.filter((id) => !change.people.includes(id));
  const waiting = wall.added.filter((id) => paused.includes(id) && !screened.includes(id));
  const added = new Set([...change.people, ...waiting]);
  return {
    mode: change.mode,
    openTo: wall.openTo,
    assigned: wall.assigned,
    added: [...added].filter((id) => !wall.assigned.includes(id)),
    screened,
    paused,
  };
}

/** Whether a change lets anyone in: opens the matter, adds a person, ends a pause, or lifts a screen of its people. */
export function letsIn(before: Wall, after: Wall): boolean {
  const named = [...before.assigned, ...before.added];
  return (
    (before.mode === 'restricted' && after.mode === 'open') ||
    after.added.some((id) => !named.includes(id)) ||
    before.paused.some((id) => !after.paused.includes(id)) ||
    before.screened.some((id) => isInside(after, id))
  );
}

/** No one lets themselves in, nor back in after a pause, even where they see the matter because it is open. */
export function letsInSelf(before: Wall, after: Wall, userId: string): boolean {
  if (before.paused.includes(userId) && !after.paused.includes(userId)) return true;
  return !isInside(before, userId) && isInside(after, userId);
}

/** People whom a new assignment lets in. */
export function peopleLetIn(wall: Wall, assigned: string[]): string[] {
  const after = { ...wall, assigned };
  return assigned.filter((id) => !isInside(wall, id) && isInside(after, id));
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

/** The name of a change in the history. */
export function nameOfChange(before: Wall, after: Wall) {
  if (before.mode === after.mode) return 'changed';
  return after.mode === 'open' ? 'opened' : 'restricted';
}

/** People whom a change lets in, adds, or keeps out, for the history. */
export function affectedPeople(before: Wall, after: Wall): string[] {
  const differing = (one: string[], other: string[]) => [
    ...one.filter((id) => !other.includes(id)),
    ...other.filter((id) => !one.includes(id)),
  ];
  return [
    ...new Set([
      ...differing(before.added, after.added),
      ...differing(before.screened, after.screened),
      ...differing(before.paused, after.paused),
    ]),
  ];
}
