import { useSyncExternalStore } from 'react';
import { columnIds } from '@matterdesk/contract/columns.ts';
import { store } from '../../../core/store.ts';
import { selectCards, selectColumns } from '../slice.ts';

// The board is a single tab stop: the card that last had the focus, else the first. Kept outside React, so
// that of a thousand cards only the two are rendered between which the focus moves.
let activeId: string | null = null;
/** A card that gets the focus as soon as its list has scrolled to it. */
let awaitedId: string | null = null;
const listeners = new Set<() => void>();

export function cardElementId(id: string): string {
  return `task-${id}`;
}

/** Whether this card is the tab stop of the board. */
export function useIsTabStop(id: string): boolean {
  return useSyncExternalStore(subscribe, () => tabStop() === id);
}

/** The card that its list must scroll to. */
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

/** Focuses a card, now or once it is rendered. */
export function focusCard(id: string): void {
  const element = document.getElementById(cardElementId(id));
  activeId = id;
  awaitedId = element ? null : id;
  notify();
  element?.focus();
}

/** Whether the card that was just rendered was waiting for the focus; it no longer is. */
export function takeAwaited(id: string): boolean {
  if (awaitedId !== id) return false;
  awaitedId = null;
  return true;
}

function tabStop(): string | undefined {
  const { tasks } = store.getState();
  if (activeId !== null && activeId in selectCards(tasks)) return activeId;
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
