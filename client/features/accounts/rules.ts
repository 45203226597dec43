import type { User, UserPatch } from '@matterdesk/contract/accounts.ts';
import { folded } from '@matterdesk/contract/normalization.ts';
import {
  permissionNames,
  permissionsBy,
  type Permission,
  type Permissions,
} from '@matterdesk/contract/permissions.ts';
import { rankItems } from '@matterdesk/contract/ranking.ts';
import { searchWords } from '@matterdesk/contract/search.ts';
import { changedMembers } from '../../core/changed-members.ts';
import { fullName } from '../../core/full-name.ts';
import { counted, formatCount } from '../../core/words.ts';

export const roleOptions = [
  { value: 'user', label: 'User' },
  { value: 'admin', label: 'Admin' },
];

/** Whether each word of a search is part of a user's name or another text field, ignoring case. */
export function matchesPerson(person: User, search: string): boolean {
  const { email, role, phoneNumber } = person;
  const texts = [...namesOf(person), email, role, phoneNumber].map(folded);
  return searchWords(search).every((word) => texts.some((text) => text.includes(folded(word))));
}

/** The users that match a search, names that begin with it first. */
export function bestFirst<T extends User>(people: readonly T[], search: string): T[] {
  const matching = people.filter((person) => matchesPerson(person, search));
  if (search.trim() === '') return matching;
  return rankItems(matching, search, (person) => {
    const { email, role, phoneNumber } = person;
    return { names: namesOf(person), others: [email, role, phoneNumber] };
  });
}

function namesOf(person: User): string[] {
  return [fullName(person), `${person.lastName}, ${person.firstName}`];
}

/** '12 people · 1 waiting · 2 deactivated', or the number of matches. */
export function peopleInWords(people: readonly User[], found?: number): string {
  const all = counted(people.length, 'person', 'people');
  if (found !== undefined) return `${formatCount(found)} of ${all}`;
  const waiting = people.filter((person) => person.waiting).length;
  const deactivated = people.filter(({ active }) => !active).length - waiting;
  return [
    all,
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ...(deactivated > 0 ? [`${deactivated} deactivated`] : []),
  ].join(' · ');
}

/** The id of the only active admin, who cannot be deactivated or demoted. */
export function lastAdminOf(people: readonly User[]): string | undefined {
  const admins = people.filter(({ active, role }) => active && role === 'admin');
  return admins.length === 1 ? admins[0]?.id : undefined;
}

/** Whether the user holds every right of a person, and so may act for them. */
export function canActFor(me: User, person: User): boolean {
  if (me.role === 'admin') return true;
  return (
    person.role !== 'admin' &&
    permissionNames.every((name) => !person.permissions[name] || me.permissions[name])
  );
}

export const permissionLabels: Record<Permission, string> = {
  createCases: 'Cases',
  editTasks: 'Tasks',
  manageUsers: 'Users',
  handleIntakes: 'Intakes',
  clearConflicts: 'Conflicts',
  manageWalls: 'Walls',
  editCalendar: 'Calendar',
  sortPapers: 'Papers',
  editTemplates: 'Templates',
  exportMatters: 'Export',
};

/** 'Everything', 'Reads only', or the permissions by their labels. */
export function rightsInWords({ role, permissions }: Pick<User, 'role' | 'permissions'>): string {
  if (role === 'admin') return 'Everything';
  const granted = permissionNames.filter((name) => permissions[name]);
  return granted.map((name) => permissionLabels[name]).join(', ') || 'Reads only';
}

export type UserForm = Required<Omit<UserPatch, 'permissions'>> & { permissions: Permissions };

/** The form's initial values. An admin has no permissions stored for the user role. */
export function toUserForm(person: User): UserForm {
  const { firstName, lastName, phoneNumber, active, role, permissions } = person;
  const granted = permissionsBy((name) => role !== 'admin' && permissions[name]);
  return { firstName, lastName, phoneNumber, active, role, permissions: granted };
}

/** Only the changed fields, so that simultaneous edits do not undo each other. */
export function patchOf(before: UserForm, after: UserPatch): UserPatch {
  const { permissions, ...plain } = after;
  const changed = changedMembers<Omit<UserPatch, 'permissions'>>(before, plain);
  const isUser = (after.role ?? before.role) === 'user';
  const isGranted =
    permissions !== undefined &&
    (before.role === 'admin' ||
      Object.entries(permissions).some(
        ([name, value]) => value !== before.permissions[name as keyof Permissions],
      ));
  return { ...changed, ...(isUser && isGranted && { permissions }) };
}
