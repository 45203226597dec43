import { describe, expect, test } from 'vitest';
import type { StreamEntry, StreamItem } from '@matterdesk/contract/stream.ts';
import { ama, streamEntry, streamItem, rune } from '../../testing/factories.ts';
import {
  addressOf,
  addressOfMade,
  chipOf,
  chips,
  countOf,
  foldInWords,
  headingOf,
  isDatedBack,
  isDayAlone,
  isLong,
  isPrivate,
  madeFrom,
  madeInWords,
  mentionAt,
  mentionsIn,
  noMatch,
  offeredTo,
  readKinds,
  rowsOf,
  splitMentions,
  splitOpening,
  wantsAll,
  wordsOf,
  actsOn,
} from './rules.ts';

const note = (own: Partial<StreamEntry> = {}) =>
  streamItem({
    source: 'entry',
    kind: own.kind ?? 'note',
    actor: ama,
    link: null,
    entry: streamEntry(own),
  });

describe('the chips of the stream', () => {
  test('the address names kinds, and unknown words are left out', () => {
    expect(readKinds('deadline,event,nonsense')).toEqual(['event', 'deadline']);
    expect(chipOf(readKinds('deadline,event'))?.label).toBe('Dates');
    expect(chipOf(readKinds(''))?.label).toBe('All');
    expect(chipOf(readKinds('memo'))).toBeNull();
  });

  test('only the word all asks for all changes', () => {
    expect(wantsAll('note,all')).toBe(true);
    expect(wantsAll('calls')).toBe(false);
  });

  test('a chip counts its kinds, and the first one counts everything', () => {
    const counts = { note: 3, memo: 1, call: 2, change: 7 };
    expect(chips.map((chip) => countOf(chip, counts))).toEqual([13, 4, 2, 0, 0, 0, 0, 0]);
  });

  test('an empty stream names the kind that has no rows', () => {
    const calls = chipOf(['call']);
    expect(noMatch(calls, true)).toBe('No calls match');
    expect(noMatch(calls, false)).toBe('No calls yet');
    expect(noMatch(null, true)).toBe('Nothing matches');
  });
});

test('a pin begins with its first sentence or line', () => {
  expect(splitOpening('Call after 2:00 PM. She works nights.')).toEqual([
    'Call after 2:00 PM.',
    ' She works nights.',
  ]);
  expect(splitOpening('Dr. Smith testifies? Ask him.')[0]).toBe('Dr. Smith testifies?');
  expect(splitOpening('The policy limits\nare in the answer.')[0]).toBe('The policy limits');
  expect(splitOpening('Short')).toEqual(['Short', '']);
});

test('only the start of a day of the firm has no time', () => {
  expect(isDayAlone('2024-03-05T05:00:00.000Z', 'America/New_York')).toBe(true);
  expect(isDayAlone('2024-07-05T04:00:00.000Z', 'America/New_York')).toBe(true);
  expect(isDayAlone('2024-07-05T04:00:07.120Z', 'America/New_York')).toBe(false);
  expect(isDayAlone('2024-07-05T04:00:00.000Z', 'Europe/Berlin')).toBe(false);
});

describe('the rows of the stream', () => {
  const on = (id: string, at: string, own: Partial<StreamItem> = {}) =>
    streamItem({ id, at, ...own });
  const moved = { source: 'change', kind: 'moved' } as const;

  test('the first row of each day opens it', () => {
    const rows = rowsOf(
      [
        on('3', '2026-11-20T15:00:00Z'),
        on('2', '2026-11-20T12:00:00Z'),
        on('1', '2026-11-18T12:00:00Z'),
      ],
      new Set(),
    );
    expect(rows.map(({ opensDay }) => opensDay)).toEqual([true, false, true]);
  });

  test('neighboring changes of a day fold into a row, which opens in place', () => {
    const items = [
      on('5', '2026-11-20T15:00:00Z'),
      on('4', '2026-11-20T14:00:00Z', moved),
      on('3', '2026-11-20T13:00:00Z', { source: 'change', kind: 'changed', link: '/api/v1/files' }),
      on('2', '2026-11-18T12:00:00Z', moved),
      on('1', '2026-11-18T11:00:00Z'),
    ];
    const rows = rowsOf(items, new Set());
    expect(rows.map((row) => row.items.length)).toEqual([1, 2, 1, 1]);
    expect(rowsOf(items, new Set([rows[1]?.id ?? '']))).toHaveLength(5);
    expect(rowsOf(items, 'all')).toHaveLength(5);
  });

  test('a folded row counts its changes by kind', () => {
    const file = streamItem({ source: 'change', kind: 'changed', link: '/api/v1/files/content/1' });
    expect(foldInWords([streamItem(moved), file, streamItem(moved)])).toBe(
      '2 tasks moved, 1 file changed',
    );
  });

  test('changed details of the matter are read without opening', () => {
    const detail = { source: 'change', kind: 'changed', link: null } as const;
    const items = [
      on('2', '2026-11-20T15:00:00Z', detail),
      on('1', '2026-11-20T14:00:00Z', detail),
    ];
    expect(rowsOf(items, new Set())).toHaveLength(2);
  });

  test('a day says its name and its date', () => {
    expect(headingOf('2026-11-20', '2026-11-20')).toEqual({
      name: 'Today',
      date: 'Friday, November 20',
    });
    expect(headingOf('2026-11-12', '2026-11-20').name).toBe('');
    expect(headingOf('2025-11-12', '2026-11-20').date).toBe('Wednesday, November 12, 2025');
  });
});

describe('the words of an item', () => {
  test('a reader is called you, and others by name', () => {
    expect(wordsOf(note(), 'a')).toEqual({ who: 'You', does: 'wrote a note', thing: '' });
    expect(wordsOf(streamItem({ kind: 'done' }), 'a')).toEqual({
      who: 'Rune Lindqvist',
      does: 'completed',
      thing: 'Order photographs',
    });
    const exported = streamItem({
      source: 'change',
      kind: 'done',
      title: 'Doe v. Roe',
      link: null,
    });
    expect(wordsOf(exported, 'a')).toMatchObject({ does: 'exported', thing: 'Doe v. Roe' });
    expect(wordsOf(streamItem({ actor: null }), 'a').who).toBe('Matterdesk');
  });

  test('a call names its other side and its direction', () => {
    const call = {
      direction: 'in',
      contact: null,
      name: 'Dana Whitlock',
      number: null,
      seconds: 720,
      result: 'reached',
    } as const;
    expect(wordsOf(note({ kind: 'call', call }), 'r').does).toBe('took a call from Dana Whitlock');
  });

  test('a deleted entry is its sentence', () => {
    const deleted = { ...note({ deleted: true, text: '' }), title: 'Note deleted by Ama Owusu' };
    expect(wordsOf(deleted, 'a')).toEqual({
      who: 'Note deleted by Ama Owusu',
      does: '',
      thing: '',
    });
  });

  test('a moved entry is its sentence, with the person', () => {
    const moved = streamItem({
      source: 'change',
      kind: 'moved',
      link: null,
      title: 'Note moved to Doe',
    });
    expect(wordsOf(moved, 'r')).toEqual({ who: 'Note moved to Doe', does: 'by you', thing: '' });
  });

  test('a filing that was undone is its sentence, with the person', () => {
    const undone = streamItem({ source: 'file', kind: 'changed', title: 'Filing undone' });
    expect(wordsOf(undone, 'r')).toEqual({ who: 'Filing undone', does: 'by you', thing: '' });
  });

  test('an unfiled text of a colleague is private, and one with words is not', () => {
    const text = streamItem({ source: 'text', kind: 'created', title: 'Text', link: null });
    expect(isPrivate(text)).toBe(true);
    expect(isPrivate({ ...text, excerpt: 'I can come' })).toBe(false);
    expect(isPrivate({ ...text, kind: 'filed' })).toBe(false);
  });

  test('an entry is dated back from ten minutes on', () => {
    expect(isDatedBack(streamEntry({ enteredAt: '2026-11-20T15:10:00.000Z' }))).toBe(false);
    expect(isDatedBack(streamEntry({ enteredAt: '2026-11-20T15:10:01.000Z' }))).toBe(true);
  });

  test('a note of more than four lines is long', () => {
    expect(isLong('a\nb\nc\nd')).toBe(false);
    expect(isLong('a\nb\nc\nd\ne')).toBe(true);
  });

  test('a file opens over its case, and other links stay', () => {
    expect(addressOf('/api/v1/files/content/c1/E-mail/A%20b.pdf')).toBe(
      '/dashboard/caseDetails/c1?folder=E-mail&file=A%20b.pdf',
    );
    expect(addressOf('/dashboard/tasks')).toBe('/dashboard/tasks');
  });

  test('the first line of a text is the title of what is made from it', () => {
    const note = streamEntry({ text: '\nAsk for bills\nby Friday' });
    expect(madeFrom(streamItem({ entry: note })).title).toBe('Ask for bills');
    expect(madeFrom(streamItem({ title: 'x'.repeat(120) })).title).toHaveLength(100);
  });

  test('an entry names itself as the source, and a long text is cut to what a task holds', () => {
    expect(madeFrom(streamItem({ entry: streamEntry() })).source).toEqual({
      type: 'entry',
      id: 'e1',
    });
    expect(madeFrom(streamItem()).source).toBeNull();
    expect(madeFrom(streamItem({ entry: streamEntry({ deleted: true }) })).source).toBeNull();
    const long = streamEntry({ text: `${'a'.repeat(3998)}\u{1F4C4} and more` });
    const { text } = madeFrom(streamItem({ entry: long }));
    expect(text).toHaveLength(4000);
    expect(text.isWellFormed()).toBe(true);
  });

  test('what was made says its state and leads to its place', () => {
    const task = { type: 'task', id: 't', title: 'Order bills', state: 'Discovery' } as const;
    expect(madeInWords(task)).toBe('Order bills · Discovery');
    expect(addressOfMade('c1', task)).toBe('/dashboard/tasks?case=c1&task=t');
    const event = { type: 'event', id: 'v', title: 'Hearing', state: '2027-02-03' } as const;
    expect(madeInWords(event)).toBe('Hearing · Feb 3, 2027');
    expect(addressOfMade('c1', event)).toContain('date=2027-02-03&event=v');
    expect(addressOfMade('c1', { ...event, state: 'Canceled' })).toBeNull();
    const deadline = { type: 'deadline', id: 'd', title: 'Reply', state: 'Open' } as const;
    expect(addressOfMade('c1', deadline)).toContain('deadline=d');
  });
});

describe('mentions', () => {
  const people = [ama, rune, { id: 'b', firstName: 'Ama', lastName: 'Owusu-Ansah' }];

  test('the longer of two names that begin alike is mentioned', () => {
    expect(mentionsIn('Ask @Ama Owusu-Ansah', people)).toEqual(['b']);
    expect(mentionsIn('Ask @Ama Owusu, and @Rune Lindqvist.', people)).toEqual(['a', 'r']);
    expect(mentionsIn('Ama Owusu', people)).toEqual([]);
  });

  test('a text is split at its mentions', () => {
    expect(splitMentions('Hi @Ama Owusu!', people)).toEqual(['Hi ', '@Ama Owusu', '!']);
  });

  test('a mention begins after a space, not inside of an address', () => {
    expect(mentionAt('Ask @am', 7)).toEqual({ from: 4, typed: 'am' });
    expect(mentionAt('@', 1)).toEqual({ from: 0, typed: '' });
    expect(mentionAt('ama@firm', 8)).toBeNull();
  });

  test('people are offered by the beginning of a name', () => {
    expect(offeredTo('owu', people).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(offeredTo('Rune L', people).map(({ id }) => id)).toEqual(['r']);
    expect(offeredTo('une', people)).toEqual([]);
  });
});

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
const noteItem = streamItem({
  source: 'entry',
  kind: 'note',
  actor: ama,
  link: null,
  entry: streamEntry(),
});
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
    expect(actsOn(text, reader('other', { editTasks: true })).makeable).toEqual(['task']);
    expect(actsOn(text, reader('other', { editCalendar: true })).makeable).toEqual([
      'deadline',
      'event',
    ]);
  });
});
