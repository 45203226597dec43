// The pinned note of a matter, with what no field takes. It is undone with the notes of the import.

import type { Transaction } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import {
  changeImportedEntries,
  importPinnedNotes,
  readImportedEntries,
} from '../stream/service.imports.ts';
import type { Run } from './service.kinds.ts';
import * as ids from './store.ids.ts';

/** A text with its matter's id here. */
type Noted = { id: string; text: string };

const keyOf = (caseId: string): string => `matter:${caseId}`;

export async function importNotes(run: Run, unit: Unit, notes: readonly Noted[]): Promise<void> {
  const made = await importPinnedNotes(
    unit,
    notes.map(({ id: caseId, text }) => ({
      caseId,
      text,
      authorId: run.context.actor.id,
      at: run.now,
    })),
  );
  const records = notes.map(({ id }, at) => ({
    external_id: keyOf(id),
    id: made[at] ?? '',
    name: `From ${run.system}`,
    names: [],
    row_hash: '',
    fields: {},
    import_id: run.importId,
    is_made: true,
  }));
  await ids.insertRecords(unit.trx, { source: run.source, kind: 'notes' }, records);
}

/** Texts of pinned notes, by matter. */
export async function notesOf(
  trx: Transaction,
  caseIds: readonly string[],
): Promise<Map<string, string>> {
  const found = await ids.findOfAnySource(trx, 'notes', caseIds.map(keyOf));
  const entries = await readImportedEntries(trx, [...found.values()]);
  return new Map(
    caseIds.flatMap((id) => {
      const entry = entries.get(found.get(keyOf(id)) ?? '');
      return entry ? [[id, entry.text] as const] : [];
    }),
  );
}

/** Changes the pinned notes of matters, and adds those that are missing. */
export async function changeNotes(run: Run, unit: Unit, notes: readonly Noted[]): Promise<void> {
  const found = await ids.findOfAnySource(
    unit.trx,
    'notes',
    notes.map(({ id }) => keyOf(id)),
  );
  const known = notes.flatMap(({ id, text }) => {
    const entry = found.get(keyOf(id));
    return entry === undefined ? [] : [{ id: entry, text }];
  });
  await changeImportedEntries(unit, known);
  await importNotes(
    run,
    unit,
    notes.filter(({ id }) => !found.has(keyOf(id))),
  );
}
