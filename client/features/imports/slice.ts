import type { PayloadAction } from '@reduxjs/toolkit';
import { type Import, importRoutes } from '@matterdesk/contract/imports.ts';
import type { RouteReply } from '@matterdesk/contract/route.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { type Entries, keyOf, resource } from '../../core/resource.ts';
import { addSlices } from '../../core/store.ts';
import type { Sample } from './rules.ts';

export type Profiles = RouteReply<typeof importRoutes.listImportProfiles>;

/** An import as it was at a moment, in milliseconds. */
export type ReadImport = { import: Import; at: number };
/** Beside it, where the progress of its present kind began to be seen. */
export type ShownImport = ReadImport & { from: Sample | null };

type ImportsState = {
  profiles: Entries<Profiles>;
  lists: Entries<Import[]>;
  imports: Entries<ShownImport, ReadImport>;
};

declare module '../../core/store.ts' {
  interface RootState {
    imports: ImportsState;
  }
}

export const ALL = 'all';

/** Systems that an import can read. */
export const importProfiles = resource({
  kept: 1,
  isFixed: true,
  fetch: (_: typeof ALL, { read }): Promise<Profiles> => read(importRoutes.listImportProfiles),
});

/** The newest imports. */
export const importList = resource({
  kept: 1,
  fetch: async (_: typeof ALL, { read }): Promise<Import[]> =>
    (await read(importRoutes.listImports)).imports,
});

/** An import by its id. */
export const importOf = resource<string, ReadImport, ShownImport, ReadImport>({
  kept: 2,
  fetch: async (id, { read }) => received(await read(importRoutes.readImport, { params: { id } })),
  take: (_, { answer, held }) => ({ data: withStart(held?.data ?? null, answer), cursor: null }),
  apply: (_, { query, data }, event) => (event.import.id === query ? withStart(data, event) : data),
});

/** @param reply of a route that reads or changes an import */
export function received(reply: { import: Import }): ReadImport {
  return { import: reply.import, at: Date.now() };
}

function withStart(before: ShownImport | null, now: ReadImport): ShownImport {
  const { progress } = now.import;
  const from = before?.from ?? null;
  const isSame = from !== null && from.kind === progress?.kind && from.done <= progress.done;
  if (isSame) return { ...now, from };
  return { ...now, from: progress && { kind: progress.kind, done: progress.done, at: now.at } };
}

const slice = featureSlice(
  'imports',
  { profiles: importProfiles, lists: importList, imports: importOf },
  {
    on: {
      /** An answer to a change of this page's. */
      importReceived(state, { payload }: PayloadAction<ReadImport>) {
        importOf.apply(state, payload);
        importList.invalidate(state, keyOf(ALL));
      },
    },
  },
);

export const importsReducer = slice.reducer;
// A firm moves in once: the store of every page would carry it.
addSlices({ imports: importsReducer });
export const { importReceived } = slice.actions;
