import { describe, expect, test } from 'vitest';
import { ama, streamEntry, streamItem, rune } from '../../testing/stream-item.ts';
import { actsOn } from './rules.acts.ts';

const none = { createCases: false, editTasks: false, editCalendar: false };
const reader = (
  id: string,
  permissions: Partial<typeof none> = {},
  role: 'user' | 'admin' = 'user',
) => ({
  id,
  role,
  permissions: { ...none, ...permissions },
});
const noteItem = streamItem({ source: 'entry', kind: 'note', actor: ama, link: null, entry: streamEntry() });
const text = streamItem({ source: 'text', kind: 'filed', link: null });
const idsOf = (on: typeof noteItem, by: ReturnType<typeof reader>) => actsOn(on, by).acts;

describe('acts on an item', () => {
  test('of a note are its author’s, in part those of who handles matters, and the deletion an admin’s', () => {
    expect(idsOf(noteItem, reader(ama.id))).toEqual([
      'pin',
      'move',
      'edit',
      'copy',
      'byPerson',
      'delete',
    ]);
    expect(idsOf(noteItem, reader('other'))).toEqual(['copy', 'byPerson']);
    expect(idsOf(noteItem, reader('other', { createCases: true }))).toEqual([
      'pin',
      'move',
      'copy',
      'byPerson',
    ]);
    expect(idsOf(noteItem, reader('other', {}, 'admin'))).toEqual(['copy', 'byPerson', 'delete']);
    const deleted = { ...noteItem, entry: streamEntry({ deleted: true }) };
    expect(idsOf(deleted, reader(ama.id))).toEqual(['byPerson']);
  });

  test('of a filed text are taking it back, by its owner and who handles matters', () => {
    expect(idsOf(text, reader(rune.id))).toEqual(['byPerson', 'unfile']);
    expect(idsOf(text, reader('other', { createCases: true }))).toEqual(['byPerson', 'unfile']);
    expect(idsOf(text, reader('other'))).toEqual(['byPerson']);
    expect(idsOf({ ...text, kind: 'created' }, reader(rune.id))).toEqual(['byPerson']);
  });

  test('of the server have no one to narrow by', () => {
    expect(idsOf(streamItem({ actor: null }), reader(rune.id))).toEqual([]);
  });

  test('make what the reader may edit', () => {
    expect(actsOn(text, reader('other', { editTasks: true })).making).toEqual(['task']);
    expect(actsOn(text, reader('other', { editCalendar: true })).making).toEqual([
      'deadline',
      'event',
    ]);
  });
});
