import { Resource } from '../../core/resource.ts';
import { conversations } from './slice.ts';

/** All conversations. Separate from `api.ts`, which a user without a number never loads. */
export const conversationList = new Resource(conversations, {
  slice: ({ messages }) => messages,
  kept: 1,
  fetch: async (_query: string, { signal }) => (await import('./api.ts')).listConversations(signal),
});
