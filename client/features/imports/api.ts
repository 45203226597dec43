import {
  type Import,
  type ImportMapping,
  type ImportProfile,
  importRoutes,
  type ImportTables,
} from '@matterdesk/contract/imports.ts';
import type { RouteReply } from '@matterdesk/contract/route.ts';
import { call } from '../../api.ts';
import { socketConnected } from '../../core/connection.ts';
import { mutation } from '../../core/mutation.ts';
import { store } from '../../core/store.ts';
import { pathOf } from './rules.files.ts';
import { ALL, importReceived, lists, ones, profiles, type ReadImport } from './slice.ts';

type Reply = RouteReply<typeof importRoutes.readImport>;

/** Systems that an import can read. */
export const importProfiles = profiles.fetchedBy((_: typeof ALL, { read }) =>
  read(importRoutes.listImportProfiles),
);

/** The newest imports. */
export const importList = lists.fetchedBy(
  async (_: typeof ALL, { read }) => (await read(importRoutes.listImports)).imports,
);

/** An import by its id. */
export const importOf = ones.fetchedBy(async (id: string, { read }) =>
  received(await read(importRoutes.readImport, { params: { id } })),
);

function received(reply: Reply): ReadImport {
  return { import: reply.import, at: Date.now() };
}

const keep = (reply: Reply) => store.dispatch(importReceived(received(reply)));

type Sent = {
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
}: Sent): Promise<Import> {
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
    // The event of it goes to the other browsers; without a connection, the next one fetches again.
    const { id } = store.getState().socket;
    if (id !== null) store.dispatch(socketConnected(id));
  },
});

export const undoImport = mutation(importRoutes.undoImport, 'Couldn’t undo the import', {
  toasts: 'errors',
  done: keep,
});
