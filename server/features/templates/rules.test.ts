import { expect, test } from 'vitest';
import { namesOfDocuments } from './rules.ts';

test('documents of recipients with long names each have a name that file systems take', () => {
  const name = 'Запрос медицинских документов '.repeat(4);
  const recipient = 'Городская больница '.repeat(5);
  const one = { name, recipient, day: '2026-11-20', isDraft: true };
  const names = namesOfDocuments([one, one, { ...one, recipient: null }], new Set());
  expect(names).toEqual([
    expect.stringMatching(/^Запрос .*… – Городская .* – 2026-11-20 DRAFT\.docx$/),
    expect.stringMatching(/^Запрос .*… – Городская .* – 2026-11-20 \(2\) DRAFT\.docx$/),
    expect.stringMatching(/^Запрос .* – 2026-11-20 DRAFT\.docx$/),
  ]);
  for (const long of names) expect(Buffer.byteLength(long)).toBeLessThanOrEqual(255);
});
