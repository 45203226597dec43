import { expect, test } from 'vitest';
import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import type { MailDetail, MailSummary } from '@matterdesk/contract/mails.ts';
import { socketConnected } from '../../core/connection.ts';
import { currentUserReplaced } from '../../core/current-user.ts';
import { keyOf } from '../../core/entries.ts';
import {
  connectionChanged,
  details,
  keptMails,
  lists,
  type ListQuery,
  mailsReducer,
  type MailsState,
  sectionChanged,
  unreadMails,
} from './slice.ts';

const INBOX: ListQuery = { section: 'inbox', search: '' };
const LEASE: ListQuery = { section: 'inbox', search: 'lease' };
const AT = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T12:00:01.000Z';
const FIRST = mailsReducer(undefined, { type: '@@first' });

test('new rows come before those that were read behind the first page', () => {
  const read = run(FIRST, asked(), came(['c', 'b', 'a'], { cursor: 'two' }));
  expect(ids(run(read, asked(), came(['new', 'c'], { cursor: 'one' })))).toEqual([
    'new',
    'c',
    'b',
    'a',
  ]);
});

test('announced mails make a list stale once and name what is to be read', () => {
  const read = run(FIRST, asked(), came(['b', 'a']));
  const told = run(read, received('c'), received('c', 'd'));
  expect(inbox(told)).toMatchObject({ stale: true, data: { news: ['c', 'd'] } });
  const again = run(told, asked(), came(['d', 'c', 'b']));
  expect(inbox(again)).toMatchObject({ stale: false, data: { news: [] } });
  expect(inbox(run(again, received('c')))).toMatchObject({ stale: false });
});

test('a mail announced while its list is read is read again only if the answer lacks it', () => {
  const read = run(FIRST, asked(), came(['a']), asked(), received('b'));
  expect(inbox(run(read, came(['b', 'a'])))).toMatchObject({ stale: false });
  expect(inbox(run(read, came(['a'])))).toMatchObject({ stale: true, data: { news: ['b'] } });
});

test('after a change without ids, or a new connection, the whole page is read', () => {
  const read = run(FIRST, asked(), came(['a']), received('b'));
  expect(inbox(run(read, received())).data?.news).toBeNull();
  expect(inbox(run(read, socketConnected('socket'))).data?.news).toBeNull();
  const meanwhile = run(read, asked(), received(), came(['b', 'a']));
  expect(inbox(meanwhile)).toMatchObject({ stale: true, data: { news: null } });
});

test('whether a search finds what is new only the server knows', () => {
  const found = run(FIRST, asked(LEASE), came(['a'], { query: LEASE }), received('b'));
  expect(inbox(found, LEASE)).toMatchObject({ stale: true, data: { news: null } });
});

test('an opened mail is read in every list and counted as unread no longer', () => {
  const read = run(FIRST, asked(), came(['a', 'b']), asked(LEASE), came(['a'], { query: LEASE }));
  expect(unreadMails(read)).toBe(5);
  const seen = run(read, ...opened('a'), ...opened('a'), ...opened('elsewhere'));
  expect(unreadMails(seen)).toBe(4);
  expect(inbox(seen).data?.mails.map(({ unread }) => unread)).toEqual([false, true]);
  expect(inbox(seen, LEASE).data?.mails[0]?.unread).toBe(false);
});

test('an opened mail stays read when a list that was asked for before says otherwise', () => {
  const seen = run(FIRST, asked(), came(['a']), ...opened('a'));
  expect(inbox(run(seen, asked(), came(['a']))).data?.mails[0]?.unread).toBe(false);
  const marked = run(seen, asked(), came(['a'], { at: '2026-11-20T12:00:02.000Z' }));
  expect(inbox(marked).data?.mails[0]?.unread).toBe(true);
  expect(marked.details[keyOf('a')]?.stale).toBe(true);
});

test('the browser keeps the first rows and no text of a mail', () => {
  const many = Array.from({ length: 40 }, (_, at) => `m${at}`);
  const state = run(
    FIRST,
    asked(),
    came(many, { cursor: 'two' }),
    asked(LEASE),
    came(['s'], { query: LEASE }),
    ...opened('m1'),
  );
  const kept = keptMails(state);
  expect(Object.keys(kept.lists)).toEqual([keyOf(INBOX)]);
  expect(inbox(kept)).toMatchObject({ stale: true, cursor: null });
  expect(ids(kept)).toHaveLength(25);
  expect(kept.details).toEqual({});
  // Kept rows are replaced, not merged.
  const replaced = run(kept, asked(), came(['new', 'm0'], { cursor: 'next' }));
  expect(ids(replaced)).toEqual(['new', 'm0']);
  expect(inbox(replaced).cursor).toBe('next');
});

test('nothing of one connection remains in the next', () => {
  const state = run(FIRST, asked(), came(['a']), connectionChanged({ notice: 'Gone' }));
  expect(state).toEqual({ ...FIRST, notice: 'Gone' });
});

test('a mailbox that was disconnected elsewhere is forgotten, and that is known', () => {
  const me = { googleRefreshToken: null } as CurrentUser;
  const lost = run(run(FIRST, asked(), came(['a'])), currentUserReplaced(me));
  expect(lost).toEqual({ ...FIRST, isLost: true });
  expect(run(FIRST, currentUserReplaced(me))).toEqual(FIRST);
});

type Action = Parameters<typeof mailsReducer>[1];

function run(state: MailsState, ...actions: Action[]): MailsState {
  return actions.reduce(mailsReducer, state);
}

function asked(query = INBOX) {
  return lists.step({ kind: 'begun', key: keyOf(query), isMore: false });
}

function came(found: string[], { cursor = null as string | null, query = INBOX, at = AT } = {}) {
  const mails = found.map(summary);
  const answer = { mails, nextCursor: cursor, total: 9, unread: 5, askedAt: at };
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
  const nobody = { name: '', email: '' };
  const people = { from: nobody, to: nobody };
  return { id, snippet: '', subject: id, ...people, date: AT, unread: true, hasAttachments: false };
}
