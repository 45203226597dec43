import { externalStore } from '../ui/external-store.ts';
import { tryStorage } from './tab-storage.ts';

/** When any tab was touched last, and the firm's minutes; `before-paint.ts` reads it too. */
export const TOUCH_KEY = 'matterdesk-touched';
const MINUTE = 60_000;

type TouchMark = { at: number; minutes: number };

let hasCover = false;
const covering = externalStore(false);

/** Whether this page hides its content until the user enters the password. */
export const { get: isCovered, subscribe: subscribeCover } = covering;

/** Called while a page can be covered, which those for signed-in users can. */
export function setCoverable(coverable: boolean): void {
  hasCover = coverable;
  if (!coverable) setCovered(false);
}

export function isCoverable(): boolean {
  return hasCover;
}

/** Hides the content at once, before anything renders. */
export function setCovered(covered: boolean): void {
  if (covered === isCovered()) return;
  document.documentElement.toggleAttribute('data-covered', covered);
  covering.set(covered);
}

/** Undefined after a sign-out in any tab. */
export function touchMark(): TouchMark | undefined {
  const text = tryStorage(() => localStorage.getItem(TOUCH_KEY)) ?? '';
  const [at = Number.NaN, minutes = Number.NaN] = text.split(' ').map(Number);
  return at + minutes > 0 ? { at, minutes } : undefined;
}

export function markTouch({ at, minutes }: TouchMark): void {
  tryStorage(() => localStorage.setItem(TOUCH_KEY, `${at} ${minutes}`));
}

export function removeTouchMark(): void {
  tryStorage(() => localStorage.removeItem(TOUCH_KEY));
}

/** Milliseconds until a page without a touch covers itself; negative when it should be covered. */
export function msUntilIdle({ at, minutes }: TouchMark): number {
  return at + minutes * MINUTE - Date.now();
}

/** Whether no tab was touched for the firm's minutes. */
export function isIdle(): boolean {
  const mark = touchMark();
  return mark !== undefined && msUntilIdle(mark) <= 0;
}
