import { unread } from './slice.ts';

/** The number of unread mails in the inbox. Separate from `api.ts`, which a user without a mailbox never loads. */
export const unreadCount = unread.fetchedBy(async (_query: string, { signal }) =>
  (await import('./api.ts')).countUnread(signal),
);
