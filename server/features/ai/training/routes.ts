import { aiRoutes } from '@matterdesk/contract/ai.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import type { Binder } from '../../../http/bind.ts';
import { checkTraining, trainFile, trainFolder } from './service.ts';

export function serveAi(binder: Binder) {
  const { train, check } = aiRoutes;
  binder.serve(
    { train, check },
    {
      train: ({ context, body }) => trainFile(context, body),
      check: ({ context, body }) => checkTraining(context, body),
    },
  );
}

/** The route that is served where files are, also with an AI host of its own. */
export function serveTrainAll(binder: Binder) {
  const { trainAll } = fileRoutes;
  binder.serve(
    { trainAll },
    {
      trainAll: ({ context, body }) => trainFolder(context, body),
    },
  );
}
