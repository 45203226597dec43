// Text messages, by Twilio.

import { messageRoutes } from '@matterdesk/contract/messages.ts';
import type { ActorContext } from '../../context.ts';
import type { Binder, Guard } from '../../http/bind.ts';
import { sendContent } from '../../http/content.ts';
import {
  exportConversation,
  listConversations,
  readConsent,
  readConversation,
} from './conversations/service.ts';
import { readMedia } from './media/service.ts';
import {
  buyNumber,
  listNumberOffers,
  readNumber,
  requireOwnEmail,
  requireOwnNumber,
} from './numbers/service.ts';
import { sendText } from './sending/service.ts';

export function serveMessages(binder: Binder) {
  const fromOwn = guardOf('from', requireOwnNumber);
  const byOwnEmail = guardOf('email', ({ actor }, email) => requireOwnEmail(actor, email));
  binder.serve(messageRoutes, {
    listConversations: ({ context }) => listConversations(context),
    readHistory: { guard: fromOwn, handle: ({ context, body }) => readConversation(context, body) },
    sendText: {
      guard: fromOwn,
      handle: ({ context, body, once }) => sendText(context, body, once),
    },
    listOffers: ({ context, query }) => listNumberOffers(context, query),
    buyNumber: {
      guard: byOwnEmail,
      handle: ({ context, body, once }) => buyNumber(context, body, once),
    },
    exportConversation: {
      guard: fromOwn,
      handle: ({ context, body }) => exportConversation(context, body),
    },
    readNumber: ({ context }) => readNumber(context),
    readConsent: ({ context, query }) => readConsent(context, query),
    readMedia: async ({ context, params, note, request, reply }) => {
      const content = await readMedia(context, params.mediaId);
      await sendContent(content, { isDownload: false, note, request, reply });
      return undefined;
    },
  });
}

/** Guards a member that names the caller's own number or address; validation refuses other types later. */
function guardOf(member: string, check: (context: ActorContext, text: string) => unknown) {
  return (async ({ context, json }: { context: ActorContext; json: unknown }) => {
    const members = new Map(Object.entries((json ?? {}) as Record<string, unknown>));
    const named = members.get(member);
    if (typeof named === 'string' && named.trim() !== '') await check(context, named.trim());
  }) satisfies Guard<typeof messageRoutes.sendText>;
}
