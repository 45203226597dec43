import type { StreamEntry, StreamItem } from '@matterdesk/contract/stream.ts';

export const ama = { id: 'a', firstName: 'Ama', lastName: 'Owusu' };
export const rune = { id: 'r', firstName: 'Rune', lastName: 'Lindqvist' };

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
