import { useSyncExternalStore } from 'react';
import { columnIds } from '@matterdesk/contract/tasks.ts';
import { store } from '../../../core/store.ts';
import { selectColumns } from '../slice.ts';

// The board is one stop of the Tab key: the card that had the focus last, else the first one. Kept
// outside of React, so that of a thousand cards only the two are drawn anew between which it goes.
let activeId: string | null = null;
/** A card that shall have the focus as soon as the window of its list has come to it. */
let awaitedId: string | null = null;
const listeners = new Set<() => void>();

export function cardElementId(id: string): string {
  return `task-${id}`;
}

/** Whether this card is the one that the Tab key stops at. */
export function useIsTabStop(id: string): boolean {
  return useSyncExternalStore(subscribe, () => tabStop() === id);
}

/** The card that its list shall scroll to. */
export function useAwaitedCard(): string | null {
  return useSyncExternalStore(subscribe, () => awaitedId);
}

export function setActiveCard(id: string): void {
  activeId = id;
  notify();
}

export function hasFocus(id: string): boolean {
  return document.activeElement?.closest('[data-card]')?.id === cardElementId(id);
}

/** Gives a card the focus, now or when it is there. */
export function focusCard(id: string): void {
  const element = document.getElementById(cardElementId(id));
  activeId = id;
  awaitedId = element ? null : id;
  notify();
  element?.focus();
}

/** Whether the card that has just come into the document was waited for; it is not from then on. */
export function takeAwaited(id: string): boolean {
  if (awaitedId !== id) return false;
  awaitedId = null;
  return true;
}

function tabStop(): string | undefined {
  const { tasks } = store.getState();
  if (activeId !== null && activeId in tasks.entities) return activeId;
  const columns = selectColumns(tasks);
  return columnIds.map((column) => columns[column][0]).find((id) => id !== undefined);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  const stop = store.subscribe(listener);
  return () => {
    listeners.delete(listener);
    stop();
  };
}

function notify() {
  for (const listener of listeners) listener();
}
