import { messageRoutes } from '@matterdesk/contract/messages.ts';
import type { Binder, Guard } from '../../http/bind.ts';
import type { Actor } from '../../core/actor.ts';
import { sendContent } from '../../http/content.ts';
import type { ExportService } from './service.export.ts';
import type { MediaService } from './media/service.ts';
import type { NumberService } from './numbers/service.ts';
import type { SendingService } from './sending/service.ts';
import type { MessageService } from './service.conversations.ts';

type Services = {
  messages: MessageService;
  numbers: NumberService;
  sending: SendingService;
  media: MediaService;
  transcripts: ExportService;
};
type Asked = { actor: Actor; json: unknown };

export function bindMessages(binder: Binder, services: Services) {
  const { messages, numbers, sending, media, transcripts } = services;
  const fromOwn = guardOf('from', (actor, from) => numbers.requireOwn(actor, from));
  const byOwnEmail = guardOf('email', (actor, email) => numbers.requireOwnEmail(actor, email));
  binder.bind(messageRoutes.listConversations, ({ actor }) => messages.listConversations(actor));
  binder.bind(
    messageRoutes.readHistory,
    ({ actor, body }) => messages.readHistory(actor, body),
    fromOwn,
  );
  binder.bind(
    messageRoutes.sendText,
    ({ actor, body, once }) => sending.send(actor, body, once),
    fromOwn,
  );
  binder.bind(messageRoutes.listOffers, ({ actor, query }) => numbers.listOffers(actor, query));
  binder.bind(
    messageRoutes.buyNumber,
    ({ actor, body, once }) => numbers.buy(actor, body, once),
    byOwnEmail,
  );
  binder.bind(
    messageRoutes.exportConversation,
    ({ actor, body }) => transcripts.exportConversation(actor, body),
    fromOwn,
  );
  binder.bind(messageRoutes.readNumber, ({ actor }) => numbers.readNumber(actor));
  binder.bind(messageRoutes.readConsent, ({ actor, query }) => messages.readConsent(actor, query));
  binder.bind(messageRoutes.readMedia, async ({ actor, params, note, request, reply }) => {
    const content = await media.read(actor, params.mediaId);
    await sendContent(content, { isDownload: false, note, request, reply });
    return undefined;
  });
}

/** Checks that a member names something of the caller's own; validation refuses other types later. */
function guardOf(member: string, check: (actor: Actor, text: string) => unknown) {
  return (async ({ actor, json }: Asked) => {
    const members = new Map(Object.entries((json ?? {}) as Record<string, unknown>));
    const named = members.get(member);
    if (typeof named === 'string' && named.trim() !== '') await check(actor, named.trim());
  }) satisfies Guard<typeof messageRoutes.sendText>;
}
