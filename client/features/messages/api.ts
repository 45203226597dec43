import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { call } from '../../api.ts';
import { mutation } from '../../core/mutation.ts';
import type { Failure, FetchContext } from '../../core/resource.ts';
import { consents, histories, numbers, offers, type Pair } from './slice.ts';

const PAGE = 50;

/** @throws CallError */
export async function listConversations({ read }: FetchContext) {
  return (await read(messageRoutes.listConversations)).conversations;
}

/** The messages between two numbers, from the latest; fetching them marks them as read. */
export const history = histories.fetchedBy(({ from, to }: Pair, { read, cursor }) => {
  const body = { from, to, limit: PAGE, ...(cursor !== undefined && { cursor }) };
  return read(messageRoutes.readHistory, { body });
});

/** A number's latest opt-in or opt-out for texts from the user's number. */
export const consentOf = consents.fetchedBy((to: string, { read }) =>
  read(messageRoutes.readConsent, { query: { to } }),
);

/** The registration state of the user's number, and why its texts may not arrive yet. */
export const ownNumber = numbers.fetchedBy((_number: string, { read }) =>
  read(messageRoutes.readNumber),
);

/** The numbers for sale in an area code; '' for any. */
export const offersIn = offers.fetchedBy(async (areaCode: string, { read }) => {
  const query = { areaCode: areaCode || undefined };
  return (await read(messageRoutes.listOffers, { query })).numbers;
});

/** Marks a conversation as read. */
export function markRead({ from, to }: Pair) {
  return call(messageRoutes.readHistory, { body: { from, to, limit: 1 }, toasts: 'none' });
}

/** @throws CallError without a toast, which the caller shows */
export function sendText(body: Pair & { message: string }, idempotencyKey: string) {
  return call(messageRoutes.sendText, { body, idempotencyKey, toasts: 'none' });
}

/** @throws CallError without a toast, since the page shows the reason */
export function buyNumber(body: { phoneNumber: string; email: string }, idempotencyKey: string) {
  return call(messageRoutes.buyNumber, { body, idempotencyKey, toasts: 'none' });
}

export const exportConversation = mutation(
  messageRoutes.exportConversation,
  'Couldn’t export the conversation',
);

/** The server's message for an expected failure, otherwise the given text. */
export function wordsOf(failure: Failure | null, otherwise: string): string {
  if (!failure) return otherwise;
  if (failure.status === 0) return `${otherwise}: ${failure.message}`;
  const isExplained = failure.code !== undefined && failure.code !== 'unexpected';
  return isExplained ? failure.message : otherwise;
}
