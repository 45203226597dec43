import { packRoutes } from '@matterdesk/contract/packs.ts';
import type { Binder } from '../../http/bind.ts';
import { sendContent } from '../../http/content.ts';
import { listPacks, makePack, openVolume, tryPack } from './service.ts';

export function servePacks(binder: Binder) {
  binder.serve(packRoutes, {
    makePack: ({ context, params, body, once, reply }) => {
      if (!body.dryRun) return makePack(context, params.id, { input: body, once });
      void reply.code(packRoutes.makePack.otherStatus);
      return tryPack(context, params.id, body);
    },
    listPacks: ({ context, params }) => listPacks(context, params.id),
    readPackVolume: async ({ context, params, note, request, reply }) => {
      const content = await openVolume(context, params);
      await sendContent(content, { isDownload: true, note, request, reply });
      return undefined;
    },
  });
}
