import { viewRoutes } from '@matterdesk/contract/views.ts';
import type { Binder } from '../../http/bind.ts';
import { deleteView, listViews, saveView } from './service.ts';

export function serveViews(binder: Binder) {
  binder.serve(viewRoutes, {
    listViews: ({ context }) => listViews(context),
    saveView: ({ context, body }) => saveView(context, body),
    deleteView: async ({ context, params }) => {
      await deleteView(context, params.id);
      return null;
    },
  });
}
