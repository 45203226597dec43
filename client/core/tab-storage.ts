const PREFIX = 'matterdesk-tab-';

/** What this tab has kept through a reload; null when there is nothing that can be read. */
export function keptInTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + key) ?? 'null');
  } catch {
    return null;
  }
}

/** A browser that forbids storage, or whose storage is full, keeps nothing; the rest goes on. */
export function keepInTab(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Kept as long as the page lives.
  }
}

/** Nothing of it outlives the session. */
export function forgetTab(): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // Then nothing was kept either.
  }
}
