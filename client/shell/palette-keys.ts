const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** How the keys that open the palette are written on this machine. */
export const PALETTE_KEYS = isApple ? '⌘K' : 'Ctrl K';

export function opensPalette(event: KeyboardEvent): boolean {
  return event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey;
}
