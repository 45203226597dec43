import { aiRoutes } from '@matterdesk/contract/ai.ts';
import type { BareRefusal } from '@matterdesk/contract/errors.ts';
import { trainingRoutes } from '@matterdesk/contract/files.ts';
import type { Binder } from '../../http/bind.ts';
import { sendEvents, signalOf, wantsEvents } from '../../http/streams.ts';
import { askFiles, completeAnswer } from './answers/service.ts';
import { checkTraining, trainFile, trainFolder } from './training/service.ts';

export function serveAi(binder: Binder) {
  binder.serve(aiRoutes, {
    train: ({ context, body }) => trainFile(context, body),
    check: ({ context, body }) => checkTraining(context, body),
    ask: async ({ context, body, request, reply }) => {
      const isStreamed = wantsEvents(request);
      const result = await askFiles(context, body, { signal: signalOf(reply), isStreamed });
      if ('status' in result) {
        await reply.code(409).send({ ...result, code: 'notReady' } satisfies BareRefusal);
        return undefined;
      }
      if (!isStreamed) return completeAnswer(result);
      await sendEvents(reply, result);
      return undefined;
    },
  });
}

/** The route that is served where files are, also with an AI host of its own. */
export function serveTrainAll(binder: Binder) {
  binder.serve(trainingRoutes, { trainAll: ({ context, body }) => trainFolder(context, body) });
}
