import { useEffect, useSyncExternalStore } from 'react';
import {
  isCovered,
  isIdle,
  markTouch,
  setCoverable,
  setCovered,
  subscribeCover,
  touchMark,
  untilIdle,
} from '../core/idle.ts';
import { isSignedIn } from '../core/store.ts';
import { useFirm } from '../core/use-firm.ts';

const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'];
/** Milliseconds between two records of a touch. */
const PACE = 1000;
/** Until the firm's settings arrive. */
const MINUTES = 720;

/**
 * Covers the page after the firm's minutes without a touch in any tab. While the user is there, a request now and then
 * keeps the session open, since typing sends none.
 * @returns whether the page is covered
 */
export function useIdle(): boolean {
  const covered = useSyncExternalStore(subscribeCover, isCovered);
  const { data, refresh } = useFirm();
  const minutes = data?.idleMinutes ?? touchMark()?.minutes ?? MINUTES;
  useEffect(() => {
    setCoverable(true);
    // Opening a page is a touch.
    markTouch({ at: Date.now(), minutes: touchMark()?.minutes ?? MINUTES });
    return () => setCoverable(false);
  }, []);
  useEffect(
    () => (covered ? undefined : watchTouches(minutes, refresh)),
    [covered, minutes, refresh],
  );
  return covered;
}

/** @param stayIn called some time after a touch, at most six times an hour for the usual minutes */
function watchTouches(minutes: number, stayIn: () => void): () => void {
  const stop = new AbortController();
  // Not now: a tab that another one uncovered was not touched.
  let last = touchMark()?.at ?? Date.now();
  let asked = Date.now();
  let asking: ReturnType<typeof setTimeout> | undefined;
  let covering: ReturnType<typeof setTimeout> | undefined;
  const ask = () => {
    asking = undefined;
    asked = Date.now();
    stayIn();
  };
  // A page that is signing out leaves nothing.
  const mark = () => isSignedIn() && markTouch({ at: last, minutes });
  const touch = () => {
    const now = Date.now();
    if (now - last < PACE) return;
    // The page may have slept beyond the time.
    if (isIdle()) return setCovered(true);
    last = now;
    mark();
    asking ??= setTimeout(ask, Math.max(0, asked + paceOf(minutes) - now));
  };
  const check = () => {
    clearTimeout(covering);
    const left = untilIdle({ at: touchMark()?.at ?? last, minutes });
    if (left <= 0) setCovered(true);
    else covering = setTimeout(check, left);
  };
  mark();
  check();
  const options = { signal: stop.signal, passive: true, capture: true };
  for (const name of TOUCHES) addEventListener(name, touch, options);
  // Timers of hidden pages are late.
  for (const name of ['focus', 'pageshow']) addEventListener(name, check, options);
  document.addEventListener('visibilitychange', check, options);
  return () => {
    stop.abort();
    clearTimeout(asking);
    clearTimeout(covering);
  };
}

/** Milliseconds between two requests: a tenth of the time, from half a minute to ten minutes. */
function paceOf(minutes: number): number {
  return Math.min(600_000, Math.max(30_000, minutes * 6000));
}
