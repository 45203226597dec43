import { externalStore } from './external-store.ts';

export type ToastKind = 'success' | 'error' | 'plain';

type Action = { label: string; run: () => void };

export interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
  /** Buttons beside the text, such as 'Undo'. */
  actions: readonly Action[];
  /** When it was added, on the clock of events. */
  at: number;
}

/** Number of toasts on the screen; the others wait. */
export const TOAST_LIMIT = 20;

const DURATION_MS: Record<ToastKind, number> = { success: 2000, error: 4000, plain: 4000 };
const ACTION_MS = 8000;
const UNDO = 'Undo';
/** A pointer that lies still for so long was there before the toast, or is not reading it. */
const STILL_MS = 5000;

let lastId = 0;
let toasts: readonly Toast[] = [];
const shown = externalStore<readonly Toast[]>([]);
/** The last toast that offers Undo, until it is used or its page is left; it outlives its time on the screen. */
let undoable: Toast | undefined;
let isHeld = false;
let still: ReturnType<typeof setTimeout> | undefined;
const timers = new Map<number, ReturnType<typeof setTimeout>>();

/** Shows a message at the top right: 2 seconds for success, 4 for the others, 8 with an action. */
export const toast = {
  success: (text: string) => add('success', text),
  error: (text: string) => add('error', text),
  plain: (text: string, ...actions: (Action | undefined)[]) => add('plain', text, actions),
};

/** Closes a toast early; the next waiting toast takes its place. */
export function closeToast(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  toasts = toasts.filter((item) => item.id !== id);
  if (toasts.length === 0) holdToasts(false);
  settle();
}

/** Closes the messages of an earlier page, except for errors. @param before on the clock of events */
export function closeEarlierToasts(before: number): void {
  for (const { id, kind, at } of toasts) if (kind !== 'error' && at < before) closeToast(id);
  if (undoable && undoable.at < before) undoable = undefined;
}

/** Undoes the last act on this page that can be undone. @returns whether there was one */
export function undoLast(): boolean {
  const last = undoable;
  if (!last) return false;
  closeToast(last.id);
  undoOf(last)?.run();
  return true;
}

/** Stops the timers of all toasts while the user reads them; on release each starts over. */
export function holdToasts(hold: boolean): void {
  clearTimeout(still);
  if (isHeld === hold) return;
  isHeld = hold;
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  settle();
}

/** Holds them while a pointer moves over them, and a while longer: they cover what it may be waiting for. */
export function holdUnderPointer(): void {
  holdToasts(true);
  still = setTimeout(holdToasts, STILL_MS, false);
}

/** The toasts to show, oldest first. */
export const { get: visibleToasts, subscribe: subscribeToasts } = shown;

function add(kind: ToastKind, text: string, given: readonly (Action | undefined)[] = []): void {
  const id = ++lastId;
  const forget = () => {
    if (undoable?.id === id) undoable = undefined;
  };
  const actions = given.flatMap((action) => (action ? [once(action, forget)] : []));
  const added = { id, kind, text, actions, at: performance.now() };
  toasts = [...toasts, added];
  if (undoOf(added)) undoable = added;
  settle();
}

function undoOf({ actions }: Toast): Action | undefined {
  return actions.find(({ label }) => label === UNDO);
}

/** An act is undone once, by its button or by the keyboard. */
function once({ label, run }: Action, forget: () => void): Action {
  let isDone = false;
  return {
    label,
    run: () => {
      if (isDone) return;
      isDone = true;
      forget();
      run();
    },
  };
}

function settle(): void {
  const visible = toasts.slice(0, TOAST_LIMIT);
  if (!isHeld) {
    for (const { id, kind, actions } of visible) {
      if (!timers.has(id))
        timers.set(
          id,
          setTimeout(closeToast, actions.length > 0 ? ACTION_MS : DURATION_MS[kind], id),
        );
    }
  }
  shown.set(visible);
}
