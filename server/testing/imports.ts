// Imports as their pages drive them.

import { Readable } from 'node:stream';
import { expect } from 'vitest';
import { type Import, importRoutes } from '@matterdesk/contract/imports.ts';
import { type ActorContext, write } from '../context.ts';
import { actorFor } from '../features/accounts/service.ts';
import {
  type Draft,
  type Kind,
  type RefusedRow,
  type Run,
  type Values,
  isRefused,
} from '../features/imports/service.kinds.ts';
import type { SourceRow } from '../integrations/exports/source.ts';
import type { TestApp } from './app.ts';
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

type Named = Record<string, string>;
type Own = Partial<Run> & { matters?: Named; people?: Named; contacts?: Named };

/** A run of a kind by itself, with what its rows may name. */
export async function runOf(app: TestApp, by: { id: string }, own: Own = {}): Promise<Run> {
  const { matters = {}, people = {}, contacts = {}, ...others } = own;
  const actor = await actorFor(app.db, by.id);
  if (!actor) throw new Error('no such user');
  const context: ActorContext = { ...app.context, actor };
  const known: Record<string, Named> = { matters, people, contacts };
  const find = (kind: string, names: readonly string[]) => {
    const found = names.flatMap((name) => {
      const id = known[kind]?.[name];
      return id === undefined ? [] : [[name, id] as const];
    });
    return Promise.resolve(new Map(found));
  };
  return {
    context,
    importId: '0c7a2f9e-3f9c-4a53-9d0a-5d1f5c2f7a11',
    source: 'clio',
    system: 'Clio',
    isDry: false,
    tables: { status: {}, type: {}, people: {} },
    dates: 'mdy',
    timeZone: 'America/New_York',
    references: { byId: find, byName: find },
    now: new Date(),
    ...others,
  };
}

let count = 1;

/** A row of a table. */
export function rowOf(cells: Named, rest: Named = {}): SourceRow {
  count += 1;
  return { file: 'rows.csv', row: count, cells, rest };
}

/** A row that is a whole file. */
export function fileOf(cells: Named, text: string | Buffer): SourceRow {
  const bytes = Buffer.from(text);
  const open = () => Promise.resolve(Readable.from([bytes], { objectMode: false }));
  return { ...rowOf(cells), bytes: { size: bytes.length, open } };
}

type ImportedRows = {
  drafts: Draft[];
  ids: string[];
  refused: RefusedRow[];
  matched: Map<number, string>;
};

/** Drafts rows and inserts those that are not here, as the engine does. */
export async function importRows(
  kind: Kind,
  run: Run,
  rows: readonly SourceRow[],
): Promise<ImportedRows> {
  const all = await kind.draft(run, rows);
  const wanted = all.flatMap((draft) => (isRefused(draft) ? [] : [draft]));
  const prepared = await kind.prepare?.(run, wanted);
  const bad = new Set(prepared?.refused.map(({ row }) => row));
  const refused = [...all.filter(isRefused), ...(prepared?.refused ?? [])];
  const drafts = wanted.filter(({ row }) => !bad.has(row));
  const written = write(run.context, async (unit) => {
    const matched = await kind.match(run, unit.trx, drafts);
    const fresh = drafts.filter((_, place) => !matched.has(place));
    return { drafts, matched, refused, ids: await kind.insert(run, unit, fresh) };
  });
  try {
    return await written;
  } finally {
    await prepared?.release();
  }
}

/** Values of records as they are, which a draft of an untouched record has too. */
export async function valuesOf(kind: Kind, run: Run, ids: readonly string[]): Promise<Values[]> {
  const found = await write(run.context, ({ trx }) => kind.current(trx, ids));
  return ids.map((id) => found.get(id)).filter((values) => values !== undefined);
}

type Change = { id: string; values: Values; draft: Draft };

export async function change(kind: Kind, run: Run, changes: readonly Change[]): Promise<void> {
  const prepared = await kind.prepare?.(
    run,
    changes.map(({ draft }) => draft),
  );
  const written = write(run.context, (unit) => kind.update(run, unit, changes));
  try {
    await written;
  } finally {
    await prepared?.release();
  }
}

export function remove(kind: Kind, run: Run, ids: readonly string[]): Promise<Map<string, string>> {
  return write(run.context, (unit) => kind.remove(run, unit, ids));
}

export async function draftOf(kind: Kind, run: Run, row: SourceRow): Promise<Draft> {
  const [draft] = await kind.draft(run, [row]);
  if (!draft || isRefused(draft)) throw new Error(draft?.message ?? 'no draft');
  return draft;
}
