import { expect, test } from 'vitest';
import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import type { MailDetail, MailSummary } from '@matterdesk/contract/mails.ts';
import { everythingStale } from '../../core/connection.ts';
import { currentUserReplaced } from '../../core/people.ts';
import { keyOf } from '../../core/resource.ts';
import {
  connectionChanged,
  details,
  keptMails,
  lists,
  type ListQuery,
  mailLeft,
  mailsReducer,
  markedUnread,
  type MailsState,
  sectionChanged,
  unreadMails,
} from './slice.ts';

const INBOX: ListQuery = { section: 'inbox', search: '' };
const LEASE: ListQuery = { section: 'inbox', search: 'lease' };
const AT = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T12:00:01.000Z';
const FIRST = mailsReducer(undefined, { type: '@@first' });

test('the store of mails puts new rows before those loaded after the first page', () => {
  const read = run(FIRST, begin(), arrive(['c', 'b', 'a'], { cursor: 'two' }));
  expect(ids(run(read, begin(), arrive(['new', 'c'], { cursor: 'one' })))).toEqual([
    'new',
    'c',
    'b',
    'a',
  ]);
});

test('the store of mails marks a list stale once per announced mail and records its id', () => {
  const read = run(FIRST, begin(), arrive(['b', 'a']));
  const announced = run(read, received('c'), received('c', 'd'));
  expect(inbox(announced)).toMatchObject({ stale: true, data: { news: ['c', 'd'] } });
  const again = run(announced, begin(), arrive(['d', 'c', 'b']));
  expect(inbox(again)).toMatchObject({ stale: false, data: { news: [] } });
  expect(inbox(run(again, received('c')))).toMatchObject({ stale: false });
});

test('the store of mails refetches after a mail is announced during a fetch only if the answer lacks it', () => {
  const read = run(FIRST, begin(), arrive(['a']), begin(), received('b'));
  expect(inbox(run(read, arrive(['b', 'a'])))).toMatchObject({ stale: false });
  expect(inbox(run(read, arrive(['a'])))).toMatchObject({ stale: true, data: { news: ['b'] } });
});

test('the store of mails fetches the whole page after a change without ids or a new connection', () => {
  const read = run(FIRST, begin(), arrive(['a']), received('b'));
  expect(inbox(run(read, received())).data?.news).toBeNull();
  expect(inbox(run(read, everythingStale())).data?.news).toBeNull();
  const meanwhile = run(read, begin(), received(), arrive(['b', 'a']));
  expect(inbox(meanwhile)).toMatchObject({ stale: true, data: { news: null } });
});

test('the store of mails refetches a whole search after an announced mail', () => {
  const found = run(FIRST, begin(LEASE), arrive(['a'], { query: LEASE }), received('b'));
  expect(inbox(found, LEASE)).toMatchObject({ stale: true, data: { news: null } });
});

test('the store of mails marks an opened mail as read in every list and lowers the unread count', () => {
  const read = run(
    FIRST,
    begin(),
    arrive(['a', 'b']),
    begin(LEASE),
    arrive(['a'], { query: LEASE }),
  );
  expect(unreadMails(read)).toBe(5);
  const seen = run(read, ...opened('a'), ...opened('a'), ...opened('elsewhere'));
  expect(unreadMails(seen)).toBe(4);
  expect(inbox(seen).data?.mails.map(({ unread }) => unread)).toEqual([false, true]);
  expect(inbox(seen, LEASE).data?.mails[0]?.unread).toBe(false);
});

test('the store of mails keeps an opened mail read when an older answer of a list says otherwise', () => {
  const seen = run(FIRST, begin(), arrive(['a']), ...opened('a'));
  expect(inbox(run(seen, begin(), arrive(['a']))).data?.mails[0]?.unread).toBe(false);
  const marked = run(seen, begin(), arrive(['a'], { at: '2026-11-20T12:00:02.000Z' }));
  expect(inbox(marked).data?.mails[0]?.unread).toBe(true);
  expect(marked.details[keyOf('a')]?.stale).toBe(true);
});

test('the store of mails drops a mail that left, also from an answer that was under way', () => {
  const read = run(
    FIRST,
    begin(),
    arrive(['a', 'b']),
    begin(),
    mailLeft({ id: 'a', section: 'inbox' }),
  );
  expect(ids(read)).toEqual(['b']);
  expect([inbox(read).data?.total, unreadMails(read)]).toEqual([8, 4]);
  const late = run(read, arrive(['a', 'b']));
  expect([ids(late), unreadMails(late)]).toEqual([['b'], 4]);
  const marked = run(late, ...opened('b'), markedUnread('b'));
  expect([inbox(marked).data?.mails[0]?.unread, unreadMails(marked)]).toEqual([true, 4]);
  expect(marked.details).toEqual({});
});

test('the store of mails stores the first rows in the browser, but no text of a mail', () => {
  const many = Array.from({ length: 40 }, (_, at) => `m${at}`);
  const state = run(
    FIRST,
    begin(),
    arrive(many, { cursor: 'two' }),
    begin(LEASE),
    arrive(['s'], { query: LEASE }),
    ...opened('m1'),
  );
  const kept = keptMails(state);
  expect(Object.keys(kept.lists)).toEqual([keyOf(INBOX)]);
  expect(inbox(kept)).toMatchObject({ stale: true, cursor: null });
  expect(ids(kept)).toHaveLength(25);
  expect(kept.details).toEqual({});
  // Kept rows are replaced, not merged.
  const replaced = run(kept, begin(), arrive(['new', 'm0'], { cursor: 'next' }));
  expect(ids(replaced)).toEqual(['new', 'm0']);
  expect(inbox(replaced).cursor).toBe('next');
});

test('the store of mails forgets everything when the connection changes', () => {
  const state = run(FIRST, begin(), arrive(['a']), connectionChanged({ notice: 'Ended' }));
  expect(state).toEqual({ ...FIRST, notice: 'Ended' });
});

test('the store of mails forgets a mailbox that was disconnected elsewhere, and remembers the loss', () => {
  const me = { googleRefreshToken: null } as CurrentUser;
  const lost = run(run(FIRST, begin(), arrive(['a'])), currentUserReplaced(me));
  expect(lost).toEqual({ ...FIRST, isLost: true });
  expect(run(FIRST, currentUserReplaced(me))).toEqual(FIRST);
});

type Action = Parameters<typeof mailsReducer>[1];

function run(state: MailsState, ...actions: Action[]): MailsState {
  return actions.reduce(mailsReducer, state);
}

function begin(query = INBOX) {
  return lists.step({ kind: 'begun', key: keyOf(query), isMore: false });
}

function arrive(found: string[], { cursor = null as string | null, query = INBOX, at = AT } = {}) {
  const mails = found.map(summary);
  const answer = { mails, nextCursor: cursor, total: 9, unread: 5, requestedAt: at };
  return lists.step({ kind: 'answered', key: keyOf(query), after: null, answer });
}

function opened(id: string) {
  const answer = { mail: { id } as MailDetail, readAt: LATER };
  return [
    details.step({ kind: 'begun', key: keyOf(id), isMore: false }),
    details.step({ kind: 'answered', key: keyOf(id), after: null, answer }),
  ];
}

function received(...found: string[]) {
  return sectionChanged({ section: 'inbox', ids: found });
}

function inbox(state: MailsState, query = INBOX) {
  const list = state.lists[keyOf(query)];
  if (!list) throw new Error('There is no such list');
  return list;
}

function ids(state: MailsState) {
  return inbox(state).data?.mails.map(({ id }) => id);
}

function summary(id: string): MailSummary {
  const person = { name: '', email: '' };
  const people = { from: person, to: person };
  return {
    id,
    threadId: id,
    snippet: '',
    subject: id,
    ...people,
    date: AT,
    unread: true,
    hasAttachments: false,
  };
}
