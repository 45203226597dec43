const PREFIX = 'matterdesk-tab-';

/** A value that survived a reload of this tab; null when there is none or it is unreadable. */
export function readFromTab(key: string): unknown {
  return (
    tryStorage((): unknown => JSON.parse(sessionStorage.getItem(PREFIX + key) ?? 'null')) ?? null
  );
}

/** The value lasts until the page is closed when storage is forbidden or full. */
export function saveToTab(key: string, value: unknown): void {
  tryStorage(() => sessionStorage.setItem(PREFIX + key, JSON.stringify(value)));
}

/** Clears the tab's storage at the end of the session. */
export function clearTab(): void {
  tryStorage(() => removeKeys(sessionStorage, PREFIX));
}

/** Signing out removes it with the kept stores. */
const ALL_CHANGES = 'redux-all-changes';

/** Whether a user of this browser sees all changes in every stream. */
export function showsAllChanges(user = ''): boolean {
  return user !== '' && tryStorage(() => localStorage.getItem(ALL_CHANGES)) === user;
}

export function keepAllChanges(isOn: boolean, user = ''): void {
  tryStorage(() =>
    isOn ? localStorage.setItem(ALL_CHANGES, user) : localStorage.removeItem(ALL_CHANGES),
  );
}

export function removeKeys(storage: Storage, prefix: string): void {
  for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key);
}

/** Storage may be forbidden, full or corrupt. */
export function tryStorage<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
