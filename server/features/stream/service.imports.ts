// Entries that an import adds, changes and removes, many at once and without notices.

import { randomUUID } from 'node:crypto';
import { type CallInput, type EntryKind, PINS_MAX } from '@matterdesk/contract/stream.ts';
import { mapInSlices } from '../../core/time-slices.ts';
import type { AuditEntry } from '../../db/audit.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import * as rules from './rules.imports.ts';
import { about, searchedText, toRecord } from './service.entries.ts';
import * as store from './store.imports.ts';

/** A note or, with `call`, a call; its text may be longer than one entry takes. */
export type ImportedEntry = {
  caseId: string;
  authorId: string;
  text: string;
  /** Never in the future. */
  at: Date;
  call: CallInput | null;
  /** A memo or a filing; without it, a note. */
  kind?: Exclude<EntryKind, 'call'>;
  /** Ids of users, whom nothing notifies. */
  mentions?: readonly string[];
  /** On top of its matter, as far as that has a pin left. */
  isPinned?: boolean;
};
export type PinnedNote = Pick<ImportedEntry, 'caseId' | 'authorId' | 'text' | 'at'>;
export type EntryChange = { id: string } & Partial<Pick<ImportedEntry, 'text' | 'at' | 'call'>>;
type KnownEntry = Pick<ImportedEntry, 'text' | 'at' | 'call'>;

const EDITED = 'It was edited, and its earlier text stays';
const USED = 'A task, an event or a deadline was made from it';

/** @returns their ids in order; a text that became several entries has the id of the first one */
export async function importEntries(
  unit: Unit,
  entries: readonly ImportedEntry[],
): Promise<string[]> {
  const now = new Date();
  const added = (await withPins(unit, entries)).map((entry) => ({ id: randomUUID(), entry }));
  const rows = await mapInSlices(added, ({ id, entry }) =>
    rowsOf(id, entry, entry.isPinned ? now : null),
  );
  await insertRows(unit, rows.flat());
  return added.map(({ id }) => id);
}

/** Notes on top of their matters, as far as these have a pin left. @returns their ids in order */
export function importPinnedNotes(unit: Unit, notes: readonly PinnedNote[]): Promise<string[]> {
  return importEntries(
    unit,
    notes.map((note) => ({ ...note, call: null, isPinned: true })),
  );
}

/** Takes the pins that no matter has left. */
async function withPins(
  { trx }: Unit,
  entries: readonly ImportedEntry[],
): Promise<ImportedEntry[]> {
  const asked = entries.filter(({ isPinned }) => isPinned).map(({ caseId }) => caseId);
  if (asked.length === 0) return [...entries];
  const pins = await store.countPins(trx, asked);
  return entries.map((entry) => {
    if (!entry.isPinned) return entry;
    const before = pins.get(entry.caseId) ?? 0;
    pins.set(entry.caseId, before + 1);
    return { ...entry, isPinned: before < PINS_MAX };
  });
}

/** Only the first piece of a text is pinned, and a call. */
function rowsOf(id: string, entry: ImportedEntry, pinnedAt: Date | null): store.NewRow[] {
  return rules.piecesOf(entry.text).map((text, index) => {
    const call = index === 0 ? entry.call : null;
    return {
      id: index === 0 ? id : rules.idOfPiece(id, index + 1),
      case_id: entry.caseId,
      kind: entry.call ? (call ? 'call' : 'note') : (entry.kind ?? 'note'),
      text,
      search_text: searchedText({ text, call, answer: null }),
      at: rules.timeOfPiece(entry.at, index),
      author_id: entry.authorId,
      call,
      mentions: index === 0 ? [...(entry.mentions ?? [])] : [],
      pinned_at: index === 0 ? pinnedAt : null,
    };
  });
}

async function insertRows(unit: Unit, rows: readonly store.NewRow[]): Promise<void> {
  if (rows.length === 0) return;
  await store.insertEntries(unit.trx, rows);
  await unit.recordAll(
    rows.map((row) => ({ ...aboutRow(row), action: 'imported', after: recordOf(row) })),
  );
}

/** Entries as they are, by id, locked for the transaction. Deleted ones are left out. */
export async function readImportedEntries(
  trx: Transaction,
  ids: readonly string[],
): Promise<Map<string, KnownEntry>> {
  const texts = await lockTexts(trx, ids);
  return new Map(
    [...texts].flatMap(([id, { first, pieces }]) => {
      if (first.deleted_at) return [];
      const whole = pieces.every((piece) => piece && !piece.deleted_at)
        ? rules.joinPieces(pieces.map((piece) => piece?.text ?? ''))
        : undefined;
      return [[id, { text: whole ?? first.text, at: first.at, call: first.call }] as const];
    }),
  );
}

/** The entries of a text; some may be missing. */
type LockedText = { first: store.LockedRow; pieces: (store.LockedRow | undefined)[] };

/** @param least pieces that a text will have, where a change adds some */
async function lockTexts(
  trx: Transaction,
  ids: readonly string[],
  least: ReadonlyMap<string, number> = new Map(),
): Promise<Map<string, LockedText>> {
  const firsts = await store.lockEntries(trx, ids);
  const idsOf = new Map(
    firsts.map(({ id, text }) => [
      id,
      rules.idsOfPieces(id, Math.max(rules.countPieces(text), least.get(id) ?? 1)),
    ]),
  );
  const later = [...idsOf.values()].flatMap(([, ...others]) => others);
  const others = later.length > 0 ? await store.lockEntries(trx, later) : [];
  const byId = new Map([...firsts, ...others].map((row) => [row.id, row]));
  return new Map(
    firsts.map((first) => {
      const pieces = (idsOf.get(first.id) ?? []).map((id) => byId.get(id));
      return [first.id, { first, pieces }];
    }),
  );
}

/** Edits entries; their earlier texts stay. */
export async function changeImportedEntries(
  unit: Unit,
  changes: readonly EntryChange[],
): Promise<void> {
  const counts = new Map(
    changes.flatMap(({ id, text }) =>
      text === undefined ? [] : [[id, rules.piecesOf(text).length] as const],
    ),
  );
  const texts = await lockTexts(
    unit.trx,
    changes.map(({ id }) => id),
    counts,
  );
  const plan = changes.flatMap((change) => {
    const found = texts.get(change.id);
    return found ? planOf(change, found) : [];
  });
  const edited = plan.flatMap(({ before, after }) => (before && after ? [{ before, after }] : []));
  await store.insertVersions(
    unit.trx,
    edited
      .filter(({ before, after }) => before.text !== after.text && !before.deleted_at)
      .map(({ before: { id: entry_id, text, author_id: by_id, ...row } }) => {
        return { entry_id, text, at: row.edited_at ?? row.entered_at, by_id };
      }),
  );
  await store.updateEntries(
    unit.trx,
    edited.map(({ after }) => after),
  );
  await unit.recordAll(edited.map(toUpdate));
  await insertRows(
    unit,
    plan.flatMap(({ before, after }) => (before ? [] : [after])),
  );
}

type PlannedEntry = {
  before: store.LockedRow | undefined;
  after: store.NewRow & store.EntryUpdate;
};

/** Changes of the pieces of a text: a piece too many is deleted, and one that is missing is added. */
function planOf(change: EntryChange, { first, pieces }: LockedText): PlannedEntry[] {
  const known = pieces.every((piece) => piece && !piece.deleted_at)
    ? rules.joinPieces(pieces.map((piece) => piece?.text ?? ''))
    : first.text;
  const { text = known ?? first.text, at = first.at, call = first.call } = change;
  const own = { mentions: first.mentions, ...(first.kind !== 'call' && { kind: first.kind }) };
  const entry = { caseId: first.case_id, authorId: first.author_id, text, at, call, ...own };
  const now = new Date();
  const rows = rowsOf(first.id, entry, first.pinned_at);
  const kept = rows.map((row, index): PlannedEntry => {
    const before = pieces[index];
    const isSame = before?.text === row.text && !before.deleted_at;
    const edited_at = isSame ? before.edited_at : before ? now : null;
    return { before, after: { ...row, edited_at, deleted_at: null } };
  });
  const surplus = pieces.slice(rows.length).flatMap((before): PlannedEntry[] => {
    if (!before || before.deleted_at) return [];
    const after = { ...before, text: '', search_text: '', edited_at: now, deleted_at: now };
    return [{ before, after }];
  });
  return [...kept, ...surplus];
}

function toUpdate({ before, after }: { before: store.LockedRow; after: store.ImportedRow }) {
  const isDeleted = 'deleted_at' in after && after.deleted_at !== null;
  return {
    ...aboutRow(before),
    action: isDeleted ? 'deleted' : 'updated',
    before: recordOf(before),
    ...(!isDeleted && { after: recordOf(after) }),
  } satisfies AuditEntry;
}

/**
 * Removes entries as if they had never come.
 * @returns why some stay, by id: an earlier text, or what was made from an entry, refers to it
 */
export async function removeImportedEntries(
  unit: Unit,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const texts = await lockTexts(unit.trx, ids);
  const rows = [...texts].flatMap(([id, { pieces }]) =>
    pieces.flatMap((row) => (row ? [{ first: id, row }] : [])),
  );
  const uses = new Map(
    (
      await store.listUses(
        unit.trx,
        rows.map(({ row }) => row.id),
      )
    ).map((use) => [use.id, use]),
  );
  const left = new Map<string, string>();
  for (const { first, row } of rows) {
    const use = uses.get(row.id);
    if (use?.isUsed) left.set(first, USED);
    else if (use?.isEdited || row.deleted_at) left.set(first, EDITED);
  }
  const removed = rows.filter(({ first }) => !left.has(first)).map(({ row }) => row);
  await store.deleteEntries(
    unit.trx,
    removed.map(({ id }) => id),
  );
  await unit.recordAll(
    removed.map((row) => ({ ...aboutRow(row), action: 'deleted', before: recordOf(row) })),
  );
  return left;
}

/** Entries of the same matter, time and text, by the place of what was asked. */
export async function findSameEntries(
  db: Scoped,
  asked: readonly Pick<ImportedEntry, 'caseId' | 'at' | 'text'>[],
): Promise<Map<number, string>> {
  const found = await store.findAt(db, asked);
  const same = found.filter(({ place, text }) => {
    return text === rules.piecesOf(asked[place]?.text ?? '')[0];
  });
  // The first of several, and each once.
  const byPlace = new Map<number, string>();
  const taken = new Set<string>();
  for (const { place, id } of same)
    if (!byPlace.has(place) && !taken.has(id)) {
      byPlace.set(place, id);
      taken.add(id);
    }
  return byPlace;
}

function aboutRow({ id, case_id: caseId }: Pick<store.ImportedRow, 'id' | 'case_id'>) {
  return about({ id, case: caseId });
}

function recordOf({ kind, text, at, call, pinned_at: pinnedAt }: store.ImportedRow) {
  return toRecord({
    kind,
    text,
    at: at.toISOString(),
    call: call && { ...call, contact: null },
    answer: null,
    mentions: [],
    files: [],
    pinned: pinnedAt !== null,
  });
}
