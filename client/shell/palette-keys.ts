const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The palette's keyboard shortcut as this platform writes it. */
export const PALETTE_KEYS = isApple ? '⌘K' : 'Ctrl K';

export function opensPalette(event: KeyboardEvent): boolean {
  return event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey;
}
