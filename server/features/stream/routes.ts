import { streamRoutes, textFilingRoutes } from '@matterdesk/contract/stream.ts';
import type { Binder } from '../../http/bind.ts';
import {
  addEntry,
  changeEntry,
  deleteEntry,
  moveEntry,
  pinEntry,
  readEntry,
  requireMayEdit,
  requireMayPlace,
} from './service.entries.ts';
import { printStream } from './service.print.ts';
import { fileTexts, unfileTexts } from './service.texts.ts';
import { lookForCallers, readStream } from './service.ts';

export function serveStream(binder: Binder) {
  binder.serve(streamRoutes, {
    readStream: ({ context, params, query }) => readStream(context, params.id, query),
    printStream: ({ context, params, body }) => printStream(context, params.id, body),
    addEntry: async ({ context, params, body, once }) => ({
      entry: await addEntry(context, params.id, { input: body, once }),
    }),
    readEntry: ({ context, params }) => readEntry(context, params.id),
    changeEntry: {
      guard: ({ context, params }) => requireMayEdit(context, params.id),
      handle: async ({ context, params, body }) => ({
        entry: await changeEntry(context, params.id, body),
      }),
    },
    deleteEntry: async ({ context, params }) => ({ entry: await deleteEntry(context, params.id) }),
    pinEntry: {
      guard: ({ context, params }) => requireMayPlace(context, params.id),
      handle: async ({ context, params, body }) => ({
        entry: await pinEntry(context, params.id, body.pinned),
      }),
    },
    moveEntry: {
      guard: ({ context, params }) => requireMayPlace(context, params.id),
      handle: async ({ context, params, body }) => ({
        entry: await moveEntry(context, params.id, body),
      }),
    },
    lookForCallers: ({ context, query }) => lookForCallers(context, query.q),
  });
  binder.serve(textFilingRoutes, {
    fileTexts: ({ context, body }) => fileTexts(context, body),
    unfileTexts: ({ context, body }) => unfileTexts(context, body),
  });
}
