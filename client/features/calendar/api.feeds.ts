import { feedRoutes } from '@matterdesk/contract/calendar-exchange.ts';
import { mutation } from '../../core/mutation.ts';
import { readQuietly } from '../../core/use-read.ts';

export async function listFeeds() {
  return (await readQuietly(feedRoutes.listFeeds)).feeds;
}

/** Resolves with the feed and its address, which is not shown again. */
export const addFeed = mutation(feedRoutes.addFeed, 'Couldn’t make the feed', { toasts: 'errors' });

export const revokeFeed = mutation(feedRoutes.revokeFeed, 'Couldn’t revoke the feed');
