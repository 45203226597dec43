const PREFIX = 'matterdesk-tab-';

/** A value that survived a reload of this tab; null when there is none or it is unreadable. */
export function keptInTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + key) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores nothing when storage is forbidden or full. */
export function keepInTab(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // The value lasts until the page is closed.
  }
}

/** Clears the tab's storage at the end of the session. */
export function forgetTab(): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // Storage is forbidden, so nothing was stored.
  }
}
