import { describe, expect, test } from 'vitest';
import { folderOf, nameOf } from './rules.documents.ts';

describe('a folder of documents', () => {
  test('is flat, and Documents without one', () => {
    expect(folderOf('Medical/Mercy')).toBe('Medical – Mercy');
    expect(folderOf('\\Medical\\..\\Mercy\u0000\\')).toBe('Medical – Mercy');
    expect([folderOf(), folderOf(' / '), folderOf('__proto__')]).toEqual([
      'Documents',
      'Documents',
      'Documents',
    ]);
  });

  test('keeps the end of a long path', () => {
    const long = folderOf(`${'a very long folder/'.repeat(20)}Mercy`);
    expect(long.length).toBeLessThanOrEqual(200);
    expect(long).toMatch(/^….* – Mercy$/);
  });
});

describe('a name of a document', () => {
  test('has the extension of its file', () => {
    expect(nameOf('Complaint', 'a/b/1234.PDF')).toBe('Complaint.PDF');
    expect(nameOf('Complaint.pdf', 'a/b/1234.PDF')).toBe('Complaint.pdf');
    expect(nameOf('Smith v. Jones', '1234.docx')).toBe('Smith v. Jones.docx');
    expect(nameOf(undefined, 'a\\b\\letter.txt')).toBe('letter.txt');
    expect(nameOf('Motion / Reply', '12.pdf')).toBe('Motion _ Reply.pdf');
    expect(nameOf('..', '')).toBe('Document');
  });

  test('fits into a file system', () => {
    const name = nameOf(undefined, `${'ż'.repeat(200)}.pdf`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(name).toMatch(/ż…\.pdf$/);
  });
});
