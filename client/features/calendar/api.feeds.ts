import { feedRoutes, type NewFeed } from '@matterdesk/contract/calendar-feeds.ts';
import { call } from '../../api.ts';

export async function listFeeds() {
  return (await call(feedRoutes.listFeeds, { toasts: 'none' })).feeds;
}

/** @returns the feed and its address, which is not shown again */
export function addFeed(body: NewFeed) {
  return call(feedRoutes.addFeed, { body, toasts: 'errors', failing: 'Couldn’t make the feed' });
}

export function revokeFeed(id: string) {
  return call(feedRoutes.revokeFeed, { params: { id }, failing: 'Couldn’t revoke the feed' });
}
