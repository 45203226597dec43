import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { call, CallError } from '../../api.ts';
import type { Dispatch, RootState } from '../../core/store.ts';
import {
  conversationsAsked,
  conversationsCame,
  conversationsFailed,
  earlierAsked,
  earlierCame,
  earlierFailed,
  historyAsked,
  historyCame,
  historyFailed,
} from './slice.ts';

const PAGE = 50;

type Thunk = (dispatch: Dispatch, getState: () => RootState) => Promise<void>;

/** The two ends of a conversation. */
export type Pair = { from: string; to: string };

/** Reads all conversations into the store. */
export function loadConversations(): Thunk {
  return async (dispatch) => {
    dispatch(conversationsAsked());
    try {
      const reply = await call(messageRoutes.listConversations, { toasts: 'none' });
      dispatch(conversationsCame(reply.conversations));
    } catch {
      dispatch(conversationsFailed());
    }
  };
}

/** Reads the end of a conversation into the store; what it holds is read from then on. */
export function loadHistory(pair: Pair): Thunk {
  return async (dispatch) => {
    dispatch(historyAsked(pair.to));
    try {
      dispatch(historyCame({ number: pair.to, ...(await readPage(pair)) }));
    } catch {
      dispatch(historyFailed(pair.to));
    }
  };
}

/** Tells the server that the end of a conversation has been seen. */
export function markRead({ from, to }: Pair) {
  return call(messageRoutes.readHistory, { body: { from, to, limit: 1 }, toasts: 'none' });
}

/** Reads the page before what is held, unless it is on its way. */
export function growHistory(pair: Pair): Thunk {
  return async (dispatch, getState) => {
    const held = getState().messages.histories[pair.to];
    const after = held?.nextCursor;
    if (!after || held.earlier === 'loading') return;
    dispatch(earlierAsked(pair.to));
    try {
      dispatch(earlierCame({ number: pair.to, after, ...(await readPage(pair, after)) }));
    } catch {
      dispatch(earlierFailed(pair.to));
    }
  };
}

function readPage({ from, to }: Pair, cursor?: string) {
  const body = { from, to, limit: PAGE, ...(cursor !== undefined && { cursor }) };
  return call(messageRoutes.readHistory, { body, toasts: 'none' });
}

/** @throws CallError, for whoever sends to say so */
export function sendText(body: Pair & { message: string }, idempotencyKey: string) {
  return call(messageRoutes.sendText, { body, idempotencyKey, toasts: 'none' });
}

/** How far the registration of the caller's number is, and why its texts may not arrive yet. */
export function readNumber(signal: AbortSignal) {
  return call(messageRoutes.readNumber, { signal, toasts: 'none' });
}

/** What somebody last said about texts from the caller's number. */
export async function readConsent(to: string, signal: AbortSignal) {
  return (await call(messageRoutes.readConsent, { query: { to }, signal, toasts: 'none' })).consent;
}

export function listOffers(areaCode: string | undefined, signal: AbortSignal) {
  return call(messageRoutes.listOffers, { query: { areaCode }, signal, toasts: 'none' });
}

/** @throws CallError, for whoever buys to say so */
export function buyNumber(body: { phoneNumber: string; email: string }, idempotencyKey: string) {
  return call(messageRoutes.buyNumber, { body, idempotencyKey, toasts: 'none' });
}

export function exportConversation(body: Pair & { caseId: string }) {
  return call(messageRoutes.exportConversation, {
    body,
    failing: 'Couldn’t export the conversation',
  });
}

/** The server's words for a failure, else the product's own. */
export function wordsOf(error: unknown, otherwise: string): string {
  if (!(error instanceof CallError)) return otherwise;
  if (error.status === 0) return `${otherwise}: ${error.message}`;
  const isExplained = error.code !== undefined && error.code !== 'unexpected';
  return isExplained ? error.message : otherwise;
}
