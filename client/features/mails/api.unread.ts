import { Resource } from '../../core/resource.ts';
import { unread } from './slice.ts';

/** How many mails of the inbox are unread. Apart from the rest, which a user without a mailbox never loads. */
export const unreadCount = new Resource(unread, {
  slice: ({ mails }) => mails,
  kept: 1,
  fetch: async (_query: string, { signal }) => (await import('./api.ts')).countUnread(signal),
});
