import { describe, expect, test } from 'vitest';
import { callOf, directionOf, noteText, resultOf, secondsOf } from './rules.notes.ts';

describe('the words of a call', () => {
  test('say its direction only where they say one', () => {
    const words = ['Incoming', 'inbound call', 'IN', 'Outgoing', 'out', 'Call to client', 'Phone'];
    expect(words.map(directionOf)).toEqual(['in', 'in', 'in', 'out', 'out', 'out', undefined]);
    expect(directionOf('incoming and outgoing')).toBeUndefined();
  });

  test('say its result', () => {
    const words = [
      'Left voicemail',
      'No answer',
      'Spoke with client',
      'Line busy',
      'Call back',
      'Wrong #',
    ];
    expect(words.map(resultOf)).toEqual([
      'leftMessage',
      'noAnswer',
      'reached',
      'busy',
      'callBack',
      'wrongNumber',
    ]);
    expect(resultOf('Purple')).toBeUndefined();
  });

  test('say its length in seconds, minutes or as a clock does', () => {
    expect(secondsOf({ seconds: '90' })).toBe(90);
    expect(secondsOf({ minutes: '1.5' })).toBe(90);
    expect(secondsOf({ seconds: '1:02:30' })).toBe(3750);
    expect(secondsOf({ minutes: '02:30' })).toBe(150);
    expect([
      secondsOf({ seconds: 'long' }),
      secondsOf({ minutes: '99999' }),
      secondsOf({}),
    ]).toEqual([null, null, null]);
  });

  test('stay in the text where they say nothing that a call has', () => {
    const cells = { direction: 'out', seconds: 'long', result: 'Purple', number: '5'.repeat(50) };
    const { call, lines } = callOf(cells, null);
    expect(call).toMatchObject({ direction: 'out', seconds: null, result: null, number: null });
    expect(lines).toEqual([
      `Number: ${'5'.repeat(50)}`,
      'Duration: long seconds',
      'Result: Purple',
    ]);
  });
});

test('a note says its subject once', () => {
  expect(noteText({ subject: 'Offer', text: 'Offer of 5,000' })).toBe('Offer of 5,000');
  expect(noteText({ subject: 'Offer', text: 'Of 5,000' })).toBe('Offer\nOf 5,000');
  expect(noteText({ subject: 'Offer', text: '' })).toBe('Offer');
  expect(noteText({ subject: '', text: 'Of 5,000' })).toBe('Of 5,000');
});
