import { expect, test } from 'vitest';
import { sizeInWords } from '../../ui/size-in-words.ts';
import {
  batchOf,
  decodeText,
  inOrder,
  markOnPage,
  percent,
  placeOf,
  readCheck,
  readTrainReply,
  unpackedSize,
  untrainedUrls,
  viewerOf,
} from './rules.ts';

test('the preview marks a passage on each of its pages, in the page’s own offsets', () => {
  const page = { start: 100, text: 'x'.repeat(50) };
  expect(markOnPage({ start: 110, end: 120 }, page)).toEqual({ start: 10, end: 20 });
  expect(markOnPage({ start: 90, end: 105 }, page)).toEqual({ start: 0, end: 5 });
  expect(markOnPage({ start: 140, end: 170 }, page)).toEqual({ start: 40, end: 50 });
  expect(markOnPage({ start: 150, end: 160 }, page)).toBeNull();
  expect(markOnPage({ start: 10, end: 100 }, page)).toBeNull();
});

test('the preview finds a quotation where it begins, also where it goes on to the next page', () => {
  const page = { start: 100, text: 'One page. It ends in' };
  expect(placeOf('One page.', page)).toEqual({ start: 100, end: 109 });
  expect(placeOf('It ends in the middle.', page)).toEqual({ start: 110, end: 132 });
  expect(placeOf('Other words', page)).toBeNull();
});

test('the preview sorts files by name, with numbers in numeric order', () => {
  const urls = ['/c/f/page%2010.txt', '/c/f/page%202.txt', '/c/f/Answer.pdf'];
  expect(inOrder(urls)).toEqual([urls[2], urls[1], urls[0]]);
});

test('the preview counts the files that are trained together until none is left', () => {
  const before = { a: 'training', b: 'training', c: 'not trained', d: 'trained' } as const;
  const begun = batchOf([], before);
  expect(begun.batch).toEqual({ of: 2, trained: 0, failed: 0 });
  const added = batchOf(begun.urls, { ...before, a: 'trained', c: 'training' });
  expect(added.batch).toEqual({ of: 3, trained: 1, failed: 0 });
  const later = batchOf(added.urls, { b: 'error', c: 'training', d: 'trained' });
  expect(later.batch).toEqual({ of: 2, trained: 0, failed: 1 });
  expect(batchOf(later.urls, { b: 'error', c: 'trained' })).toEqual({ urls: [], batch: null });
});

test('the preview finds the untrained files of a folder and of a case', () => {
  const library = {
    files: { A: ['a', 'b'], B: ['c'] },
    training: { a: 'not trained', b: 'error', c: 'not trained' } as const,
    details: {},
  };
  expect(untrainedUrls(library)).toEqual(['a', 'c']);
  expect(untrainedUrls(library, 'A')).toEqual(['a']);
  expect(untrainedUrls(null)).toEqual([]);
});

test('the preview treats only the string 200 as a queued training', () => {
  expect(readTrainReply({ status: '200', message: 'Training started' }).isQueued).toBe(true);
  expect(readTrainReply({ status: 200, message: 'OK' }).isQueued).toBe(false);
  expect(readTrainReply({ status: '404', message: 'No such file' })).toEqual({
    isQueued: false,
    message: 'No such file',
  });
  expect(readTrainReply({ status: '500' }).message).toBe('Unexpected response from server');
});

test('the preview reads a check as trained, in training, or failed with a reason', () => {
  expect(readCheck({ status: 201 })).toEqual({ status: 'trained' });
  expect(readCheck({ status: 202, progress: 0.5 })).toEqual({ status: 'training', progress: 0.5 });
  expect(readCheck({ status: 404, message: 'Not trained yet' })).toEqual({
    status: 'error',
    error: 'Not trained yet',
  });
  expect(readCheck({ status: '201', message: '' })).toEqual({
    status: 'error',
    error: 'Unexpected response from server',
  });
});

test('the preview describes progress and sizes in words', () => {
  expect(percent(0.629)).toBe('62%');
  expect(percent(1.4)).toBe('100%');
  expect(percent(null)).toBe('');
  expect(sizeInWords(1)).toBe('1 byte');
  expect(sizeInWords(1_500_000)).toBe('1.5 MB');
});

test('detects the encoding of a text', () => {
  const bytes = (text: string, encoding: BufferEncoding) =>
    new Uint8Array(Buffer.from(text, encoding));
  expect(decodeText(bytes('Ärger – café', 'utf-8'))).toBe('Ärger – café');
  expect(decodeText(bytes('\ufeffÄrger', 'utf-8'))).toBe('Ärger');
  expect(decodeText(bytes('\ufeffÄrger', 'utf16le'))).toBe('Ärger');
  expect(decodeText(bytes('Good day', 'utf16le'))).toBe('Good day');
  expect(decodeText(bytes('\xc4rger \x96', 'latin1'))).toBe('Ärger –');
  expect(decodeText(bytes('\x1b$B$"\x1b(B', 'latin1'))).toBe('あ');
  expect(decodeText(bytes('\xcf\xf0\xe8', 'latin1'), 'windows-1251')).toBe('При');
  expect(decodeText(bytes('cut é', 'utf-8').slice(0, -1))).toBe('cut ');
});

test('the preview chooses the viewer by kind, except for files too large to load whole', () => {
  const size = 1000;
  expect(viewerOf({ mimeType: 'application/pdf', size: 2e9 })).toBe('pdf');
  expect(viewerOf({ mimeType: 'message/rfc822', size })).toBe('mail');
  expect(viewerOf({ mimeType: 'message/rfc822', size: 6e7 })).toBe('large');
  expect(viewerOf({ mimeType: 'image/tiff', size })).toBe('none');
});

test('the preview reads the unpacked size of an archive', () => {
  const entry = new DataView(new ArrayBuffer(60));
  entry.setUint32(4, 0x02_01_4b_50, true);
  entry.setUint32(28, 4_000_000_000, true);
  expect(unpackedSize(new Uint8Array(entry.buffer))).toBe(4_000_000_000);
  expect(unpackedSize(new Uint8Array(10))).toBe(0);
});
