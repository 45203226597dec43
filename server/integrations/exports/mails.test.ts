import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileOf, isRow } from '../../testing/exports.ts';
import { readMail, readMailbox } from './mails.ts';
import type { SourceFile } from './source.ts';

async function mailsOf(file: SourceFile, after = 0) {
  const rows = await Array.fromAsync(readMailbox(file, after));
  return Promise.all(
    rows.map(async (row) => {
      if (!isRow(row) || !row.bytes) return row;
      const content = await buffer(await row.bytes.open());
      expect(content.length).toBe(row.bytes.size);
      return { row: row.row, cells: row.cells, content: content.toString('latin1') };
    }),
  );
}

/** Without ranges, as in a zip. */
function packed({ path, size, open }: SourceFile): SourceFile {
  return { path, size, open };
}

function mailbox(content: string, chunk = 1000): SourceFile {
  return fileOf('x.mbox', content, chunk);
}

const FIRST =
  'Message-ID: <1@x>\nSubject: =?utf-8?q?H=C3=A9llo?=\n there\nDate: Mon, 5 Jan 2026 10:00:00 -0500 (EST)\n\nbody\n';

test.each([
  ['its ranges', (file: SourceFile) => file],
  ['a zip', packed],
])('emails of an .mbox are read from %s', async (_, from) => {
  const content = [
    `From a@x Mon Jan  5 10:00:00 2026\n${FIRST}>From here\n>>From there\n > From\n\n`,
    'From MAILER-DAEMON Tue Jan 6 10:00:00 2026\nSubject: two\n\nFrom me, in the middle\n\nFrom now on\nall is text\n',
    // Some programs put no blank line before the next one.
    'From - Wed Jan  7 10:00:00 2026\nX: y\n\nthree',
  ].join('');
  expect(await mailsOf(from(mailbox(content)))).toEqual([
    {
      row: 1,
      cells: { id: '1@x', subject: 'Héllo there', at: '2026-01-05T15:00:00.000Z' },
      content: `${FIRST}From here\n>From there\n > From\n`,
    },
    {
      row: 2,
      cells: { subject: 'two' },
      content: 'Subject: two\n\nFrom me, in the middle\n\nFrom now on\nall is text\n',
    },
    { row: 3, cells: {}, content: 'X: y\n\nthree' },
  ]);
});

test('windows line ends, and zones in dates of separators, are read', async () => {
  const content = [
    'From 1234@xxx Mon Jan 05 10:00:00 +0000 2026\r\nSubject: one\r\n\r\n>From x\r\n\r\n',
    'From someone\r\nSubject: two\r\n\r\nbody\r\n',
  ].join('');
  expect((await mailsOf(mailbox(content))).map((row) => 'content' in row && row.content)).toEqual([
    'Subject: one\r\n\r\nFrom x\r\n',
    'Subject: two\r\n\r\nbody\r\n',
  ]);
});

const line = fc.oneof(
  fc.stringMatching(/^[ -~]{0,30}$/),
  fc.constantFrom(
    '',
    'From',
    'From now',
    '>From x',
    '>>From y',
    'From a@x Mon Jan  5 10:00:00 2026',
  ),
);

test('what is written as an .mbox is read back, whatever the chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(line, { maxLength: 8 }), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 400 }),
      fc.boolean(),
      async (bodies, end, chunk, isPacked) => {
        const mails = bodies.map((body, n) => [`Subject: ${n}`, '', ...body, ''].join(end));
        const written = mails.map((mail) => {
          const quoted = mail.replaceAll(/^(?=>*From )/gm, '>');
          return `From a@x Mon Jan  5 10:00:00 2026${end}${quoted}${end}`;
        });
        const file = mailbox(written.join(''), chunk);
        const found = await mailsOf(isPacked ? packed(file) : file);
        expect(found.map((row) => 'content' in row && row.content)).toEqual(mails);
      },
    ),
    { numRuns: 300 },
  );
});

test.each([1, 7, 64, 65_536])(
  'headers are read to their blank line in chunks of %i',
  async (chunk) => {
    const lines = 'From now on\n'.repeat(3000);
    const head = (end: string) => `To: x@y${end}${lines}Subject: one${end}Message-ID: <1@x>${end}`;
    const content = ['\n', '\r\n']
      .map(
        (end) =>
          `From a@x Mon Jan  5 10:00:00 2026${end}${head(end)}${end}Subject: not it${end}${end}`,
      )
      .join('');
    const cells = { subject: 'one', id: '1@x' };
    expect(await mailsOf(mailbox(content, chunk))).toMatchObject([{ cells }, { cells }]);
  },
);

test('reading goes on after the email that was done', async () => {
  const content = ['a', 'b', 'c']
    .map((subject) => `From a@x Mon Jan  5 10:00:00 2026\nSubject: ${subject}\n\nx\n\n`)
    .join('');
  expect(await mailsOf(mailbox(content), 2)).toMatchObject([{ row: 3, cells: { subject: 'c' } }]);
});

test('a file without emails is said', async () => {
  expect(await mailsOf(mailbox('no\nemail\n'))).toMatchObject([
    { row: null, message: 'The file has no emails' },
  ]);
});

test('a single email that is called .mbox is an email', async () => {
  expect(await mailsOf(mailbox('Subject: one\n\nbody\n'))).toMatchObject([
    { cells: { subject: 'one' }, content: 'Subject: one\n\nbody\n' },
  ]);
});

test('an email of more than 100 MB is a problem, and the others are read', async () => {
  const piece = Buffer.alloc(1_000_000, 'x'.repeat(79) + '\n');
  const file: SourceFile = {
    path: 'x.mbox',
    size: 0,
    open: () =>
      Promise.resolve(
        Readable.from(
          (function* () {
            yield Buffer.from('From a@x Mon Jan  5 10:00:00 2026\nSubject: one\n\n');
            for (let n = 0; n < 106; n += 1) yield piece;
            yield Buffer.from('\nFrom a@x Mon Jan  5 10:00:00 2026\nSubject: two\n\n');
          })(),
        ),
      ),
    openAt: () => Promise.reject(new Error('not asked for')),
  };
  expect(await Array.fromAsync(readMailbox(file, 0))).toMatchObject([
    { row: 1, message: 'The email is larger than 100 MB' },
    { row: 2, cells: { subject: 'two' } },
  ]);
});

test('an .eml is one email with its bytes', async () => {
  const [row] = await Array.fromAsync(readMail(fileOf('a/x.eml', FIRST)));
  expect(row).toMatchObject({
    row: 1,
    cells: { id: '1@x', subject: 'Héllo there', path: 'a/x.eml' },
    bytes: { size: FIRST.length },
  });
  const bytes = row && isRow(row) ? await row.bytes?.open() : undefined;
  expect(bytes && (await text(bytes))).toBe(FIRST);
});
