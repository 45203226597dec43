import { feedRoutes } from '@matterdesk/contract/calendar-feeds.ts';
import type { Binder } from '../../../http/bind.ts';
import type { FeedService } from './service.ts';

export function bindFeeds(binder: Binder, feeds: FeedService) {
  binder.bind(feedRoutes.listFeeds, ({ actor }) => feeds.list(actor));
  binder.bind(feedRoutes.addFeed, ({ actor, body }) => feeds.add(actor, body));
  binder.bind(feedRoutes.revokeFeed, async ({ actor, params }) => {
    await feeds.revoke(actor, params.id);
    return null;
  });
  binder.bind(feedRoutes.readFeed, async ({ params, request, reply }) => {
    const { tag, text } = await feeds.read(params.token, request.headers['if-none-match']);
    void reply.header('etag', tag).header('cache-control', 'private, no-cache');
    if (text) void reply.type('text/calendar; charset=utf-8');
    await reply.code(text ? 200 : 304).send(text ?? undefined);
    return undefined;
  });
}
