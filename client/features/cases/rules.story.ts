import type { Activity } from '@matterdesk/contract/cases.ts';

export type ActivityFeed = { entries: Activity[]; nextCursor: string | null };

/** A story with its newest part refetched; older entries stay unless there is a gap. */
export function withNewest(story: ActivityFeed | null, newest: ActivityFeed): ActivityFeed {
  const last = newest.entries.at(-1);
  const at = story?.entries.findIndex(({ id }) => id === last?.id) ?? -1;
  if (!story || at < 0 || newest.nextCursor === null) return newest;
  return {
    entries: [...newest.entries, ...story.entries.slice(at + 1)],
    nextCursor: at === story.entries.length - 1 ? newest.nextCursor : story.nextCursor,
  };
}
