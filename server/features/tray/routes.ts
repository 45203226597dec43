import { trayRoutes } from '@matterdesk/contract/tray.ts';
import type { Binder } from '../../http/bind.ts';
import { sendContent } from '../../http/content.ts';
import { dismissItem, fileItem, listTray, readPaper, requireMayFile, undoItem } from './service.ts';

export function serveTray(binder: Binder) {
  binder.serve(trayRoutes, {
    listTray: ({ context, query }) => listTray(context, query),
    readContent: async ({ context, params, query, note, request, reply }) => {
      const content = await readPaper(context, params.id);
      await sendContent(content, { isDownload: query.download === '1', note, request, reply });
      return undefined;
    },
    fileItem: {
      guard: ({ context, json }) => requireMayFile(context.actor, json),
      handle: ({ context, params, body, once }) =>
        fileItem(context, params.id, { filing: body, once }),
    },
    dismissItem: ({ context, params, body, once }) =>
      dismissItem(context, params.id, { reason: body.reason, once }),
    undoItem: ({ context, params }) => undoItem(context, params.id),
  });
}
