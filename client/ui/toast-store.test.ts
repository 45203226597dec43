import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  closeEarlierToasts,
  closeToast,
  holdToasts,
  holdUnderPointer,
  toast,
  TOAST_LIMIT,
  undoLast,
  visibleToasts,
} from './toast-store.ts';

const texts = () => visibleToasts().map(({ text }) => text);

describe('the toast store', () => {
  beforeEach(() => {
    // Other test files of the same worker may have left toasts open.
    for (let [left] = visibleToasts(); left; [left] = visibleToasts()) closeToast(left.id);
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.runAllTimers();
    vi.useRealTimers();
  });

  test('shows success for 2 seconds, and errors and plain messages for 4', () => {
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

  test('undoes the last act once, by key or by button, while its page is open', () => {
    const undone: string[] = [];
    const undo = (act: string) => ({ label: 'Undo', run: () => void undone.push(act) });
    toast.plain('Archived', undo('archived'));
    toast.plain('Moved', undo('moved'));
    toast.plain('Offline', { ...undo('retried'), label: 'Retry' });
    vi.advanceTimersByTime(60_000);
    expect(texts()).toEqual([]);
    expect(undoLast()).toBe(true);
    expect(undoLast()).toBe(false);
    expect(undone).toEqual(['moved']);

    toast.plain('Archived', undo('archived'));
    visibleToasts()[0]?.actions[0]?.run();
    expect(undoLast()).toBe(false);
    toast.plain('Archived', undo('archived'));
    closeEarlierToasts(performance.now() + 1);
    expect(undoLast()).toBe(false);
    expect(undone).toEqual(['moved', 'archived']);
  });

  test('shows a repeated message twice', () => {
    toast.error('Network error');
    toast.error('Network error');
    expect(texts()).toEqual(['Network error', 'Network error']);
  });

  test('shows twenty toasts at once, and the waiting ones for their full time afterwards', () => {
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

  test('keeps toasts open while they are held, and restarts their time on release', () => {
    toast.success('Task updated');
    holdToasts(true);
    toast.success('Task created');
    vi.advanceTimersByTime(60_000);
    expect(texts()).toEqual(['Task updated', 'Task created']);
    holdToasts(false);
    vi.advanceTimersByTime(2000);
    expect(texts()).toEqual([]);
  });

  test('goes on under a pointer that lies still', () => {
    toast.success('Saved');
    holdUnderPointer();
    vi.advanceTimersByTime(4900);
    holdUnderPointer();
    vi.advanceTimersByTime(4900);
    expect(texts()).toEqual(['Saved']);
    vi.advanceTimersByTime(100 + 2000);
    expect(texts()).toEqual([]);
  });

  test('stops holding when the last toast is closed under the pointer', () => {
    toast.error('First');
    holdToasts(true);
    closeToast(visibleToasts()[0]?.id ?? 0);
    toast.error('Second');
    vi.advanceTimersByTime(4000);
    expect(texts()).toEqual([]);
  });
});
