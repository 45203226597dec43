/** Replies in a row. While an update is under way, machines of both versions reply in turn. */
const MIN_REPLIES = 2;

let repliesOfAnother = 0;
let isNewer = false;
const listeners = new Set<() => void>();

/** @param build the one that replied; null when the reply does not name it */
export function noteBuild(build: string | null): void {
  const own = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;
  if (build === null || own === undefined) return;
  repliesOfAnother = build === own ? 0 : repliesOfAnother + 1;
  const before = isNewer;
  isNewer = repliesOfAnother >= MIN_REPLIES;
  if (isNewer !== before) for (const notify of listeners) notify();
}

/** Whether the server now has another client than this page. */
export function hasNewVersion(): boolean {
  return isNewer;
}

export function subscribeToVersion(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
