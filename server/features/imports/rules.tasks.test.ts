import { describe, expect, test } from 'vitest';
import { endOf, isDone, timesOf } from './rules.tasks.ts';

const clock = { dates: 'mdy', timeZone: 'America/New_York' } as const;
const now = new Date('2026-03-04T15:00:00Z');
const at = (iso: string) => new Date(iso);

describe('a task of another system', () => {
  test('is done by the words that say so', () => {
    expect(['Complete', 'yes', 'Done', 'Closed'].map(isDone)).toEqual([true, true, true, true]);
    expect(['No', 'In progress', 'Not started', 'Incomplete'].map(isDone)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(['', 'In review'].map(isDone)).toEqual([undefined, undefined]);
  });

  test('is due at the end of a day, also where its system writes midnight', () => {
    const last = at('2026-05-07T03:59:00Z');
    expect(endOf('05/06/2026', clock)).toEqual(last);
    expect(endOf('05/06/2026 12:00 AM', clock)).toEqual(last);
    expect(endOf('2026-05-06T00:00:00', clock)).toEqual(last);
    expect(endOf('05/06/2026 5:00 PM', clock)).toEqual(at('2026-05-06T21:00:00Z'));
    expect(endOf('05/06/2026 soon', clock)).toBeNull();
  });

  test('without a due date ends with the day of its start, or today, and says so', () => {
    const asked = { clock, now, system: 'Clio', written: '' };
    const none = { start: null, due: null, doneAt: null };
    expect(timesOf(none, asked)).toEqual({
      startTime: at('2026-03-04T05:00:00Z'),
      endTime: at('2026-03-05T04:59:00Z'),
      lines: ['No due date in Clio'],
    });
    const start = at('2026-01-05T14:00:00Z');
    expect(timesOf({ ...none, start }, asked)).toMatchObject({
      startTime: start,
      endTime: at('2026-01-06T04:59:00Z'),
    });
    const doneAt = at('2026-02-05T14:00:00Z');
    expect(timesOf({ ...none, doneAt }, asked)).toEqual({
      startTime: at('2026-02-05T05:00:00Z'),
      endTime: at('2026-02-06T04:59:00Z'),
      lines: [],
    });
  });
});
