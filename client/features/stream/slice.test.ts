import { expect, test } from 'vitest';
import type { StreamEntry, StreamItem } from '@matterdesk/contract/stream.ts';
import { type StreamData, withEntry, withPage } from './slice.ts';

const item = (id: string, own: Partial<StreamEntry> = {}) =>
  ({
    id,
    excerpt: own.text ?? '',
    pinned: false,
    entry: { id, case: 'c1', text: '', pinned: false, updatedAt: '2', ...own },
  }) as StreamItem;

function stream(ids: string[], own: Partial<StreamData> = {}): StreamData {
  const items = ids.map((id) => item(id));
  return { items, pinned: [], counts: {}, total: ids.length, nextCursor: null, ...own };
}

const idsOf = ({ items }: StreamData) => items.map(({ id }) => id);

test('a further page follows the rows, without those that are there', () => {
  const held = { data: stream(['4', '3'], { counts: { note: 4 } }), cursor: 'x' };
  const { data, cursor } = withPage(stream(['3', '2'], { nextCursor: 'y' }), held, true);
  expect(idsOf(data)).toEqual(['4', '3', '2']);
  expect(data.counts).toEqual({ note: 4 });
  expect(cursor).toBe('y');
});

test('the first page once more keeps the older rows and their cursor', () => {
  const held = { data: stream(['3', '2', '1']), cursor: 'old' };
  const { data, cursor } = withPage(stream(['4', '3', '2'], { nextCursor: 'new' }), held, false);
  expect(idsOf(data)).toEqual(['4', '3', '2', '1']);
  expect(cursor).toBe('old');
});

test('older rows are left out after a gap', () => {
  const held = { data: stream(['2', '1']), cursor: 'old' };
  const { data, cursor } = withPage(stream(['9', '8'], { nextCursor: 'new' }), held, false);
  expect(idsOf(data)).toEqual(['9', '8']);
  expect(cursor).toBe('new');
});

test('a changed entry replaces its older state, and an older one is ignored', () => {
  const received = item('1', { text: 'new', updatedAt: '3' }).entry as StreamEntry;
  const data = withEntry(stream(['2', '1']), 'c1', received);
  expect(data.items[1]?.excerpt).toBe('new');
  const older = { ...received, text: 'old', updatedAt: '1' };
  expect(withEntry(data, 'c1', older).items[1]?.excerpt).toBe('new');
});

test('an entry that left its matter is removed', () => {
  expect(idsOf(withEntry(stream(['2', '1']), 'c1', { id: '1', case: null }))).toEqual(['2']);
});
