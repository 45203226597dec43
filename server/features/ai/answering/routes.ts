// Questions: from ranked passages to an answer with verbatim citations.

import { aiRoutes } from '@matterdesk/contract/ai.ts';
import type { BareRefusal } from '@matterdesk/contract/errors.ts';
import type { Binder } from '../../../http/bind.ts';
import { sendEvents, signalOf, wantsEvents } from '../../../http/streams.ts';
import { askFiles, completeAnswer } from './service.ts';

export function serveAsking(binder: Binder) {
  const { ask } = aiRoutes;
  binder.serve(
    { ask },
    {
      ask: async ({ context, body, request, reply }) => {
        const isFollowed = wantsEvents(request);
        const result = await askFiles(context, body, { signal: signalOf(reply), isFollowed });
        if ('status' in result) {
          await reply.code(409).send({ ...result, code: 'notReady' } satisfies BareRefusal);
          return undefined;
        }
        if (!isFollowed) return completeAnswer(result);
        await sendEvents(reply, result);
        return undefined;
      },
    },
  );
}
