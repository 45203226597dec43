import { feedRoutes } from '@matterdesk/contract/calendar-exchange.ts';
import type { Binder } from '../../../http/bind.ts';
import { addFeed, listFeeds, readFeed, revokeFeed } from './service.ts';

export function serveFeeds(binder: Binder) {
  binder.serve(feedRoutes, {
    listFeeds: ({ context }) => listFeeds(context),
    addFeed: ({ context, body }) => addFeed(context, body),
    revokeFeed: async ({ context, params }) => {
      await revokeFeed(context, params.id);
      return null;
    },
    readFeed: async ({ context, params, request, reply }) => {
      const { tag, text } = await readFeed(context, params.token, request.headers['if-none-match']);
      void reply.header('etag', tag).header('cache-control', 'private, no-cache');
      if (text) void reply.type('text/calendar; charset=utf-8');
      await reply.code(text ? 200 : 304).send(text ?? undefined);
      return undefined;
    },
  });
}
