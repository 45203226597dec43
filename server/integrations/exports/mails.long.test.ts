import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readMailbox } from './mails.ts';

const MEBIBYTE = 1024 * 1024;

test('an .mbox of 2 GB is read in constant memory', async () => {
  const line = `${'x'.repeat(75)}\n`;
  const mail = Buffer.from(
    `From a@x Mon Jan  5 10:00:00 2026\nSubject: one\n\n${line.repeat(13_000)}>From x\n\n`,
  );
  const count = Math.ceil((2048 * MEBIBYTE) / mail.length);
  const pieces = function* () {
    for (let n = 0; n < count; n += 1)
      for (let at = 0; at < mail.length; at += 65_536) yield mail.subarray(at, at + 65_536);
  };
  const open = () => Promise.resolve(Readable.from(pieces(), { objectMode: false }));
  const before = process.memoryUsage.rss();
  let most = 0;
  let rows = 0;
  for await (const row of readMailbox({ path: 'x', size: 0, open, openAt: open }, 0)) {
    rows += 'cells' in row ? 1 : 0;
    most = Math.max(most, process.memoryUsage.rss() - before);
  }
  expect(rows).toBe(count);
  expect(most).toBeLessThan(150 * MEBIBYTE);
});
