import { conversations } from './slice.ts';

/** All conversations. Separate from `api.ts`, which a user without a number never loads. */
export const conversationList = conversations.fetchedBy(async (_query: string, fetching) =>
  (await import('./api.ts')).listConversations(fetching),
);
