import { describe, expect, test } from 'vitest';
import { abara, trayItem } from '../../testing/factories.ts';
import { actInWords, cluesOf, noteOf, originOf, reasonsOf, titleOf, typeOf } from './rules.ts';
import { type TrayPage, withoutItem } from './slice.ts';

const proposed = (reason: string) => trayItem({ proposals: [{ case: abara, reason }] });

describe('a row of the tray', () => {
  const ngozi = { name: 'Ngozi Abara', phoneNumber: '+15185550142' };

  test.each([
    [trayItem(), 'IMG_2231.heic', 'Uploaded by Kofi Mensah'],
    [
      trayItem({ source: 'mail', title: 'Invoice', from: { name: 'Piet Voss' } }),
      'Invoice',
      'From Piet Voss',
    ],
    [
      trayItem({ source: 'mail', title: 'Invoice', from: { name: null, email: 'p@voss.example' } }),
      'Invoice',
      'From p@voss.example',
    ],
    [
      trayItem({ source: 'text', title: 'Text', excerpt: 'ok thank you\nsee you', from: ngozi }),
      'ok thank you',
      'Text from Ngozi Abara',
    ],
    [trayItem({ source: 'scan', title: 'Scan', owner: null }), 'Scan', 'From the office scanner'],
    [
      trayItem({ source: 'scan', title: 'Scan', pages: 14 }),
      'Scan',
      'No case number or name found',
    ],
    [
      trayItem({
        ...proposed('Case No 1 on page 1\nClaim 2'),
        source: 'scan',
        title: 'Scan',
        pages: 2,
      }),
      'Scan',
      'Case No 1 on page 1',
    ],
  ])('names what it is and where it came from: %#', (one, title, note) => {
    expect([titleOf(one), noteOf(one)]).toEqual([title, note]);
  });

  test('a scan without an owner came from the scanner', () => {
    expect(originOf(trayItem({ source: 'scan', owner: null }))).toBe('From the office scanner');
  });
});

test('each reason of a proposal is a line of its own', () => {
  const reason = 'Case No 2026-CV-00418 on page 1\nThis thread is filed there';
  expect(reasonsOf({ case: abara, reason })).toEqual(reason.split('\n'));
});

test.each([
  ['Case No 2026-CV-00418 on page 1', ['2026-CV-00418']],
  ['Claim 0471-88213 is in this matter’s notes', ['0471-88213']],
  ['Ngozi Abara, 12 Elm Street, is a witness', ['Ngozi Abara, 12 Elm Street']],
  ['Yusuf Adeyemi is the client', ['Yusuf Adeyemi']],
  ['Yusuf Adeyemi, born Mar 2, 1984, is opposing counsel', ['Yusuf Adeyemi']],
  ['This thread is filed there', []],
])('the reason “%s” marks %j in the paper', (reason, clues) => {
  expect(cluesOf(proposed(reason))).toEqual(clues);
});

test.each([
  ['Lease 2019.PDF', null, 'application/pdf'],
  ['photo.JPG', null, 'image/jpeg'],
  ['notes.txt', null, 'text/plain'],
  ['IMG_2231.heic', null, null],
  ['README', null, null],
  ['Scan, 2 pages', 2, 'application/pdf'],
])('%s with %s pages is shown as %s', (title, pages, type) => {
  expect(typeOf(trayItem({ title, pages }))).toBe(type);
});

test('the last act says where the item is now', () => {
  const act = { id: '1', title: 'Lease.pdf', hasTask: false };
  const to = { id: 'c1', label: 'Okafor' };
  expect(actInWords({ ...act, to })).toBe('Filed Lease.pdf in Okafor');
  expect(actInWords({ ...act, to: null })).toBe('Dismissed Lease.pdf');
});

test('an item leaves its page and the counts once, however often that is reported', () => {
  const page: TrayPage = {
    items: [trayItem(), trayItem({ id: '2' })],
    counts: { mail: 0, text: 0, upload: 2, scan: 0 },
    total: 2,
    nextCursor: null,
    problems: [],
  };
  const after = withoutItem(page, '1');
  expect(after.items.map(({ id }) => id)).toEqual(['2']);
  expect([after.counts.upload, after.total]).toEqual([1, 1]);
  expect(withoutItem(after, '1')).toBe(after);
});
