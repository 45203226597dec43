import { externalStore } from '../ui/external-store.ts';

/** Replies in a row. While an update is under way, machines of both versions reply in turn. */
const MIN_REPLIES = 2;

let repliesOfAnother = 0;
const newer = externalStore(false);

/** Whether the server now has another client than this page. */
export const { get: hasNewVersion, subscribe: subscribeToVersion } = newer;

/** @param build the one that replied; null when the reply does not name it */
export function noteBuild(build: string | null): void {
  const own = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;
  if (build === null || own === undefined) return;
  repliesOfAnother = build === own ? 0 : repliesOfAnother + 1;
  newer.set(repliesOfAnother >= MIN_REPLIES);
}
