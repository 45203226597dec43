import type { CurrentUser, User } from '@matterdesk/contract/accounts.ts';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import type { Import, ImportCounts, ImportProblem } from '@matterdesk/contract/imports.ts';
import { permissionsBy } from '@matterdesk/contract/permissions.ts';
import type { StreamEntry, StreamItem } from '@matterdesk/contract/stream.ts';
import type { TrayItem } from '@matterdesk/contract/tray.ts';

export const ama = { id: 'a', firstName: 'Ama', lastName: 'Owusu' };
export const rune = { id: 'r', firstName: 'Rune', lastName: 'Lindqvist' };

/** Ama with every permission. */
export const admin: User = {
  ...ama,
  email: 'ama@firm.example',
  role: 'admin',
  phoneNumber: '1 212 555 0101',
  active: true,
  waiting: false,
  permissions: permissionsBy(() => true),
};

/** The admin as a session has her. */
export const currentAdmin: CurrentUser = {
  ...admin,
  googleRefreshToken: null,
  googleEmail: null,
  secondFactor: 'none',
  mustEnrol: false,
  twilioConfig: { twilioPhoneNumber: null, messagingEnabled: false },
};

/** A task that Rune created. */
export function streamItem(own: Partial<StreamItem> = {}): StreamItem {
  return {
    id: '1',
    source: 'task',
    at: '2026-11-20T15:00:00.000Z',
    actor: rune,
    kind: 'created',
    title: 'Order photographs',
    excerpt: '',
    link: '/dashboard/tasks?case=1',
    pinned: false,
    canEdit: false,
    changes: [],
    ...own,
  };
}

/** A note by Ama. */
export function streamEntry(own: Partial<StreamEntry> = {}): StreamEntry {
  return {
    id: 'e1',
    case: 'c1',
    kind: 'note',
    text: 'Call after two',
    at: '2026-11-20T15:00:00.000Z',
    enteredAt: '2026-11-20T15:00:00.000Z',
    author: ama,
    call: null,
    mentions: [],
    files: [],
    answer: null,
    editedAt: null,
    deleted: false,
    pinned: false,
    made: [],
    updatedAt: '2026-11-20T15:00:00.000Z',
    ...own,
  };
}

/** A hearing of an hour, without a matter, that its reader may change. */
export function calendarItem(own: Partial<CalendarItem> = {}): CalendarItem {
  return {
    type: 'event',
    id: 'one',
    title: 'Hearing',
    kind: 'hearing',
    case: null,
    people: [],
    allDay: false,
    start: new Date('2027-02-03T09:00').toISOString(),
    end: new Date('2027-02-03T10:00').toISOString(),
    private: false,
    cancelled: false,
    hard: false,
    status: null,
    canEdit: true,
    ...own,
  };
}

export const abara = {
  id: 'c1',
  caseName: 'Abara v. Northline Freight',
  caseNo: '2026-CV-00418',
};

/** A photograph that Kofi uploaded. */
export function trayItem(own: Partial<TrayItem> = {}): TrayItem {
  return {
    id: '1',
    source: 'upload',
    at: '2026-11-20T15:00:00.000Z',
    title: 'IMG_2231.heic',
    excerpt: '',
    from: null,
    pages: null,
    proposals: [],
    owner: { id: 'k', firstName: 'Kofi', lastName: 'Mensah' },
    duplicateOf: null,
    ...own,
  };
}

/** Found, then new, changed, same, conflicting and refused. */
export function countsOf(...counts: number[]): ImportCounts {
  const [found = 0, added = 0, changed = 0, same = 0, conflicting = 0, refused = 0] = counts;
  return { found, new: added, changed, same, conflicting, refused };
}

export function importProblem(own: Partial<ImportProblem> = {}): ImportProblem {
  return {
    file: 'matters.csv',
    row: 611,
    column: 'Open Date',
    message: '“13/31/2024” is not a date.',
    kind: 'matters',
    outcome: 'refused',
    item: null,
    ...own,
  };
}

export const petrov = importProblem({
  row: 12,
  column: 'SOL',
  message: 'Here “2027-07-02”, in the file “2027-07-12”',
  outcome: 'conflicting',
  item: { id: 'c2', name: 'Petrov v. Cascade Builders' },
});

/** A small export of Clio, with its columns mapped. */
export function oneImport(own: Partial<Import> = {}): Import {
  return {
    id: 'i1',
    profile: 'clio',
    state: 'mapped',
    dryRun: false,
    counts: {},
    problems: [],
    problemCount: 0,
    mapping: {
      contacts: { id: 'Id', name: 'Name', email: 'Email' },
      matters: { number: 'Display Number', name: 'Description', type: 'Practice Area' },
    },
    tables: {
      status: { Open: 'Active', Closed: 'Archive' },
      type: { 'Personal Injury': 'PI', Estates: null },
      people: { 'Ama Owusu': 'ama', 'Lee Farrow': null },
    },
    files: [
      { path: 'contacts.csv', size: 2_412_000, kind: 'contacts', headers: ['Id', 'Name', 'Email'] },
      {
        path: 'matters.csv',
        size: 640_000,
        kind: 'matters',
        headers: ['Display Number', 'Description', 'Practice Area', 'Referred By'],
      },
    ],
    fileCount: 2,
    progress: null,
    undoing: false,
    left: [],
    by: { id: 'ama', firstName: 'Ama', lastName: 'Owusu' },
    at: '2026-11-20T15:42:00.000Z',
    error: null,
    ...own,
  };
}
