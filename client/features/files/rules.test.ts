import { expect, test } from 'vitest';
import { inOrder, markOnPage, percent, readCheck, readTrainReply } from './rules.ts';
import { sizeInWords } from '../../ui/size-in-words.ts';

test('a passage is marked on each page that it stands on, in the page’s own offsets', () => {
  const page = { start: 100, text: 'x'.repeat(50) };
  expect(markOnPage({ start: 110, end: 120 }, page)).toEqual({ start: 10, end: 20 });
  expect(markOnPage({ start: 90, end: 105 }, page)).toEqual({ start: 0, end: 5 });
  expect(markOnPage({ start: 140, end: 170 }, page)).toEqual({ start: 40, end: 50 });
  expect(markOnPage({ start: 150, end: 160 }, page)).toBeNull();
  expect(markOnPage({ start: 10, end: 100 }, page)).toBeNull();
});

test('files stand in the order of their names, numbers as numbers', () => {
  const urls = ['/c/f/page%2010.txt', '/c/f/page%202.txt', '/c/f/Answer.pdf'];
  expect(inOrder(urls)).toEqual([urls[2], urls[1], urls[0]]);
});

test('only the string 200 queues a training', () => {
  expect(readTrainReply({ status: '200', message: 'Training started' }).isQueued).toBe(true);
  expect(readTrainReply({ status: 200, message: 'OK' }).isQueued).toBe(false);
  expect(readTrainReply({ status: '404', message: 'No such file' })).toEqual({
    isQueued: false,
    message: 'No such file',
  });
  expect(readTrainReply({ status: '500' }).message).toBe('Unexpected response from server');
});

test('a check says trained, working, or why not', () => {
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

test('progress and sizes are said in words', () => {
  expect(percent(0.629)).toBe('62%');
  expect(percent(1.4)).toBe('100%');
  expect(percent(null)).toBe('');
  expect(sizeInWords(1)).toBe('1 byte');
  expect(sizeInWords(1_500_000)).toBe('1.5 MB');
});
