const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The palette's keyboard shortcut as this platform writes it. */
export const PALETTE_KEYS = isApple ? '⌘K' : 'Ctrl K';

export function isShortcutsKey(event: KeyboardEvent): boolean {
  return event.key === '?' && !event.metaKey && !event.ctrlKey && !event.altKey;
}

/** The keys that undo the last act, as this platform writes them. */
export const UNDO_KEYS = isApple ? '⌘Z' : 'Ctrl Z';

export function isUndoKey(event: KeyboardEvent): boolean {
  const isPlain = !event.altKey && !event.shiftKey;
  return event.key.toLowerCase() === 'z' && (event.metaKey || event.ctrlKey) && isPlain;
}

export function isPaletteKey(event: KeyboardEvent): boolean {
  return event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey;
}

/** The keys that log a call, as this platform writes them. */
export const CALL_KEYS = isApple ? '⌥C' : 'Alt C';

/** Goes by the key's place: on some keyboards Alt with C is another letter. */
export function isCallKey(event: KeyboardEvent): boolean {
  return event.code === 'KeyC' && event.altKey && !event.ctrlKey && !event.metaKey;
}
