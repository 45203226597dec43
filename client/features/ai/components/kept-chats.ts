import type { ChatMessage } from '../rules.ts';

const PREFIX = 'matterdesk-chat-';
const MOST_MESSAGES = 100;

/** What this tab has kept of a conversation; nothing when that cannot be read. */
export function keptMessages(key: string): readonly ChatMessage[] {
  const kept = keptValue<unknown>(key);
  return Array.isArray(kept) ? kept.filter(isMessage) : [];
}

export function keepMessages(key: string, messages: readonly ChatMessage[]): void {
  keepValue(key, messages.slice(-MOST_MESSAGES));
}

export function keptValue<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** A browser that forbids storage, or whose storage is full, keeps nothing; the rest goes on. */
export function keepValue(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Kept as far as the page lives.
  }
}

/** Nothing of a conversation outlives its session. */
export function forgetChats(): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // Then nothing was kept either.
  }
}

function isMessage(one: unknown): one is ChatMessage {
  const { id, message, time, user, answer } = (one ?? {}) as Partial<ChatMessage>;
  const isWhole = typeof id === 'number' && typeof message === 'string' && typeof time === 'string';
  const hasAnswer = answer === undefined || Array.isArray(answer.citations);
  return isWhole && hasAnswer && (user === 1 || user === 2);
}
