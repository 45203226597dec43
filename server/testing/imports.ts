// Imports as their pages drive them.

import { expect } from 'vitest';
import { type Import, importRoutes } from '@matterdesk/contract/imports.ts';
import type { Client } from './client.ts';
import { eventually } from './eventually.ts';
import { sendExport } from './uploads.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

/** Lines of a file, as Windows ends them. */
export const lines = (...rows: readonly string[]): string => `${rows.join('\r\n')}\r\n`;

/** Calls of one administrator. */
export function importsOf(app: Client, { token }: { token: string }) {
  const read = async (id: string): Promise<Import> =>
    (await app.call(importRoutes.readImport, { token, params: { id } })).body.import;
  const change = (id: string, body: object) =>
    app.call(importRoutes.changeImport, { token, params: { id }, body });
  const settled = (id: string): Promise<Import> =>
    eventually(async () => {
      const one = await read(id);
      if (one.state === 'running') throw new Error(`still running: ${JSON.stringify(one)}`);
      return one;
    });
  const act = async (route: 'runImport' | 'undoImport', id: string, dryRun: boolean) => {
    const reply = await app.call(importRoutes[route], { token, params: { id }, body: { dryRun } });
    expect(reply).toMatchObject({ status: 200 });
    return settled(id);
  };
  return {
    read,
    change,
    settled,
    add: async (files: Files, profile = 'clio'): Promise<Import> => {
      const reply = await sendExport(app, { token, profile }, files);
      expect(reply).toMatchObject({ status: 201 });
      return reply.body.import;
    },
    run: (id: string, dryRun = false) => act('runImport', id, dryRun),
    undo: (id: string, dryRun = false) => act('undoImport', id, dryRun),
    stop: (id: string) => app.call(importRoutes.stopImport, { token, params: { id } }),
  };
}
