import { useSyncExternalStore } from 'react';
import type { CallResult } from '@matterdesk/contract/stream.ts';
import type { Option } from '../ui/option.ts';
import { saveToTab, readFromTab } from './tab-storage.ts';

/** A call that is being logged. It stays through other pages and reloads of this tab. */
export type LoggedCall = {
  /** Milliseconds. */
  startedAt: number;
  /** The length in seconds, once the clock was stopped. */
  seconds: number | null;
  direction: 'in' | 'out';
  /** A typed name or number, while no contact is chosen. */
  typed: string;
  contact: { id: string; name: string } | null;
  number: string | null;
  matter: Option | null;
  result: CallResult | null;
  text: string;
  /** Only a pill with the name and the clock. */
  isSmall: boolean;
};

const KEY = 'call';
const listeners = new Set<() => void>();
let last: { text: string; call: LoggedCall | null } = { text: 'null', call: null };

/** Opens the card with a running clock, or the one that is there. */
export function openCall(known: Partial<LoggedCall> = {}): void {
  const before = loggedCall();
  if (before) return changeCall({ isSmall: false });
  keep({
    startedAt: Date.now(),
    seconds: null,
    direction: 'out',
    typed: '',
    contact: null,
    number: null,
    matter: null,
    result: null,
    text: '',
    isSmall: false,
    ...known,
  });
}

export function changeCall(changes: Partial<LoggedCall>): void {
  const before = loggedCall();
  if (before) keep({ ...before, ...changes });
}

export function closeCall(): void {
  keep(null);
}

export function useLoggedCall(): LoggedCall | null {
  return useSyncExternalStore(subscribe, loggedCall);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function keep(call: LoggedCall | null) {
  saveToTab(KEY, call);
  for (const listener of listeners) listener();
}

/** The end of a session empties the tab's storage, so that it alone says whether there is a call. */
export function loggedCall(): LoggedCall | null {
  const call = readFromTab(KEY) as LoggedCall | null;
  const text = JSON.stringify(call);
  if (text !== last.text) last = { text, call: isCall(call) ? call : null };
  return last.call;
}

function isCall(call: LoggedCall | null): boolean {
  return typeof call?.startedAt === 'number' && typeof call.text === 'string';
}
