import { describe, expect, it } from 'vitest';
import { processorTimeDuring } from '../../testing/usage.ts';
import type { Page } from './messages.ts';
import { headingOf, runInHeading, dividePages, sentencesOf } from './passages.ts';

function pagesOf(texts: string[]): Page[] {
  return texts.map((text, index) => ({ page: index + 1, text, marks: [], isScanned: false }));
}

function divide(texts: string[]) {
  return [...dividePages(pagesOf(texts), true)];
}

describe('headings', () => {
  it.each([
    ['ARTICLE IV', 1],
    ['Article 5: Limitation of Liability', 1],
    ['EXHIBIT B', 1],
    ['Section 2.3 Payment of Fees', 3],
    ['5. Governing Law.', 2],
    ['5.1 Security deposit', 3],
    ['CONFIDENTIALITY', 2],
  ])('include %s', (line, level) => {
    expect(headingOf(line)?.level).toBe(level);
  });

  it.each([
    'Section 5 of the Act provides that the tenant may leave.',
    '12 monthly payments of $400 were made by the tenant.',
    'The parties agree.',
    '2024-11-02',
    'I,',
  ])('exclude %s', (line) => {
    expect(headingOf(line)).toBeUndefined();
  });

  it('are found at the start of a paragraph', () => {
    expect(runInHeading('5.1 Governing Law. This Agreement is governed by…')).toEqual({
      level: 3,
      text: '5.1 Governing Law',
    });
    expect(runInHeading('The Tenant shall pay. This is due at once.')).toBeUndefined();
  });
});

describe('passages', () => {
  it('carry the path of headings and do not cross sections', () => {
    const passages = divide([
      'ARTICLE 5\n\n5.1 Notices\n\nNotices are given in writing.\n\n5.2 Waiver\n\nNo waiver is implied.',
    ]);
    expect(passages.map(({ heading, text }) => [heading, text])).toEqual([
      ['ARTICLE 5 › 5.1 Notices', 'ARTICLE 5\n\n5.1 Notices\n\nNotices are given in writing.'],
      ['ARTICLE 5 › 5.2 Waiver', '5.2 Waiver\n\nNo waiver is implied.'],
    ]);
  });

  it('join a sentence that continues on the next page', () => {
    const [passage, ...others] = divide([
      'The tenant pays the rent\n',
      'on the first day.\n\nEnd.',
    ]);
    expect(passage).toMatchObject({ page: 1, text: expect.stringContaining('on the first day.') });
    expect(others.map(({ text }) => text)).toEqual([]);
  });

  it('leave out headers and footers, but no table rows that look alike', () => {
    const rows = (page: number) =>
      Array.from({ length: 8 }, (_, row) => `Invoice ${page * 8 + row} of 2024: $${row}.00`);
    const texts = Array.from({ length: 8 }, (_, page) =>
      ['ACME CONFIDENTIAL', rows(page).join('\n'), `Page ${page + 1} of 8`].join('\n\n'),
    );
    const all = divide(texts);
    const text = all.map((passage) => passage.text).join('\n');
    expect(text).toContain('Invoice 63 of 2024');
    expect(text.match(/Invoice/g)).toHaveLength(64);
    expect(text).not.toContain('Page 3 of 8');
    expect(all.every(({ heading }) => heading === '')).toBe(true);
  });

  it.each([
    ['sentences', 'The tenant pays the rent on the first day of the month. '.repeat(90)],
    ['words without an end', 'word '.repeat(3000)],
    ['one word without an end', 'w'.repeat(9000)],
    ['signs of two units', '😀'.repeat(3000)],
  ])('of at most 1,200 units consist of %s without loss', (_, text) => {
    const passages = divide([text]);
    expect(passages.every(({ start, end }) => end - start <= 1200)).toBe(true);
    expect(
      passages
        .map((passage) => passage.text)
        .join('')
        .replaceAll(' ', ''),
    ).toBe(text.replaceAll(' ', ''));
    expect(
      passages.every((passage) => text.slice(passage.start, passage.end) === passage.text),
    ).toBe(true);
    expect(passages.every((passage) => passage.text.isWellFormed())).toBe(true);
  });
});

it('do not end a sentence at an abbreviation or a line', () => {
  const text = 'Pay to Acme Inc. the sum\ndue under No. 5 of the U.S. code. Then sign.';
  expect(sentencesOf(text).map(({ start, end }) => text.slice(start, end).trim())).toEqual([
    'Pay to Acme Inc. the sum\ndue under No. 5 of the U.S. code.',
    'Then sign.',
  ]);
});

/** CPU milliseconds; work that grows with the square of the length takes minutes. */
const MOST_WORK = 10_000;

it('cost no more where no sentence ends for megabytes', async () => {
  const text = 'the tenant\n'.repeat(330_000);
  const found: { start: number; end: number }[] = [];
  expect(await processorTimeDuring(async () => void found.push(...sentencesOf(text)))).toBeLessThan(
    MOST_WORK,
  );
  expect(found).toEqual([{ start: 0, end: text.length }]);
});
