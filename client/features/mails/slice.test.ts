import { expect, test } from 'vitest';
import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import type { MailDetail, MailSummary } from '@matterdesk/contract/mails.ts';
import { currentUserReplaced } from '../../core/current-user.ts';
import {
  connectionChanged,
  keptMails,
  listGrew,
  listsAsked,
  listsCame,
  listsFailed,
  mailOpened,
  mailsReducer,
  sectionChanged,
  type ListQuery,
  type MailsState,
} from './slice.ts';

const INBOX: ListQuery = { section: 'inbox', search: '' };
const AT = '2026-11-20T12:00:00.000Z';
const FIRST = mailsReducer(undefined, { type: '@@first' });

function summary(id: string): MailSummary {
  const nobody = { name: '', email: '' };
  return {
    id,
    snippet: '',
    subject: id,
    from: nobody,
    to: nobody,
    date: AT,
    unread: true,
    hasAttachments: false,
  };
}

function run(state: MailsState, ...actions: Parameters<typeof mailsReducer>[1][]): MailsState {
  return actions.reduce(mailsReducer, state);
}

function came(ids: string[], nextCursor: string | null = null, query = INBOX) {
  const page = { mails: ids.map(summary), nextCursor, total: 9, unread: 5 };
  return listsCame({ pages: [{ query, page }], at: AT });
}

const asked = (query = INBOX) => listsAsked({ queries: [query], epoch: 1 });

function inboxOf({ lists }: MailsState) {
  const list = lists['inbox '];
  if (!list) throw new Error('There is no inbox');
  return list;
}

test('the next page is added once, and only behind the cursor that it was asked with', () => {
  const read = run(FIRST, asked(), came(['b', 'a'], 'two'), asked());
  const page = { mails: [summary('a'), summary('z')], nextCursor: null, total: null, unread: null };
  const grown = run(read, listGrew({ query: INBOX, after: 'two', page }));
  expect(inboxOf(grown).ids).toEqual(['b', 'a', 'z']);
  const stale = run(read, listGrew({ query: INBOX, after: 'one', page }));
  expect(inboxOf(stale).ids).toEqual(['b', 'a']);
  expect(inboxOf(stale).asks).toBe(0);
});

test('rows stay when reading them again fails, with the reason beside them', () => {
  const read = run(FIRST, asked(), came(['a']), asked());
  const failed = run(read, listsFailed({ queries: [INBOX], failure: 'Google did not answer' }));
  expect(inboxOf(failed)).toMatchObject({
    ids: ['a'],
    status: 'ready',
    failure: 'Google did not answer',
  });
});

test('what is new in a section is asked for, also when an answer is on its way', () => {
  const onItsWay = run(FIRST, asked(), sectionChanged({ section: 'inbox' }), came(['a']));
  expect(inboxOf(onItsWay)).toMatchObject({ asks: 0, epoch: -1 });
});

test('a mail that is open is read, whatever a list says that was asked for before', () => {
  const detail = {
    ...summary('a'),
    from: null,
    to: null,
    cc: [],
    message: '',
    html: null,
    attachments: [],
    draftId: null,
    proposedCase: null,
  };
  const opened = run(FIRST, asked(), came(['a', 'b']), mailOpened(detail));
  expect(opened.entities['a']?.unread).toBe(false);
  const later = run(opened, asked(), came(['a', 'b']));
  expect([later.entities['a']?.unread, later.entities['b']?.unread]).toEqual([false, true]);
});

test('the browser keeps the first rows and no text of a mail', () => {
  const ids = Array.from({ length: 40 }, (_, at) => `m${at}`);
  const search = { section: 'inbox', search: 'lease' } as const;
  const state = run(FIRST, asked(), came(ids, 'two'), asked(search), came(['s'], null, search));
  const kept = keptMails(state);
  expect(Object.keys(kept.lists)).toEqual(['inbox ']);
  expect(inboxOf(kept)).toMatchObject({ status: 'kept', nextCursor: null });
  expect(inboxOf(kept).ids).toHaveLength(25);
  expect(Object.keys(kept.entities)).toHaveLength(25);
  expect(kept.details).toEqual([]);
  // Rows that were kept are no part of what is read: they are replaced.
  expect(inboxOf(run(kept, asked(), came(['new'], 'next')))).toMatchObject({
    ids: ['new'],
    nextCursor: 'next',
  });
});

test('nothing of one connection is left in the next', () => {
  const state = run(FIRST, asked(), came(['a']), connectionChanged({ notice: 'Gone' }));
  expect(state).toEqual({ ...FIRST, notice: 'Gone' });
});

test('a mailbox that is not connected any longer is forgotten, and that is known', () => {
  const me = { googleRefreshToken: null } as CurrentUser;
  const lost = run(run(FIRST, asked(), came(['a'])), currentUserReplaced(me));
  expect(lost).toEqual({ ...FIRST, isLost: true });
  expect(run(FIRST, currentUserReplaced(me))).toEqual(FIRST);
});

test('a mail that was unread is counted no longer once it is opened', () => {
  const read = run(FIRST, asked(), came(['a']));
  const open = mailOpened({ id: 'a' } as MailDetail);
  expect(read.unread).toBe(5);
  expect(run(read, open, open).unread).toBe(4);
  expect(run(read, mailOpened({ id: 'elsewhere' } as MailDetail)).unread).toBe(5);
});
