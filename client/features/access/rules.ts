import type { Access, AccessChange, AccessMode, WalledKind } from '@matterdesk/contract/access.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import { fullName } from '../../core/full-name.ts';
import { capitalize, formatCount, formatTime, formatList, plural } from '../../core/words.ts';
import { formatDay, localDay } from '../../ui/days.ts';

/** The dialog's words for a matter, its modes and its assigned people. */
export const wordsOf = {
  cases: {
    it: 'this matter',
    open: 'Everyone at the firm, except screened people',
    restricted: 'Only the people below; admins are not included',
    assigned: 'Assigned to the matter',
  },
  intakes: {
    it: 'this intake',
    open: 'Its owner, who entered it, and people who handle intakes, except screened people',
    restricted: 'Only the people below; admins and people who handle intakes are not included',
    assigned: 'Owns the intake',
  },
} as const;

/** Access as it is being edited. */
export type Draft = {
  mode: AccessMode;
  /** People who are added beside the assigned ones. */
  added: Person[];
  screened: { person: Person; reason: string }[];
  reason: string;
};

export function toDraft({ mode, people, screened }: Access): Draft {
  return {
    mode,
    added: people.filter(({ why }) => why === 'added').map(({ person }) => person),
    screened: screened.map(({ person, reason }) => ({ person, reason })),
    reason: '',
  };
}

export function toChange(draft: Draft, access: Access): AccessChange {
  const own = draft.reason.trim();
  const screens = newScreens(draft, access).map(({ reason }) => reason.trim());
  return {
    mode: draft.mode,
    people: draft.added.map(({ id }) => id),
    screened: draft.screened.map(({ person, reason }) => ({ person: person.id, reason })),
    // The reason of a new screen is the reason of the change, unless there is another one.
    reason: own || screens.join('; ') || null,
    updatedAt: access.updatedAt,
  };
}

function newScreens(draft: Draft, access: Access) {
  const before = new Set(access.screened.map(({ person }) => person.id));
  return draft.screened.filter(({ person }) => !before.has(person.id));
}

/** The number of differences: the mode, and each added, removed or screened person. */
export function countChanges(draft: Draft, access: Access): number {
  const before = toDraft(access);
  const differing = (one: Person[], other: Person[]) =>
    one.filter(({ id }) => !other.some((person) => person.id === id)).length;
  const people = (list: Draft['screened']) => list.map(({ person }) => person);
  return (
    (draft.mode === before.mode ? 0 : 1) +
    differing(draft.added, before.added) +
    differing(before.added, draft.added) +
    differing(people(draft.screened), people(before.screened)) +
    differing(people(before.screened), people(draft.screened))
  );
}

/** Whether saving needs a reason that no new screen gives: another mode, or a screen that ends. */
export function needsReason(draft: Draft, access: Access): boolean {
  const kept = new Set(draft.screened.map(({ person }) => person.id));
  const isLifted = access.screened.some(({ person }) => !kept.has(person.id));
  return draft.mode !== access.mode || isLifted;
}

/** Whether everything that saving needs is there. */
export function isComplete(draft: Draft, access: Access): boolean {
  const hasReasons = draft.screened.every(({ reason }) => reason.trim() !== '');
  const hasOwn = !needsReason(draft, access) || draft.reason.trim() !== '';
  return countChanges(draft, access) > 0 && hasReasons && hasOwn;
}

type Reader = { id: string; name: string };

/** Describes the effect of saving: who sees the matter, who never does, and for how many it does not exist. */
export function describeEffect(
  draft: Draft,
  {
    kind,
    access,
    active,
    self,
  }: { kind: WalledKind; access: Access; active: readonly Person[]; self: string },
): string[] {
  const out = new Set(draft.screened.map(({ person }) => person.id));
  const screened = draft.screened.map(({ person }) => fullName(person));
  const never =
    screened.length === 0
      ? []
      : [`${formatList(screened)} never ${plural(screened.length, 'sees', 'see')} it.`];
  const { it } = wordsOf[kind];
  if (draft.mode === 'open' && kind === 'intakes') {
    const added = draft.added.map(fullName);
    const readers = ['its owner', 'who entered it', 'everyone who handles intakes', ...added];
    return [`${capitalize(formatList(readers))} see ${it}.`, ...never];
  }
  if (draft.mode === 'open') {
    const others = active.filter(({ id }) => !out.has(id)).length;
    return [`Everyone at the firm sees ${it}: ${countPeople(others)}.`, ...never];
  }
  const assigned = access.people
    .filter(({ why }) => why === 'assigned')
    .map(({ person }) => person);
  const temporary = access.people.filter(({ why }) => why === 'opened');
  const inside = [...assigned, ...draft.added].filter(({ id }) => !out.has(id));
  const readers: Reader[] = inside.map((person) => ({
    id: person.id,
    name: person.id === self ? 'you' : fullName(person),
  }));
  for (const { person, until } of temporary)
    if (until !== null && !readers.some(({ id }) => id === person.id) && !out.has(person.id))
      readers.push({ id: person.id, name: `${fullName(person)} until ${formatTime(until)}` });
  if (readers.length === 0) return [`No one would see ${it}. Add a person first.`];
  const names = readers.toSorted((a, b) => Number(b.name === 'you') - Number(a.name === 'you'));
  const seeing = `${capitalize(countPeople(readers.length))} ${plural(readers.length, 'sees', 'see')} ${it}: ${formatList(names.map(({ name }) => name))}.`;
  const known = new Set([...readers.map(({ id }) => id), ...out]);
  const others = active.filter(({ id }) => !known.has(id)).length;
  const nowhere =
    others === 0
      ? []
      : [
          `For the ${others === 1 ? 'one other' : `${others} others`} it does not exist: not in lists, search, or totals.`,
        ];
  return [seeing, ...never, ...nowhere];
}

const SMALL = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

function countPeople(count: number): string {
  const number = SMALL[count] ?? formatCount(count);
  return `${number} ${plural(count, 'person', 'people')}`;
}

/** Whether the user opened the matter for a time, and people with access are there to let others in. */
export function isOutside(
  { people }: Access,
  { self, active }: { self: string; active: readonly Person[] },
): boolean {
  const isActive = new Set(active.map(({ id }) => id));
  const inside = people.filter(({ why, person }) => why !== 'opened' && isActive.has(person.id));
  return (
    inside.length > 0 && people.some(({ why, person }) => why === 'opened' && person.id === self)
  );
}

type PausedPerson = NonNullable<Access['paused']>[number];

/** 'Password reset by Max Cole, Nov 24: does not see this matter while it is restricted'. */
export function describePause(kind: WalledKind, { by, at }: PausedPerson): string {
  const day = formatDay(localDay(new Date(at)), 'short');
  const who = by ? ` by ${fullName(by)}` : '';
  return `Password reset${who}, ${day}: does not see ${wordsOf[kind].it} while it is restricted`;
}

type Entry = Access['history'][number];

/** 'Rune Lindqvist restricted it: “Celebrity client”'. */
export function describeEntry({ by, action, people, reason }: Entry): string {
  const who = by ? fullName(by) : 'Matterdesk';
  const others = formatList(people.map(fullName));
  const about = people.length === 0 ? '' : ` (${others})`;
  const words = {
    opened: `opened it to everyone${about}`,
    restricted: `restricted it${about}`,
    changed: people.length === 0 ? 'changed it' : `changed it for ${others}`,
    glassOpened: 'opened it for a time',
    paused: `reset the password of ${others}, who waits to be let in again`,
  }[action];
  return reason === '' ? `${who} ${words}` : `${who} ${words}: “${reason}”`;
}
