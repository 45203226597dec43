import {
  type Import,
  type ImportMapping,
  type ImportProfile,
  importRoutes,
  type ImportTables,
} from '@matterdesk/contract/imports.ts';
import type { RouteReply } from '@matterdesk/contract/route.ts';
import { call } from '../../api.ts';
import { everythingStale } from '../../core/connection.ts';
import { mutation } from '../../core/mutation.ts';
import { store } from '../../core/store.ts';
import { pathOf } from './rules.ts';
import { ALL, importList, importReceived, received } from './slice.ts';

type Reply = RouteReply<typeof importRoutes.readImport>;

const keep = (reply: Reply) => store.dispatch(importReceived(received(reply)));

type ImportUpload = {
  profile: ImportProfile;
  files: readonly File[];
  /** Below the server's folder of exports, in place of files. */
  dir: string;
  signal: AbortSignal;
  onProgress: (share: number) => void;
};

/** @throws CallError without a toast, which the page shows */
export async function addImport({
  profile,
  files,
  dir,
  signal,
  onProgress,
}: ImportUpload): Promise<Import> {
  const form = new FormData();
  form.set('profile', profile);
  if (dir !== '') form.set('dir', dir);
  // A file out of a chosen folder goes with its path there.
  for (const file of files) form.append('files', file, pathOf(file));
  const reply = await call(importRoutes.addImport, { form, signal, onProgress, toasts: 'none' });
  store.dispatch(importList.invalidated(ALL));
  keep(reply);
  return reply.import;
}

export async function changeImport(
  id: string,
  body: { mapping?: ImportMapping; tables?: ImportTables },
): Promise<void> {
  await sendChange({ params: { id }, body });
}

const sendChange = mutation(importRoutes.changeImport, 'Couldn’t save the columns', {
  toasts: 'errors',
  done: keep,
});

export const runImport = mutation(importRoutes.runImport, 'Couldn’t start', {
  toasts: 'errors',
  done: keep,
});

export const stopImport = mutation(importRoutes.stopImport, 'Couldn’t stop', {
  toasts: 'errors',
  done: (reply) => {
    keep(reply);
    // The event reaches other browsers only.
    store.dispatch(everythingStale());
  },
});

export const undoImport = mutation(importRoutes.undoImport, 'Couldn’t undo the import', {
  toasts: 'errors',
  done: keep,
});
