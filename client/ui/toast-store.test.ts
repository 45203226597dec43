import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeToast, holdToasts, toast, TOAST_LIMIT, visibleToasts } from './toast-store.ts';

const texts = () => visibleToasts().map(({ text }) => text);

describe('toasts', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.runAllTimers();
    vi.useRealTimers();
  });

  test('stay 2 seconds for success and 4 for errors and plain words', () => {
    toast.success('Case created');
    toast.error('Something went wrong');
    toast.plain('Nothing to save');
    vi.advanceTimersByTime(1999);
    expect(texts()).toEqual(['Case created', 'Something went wrong', 'Nothing to save']);
    vi.advanceTimersByTime(1);
    expect(texts()).toEqual(['Something went wrong', 'Nothing to save']);
    vi.advanceTimersByTime(1999);
    expect(texts()).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(texts()).toEqual([]);
  });

  test('show the same text twice when it is said twice', () => {
    toast.error('Network error');
    toast.error('Network error');
    expect(texts()).toEqual(['Network error', 'Network error']);
  });

  test('stand twenty at once; the others wait and then have their full time', () => {
    for (let n = 1; n <= TOAST_LIMIT + 2; n += 1) toast.error(`${n}`);
    expect(texts()).toHaveLength(20);
    expect(texts().at(-1)).toBe('20');
    closeToast(visibleToasts()[0]?.id ?? 0);
    expect(texts().at(-1)).toBe('21');
    vi.advanceTimersByTime(4000);
    expect(texts()).toEqual(['22']);
    vi.advanceTimersByTime(3999);
    expect(texts()).toEqual(['22']);
    vi.advanceTimersByTime(1);
    expect(texts()).toEqual([]);
  });

  test('wait while they are read, and go after their time when let go', () => {
    toast.success('Task updated');
    holdToasts(true);
    toast.success('Task created');
    vi.advanceTimersByTime(60_000);
    expect(texts()).toEqual(['Task updated', 'Task created']);
    holdToasts(false);
    vi.advanceTimersByTime(2000);
    expect(texts()).toEqual([]);
  });

  test('are not held for ever by one that was closed under the pointer', () => {
    toast.error('First');
    holdToasts(true);
    closeToast(visibleToasts()[0]?.id ?? 0);
    toast.error('Second');
    vi.advanceTimersByTime(4000);
    expect(texts()).toEqual([]);
  });
});
