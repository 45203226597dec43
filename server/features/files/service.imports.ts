// Files that an import adds and removes, many at once and without news.

import { randomUUID } from 'node:crypto';
import type { ActorContext } from '../../context.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { addNames, namesOfFile, saveNames } from '../conflicts/names/service.ts';
import { freeName } from './rules.ts';
import { claimStored, type StoredBlob, sweepPending } from './service.incoming.ts';
import { filesAdopted, toFileEvent } from './service.ts';
import * as store from './store.imports.ts';

/** Stored bytes with their place; a name that is taken there gets a number. */
export type ImportedFile = {
  caseId: string;
  folder: string;
  uploadedBy: string;
  /** When it came; never in the future. */
  at: Date;
  stored: StoredBlob;
};

/** @returns their ids in order @throws Refusal when a sweep removed their bytes */
export async function importFiles(
  context: ActorContext,
  unit: Unit,
  files: readonly ImportedFile[],
): Promise<string[]> {
  if (files.length === 0) return [];
  const folders = await store.ensureFolders(unit.trx, files);
  const taken = await store.listTaken(unit.trx, [...new Set(folders.values())]);
  const rows = files.map(({ stored, ...file }, place): store.NewFileRow => {
    const folder = folders.get(place) ?? '';
    const names = taken.get(folder) ?? new Set();
    const name = freeName(stored.name, names);
    names.add(fold(name));
    return {
      id: randomUUID(),
      case_id: file.caseId,
      folder_id: folder,
      name,
      size: stored.size,
      mime_type: stored.mimeType,
      sha256: stored.sha256,
      blob_key: stored.key,
      uploaded_by: file.uploadedBy,
      created_at: file.at,
    };
  });
  await store.insertFiles(unit.trx, rows);
  await claimStored(
    unit.trx,
    files.map(({ stored }) => stored),
  );
  const names = rows.map(({ id, case_id: caseId, name }) => namesOfFile({ id, caseId, name }));
  await addNames(unit.trx, names);
  const ids = rows.map(({ id }) => id);
  const added = await store.findFiles(unit.trx, ids);
  await unit.recordAll(
    added.map((row) => ({ ...about(row), action: 'imported', after: toFileEvent(row) })),
  );
  await filesAdopted.run(context, unit, context.actor, ids);
  return ids;
}

/** Sizes and hashes of files as they are, by id, locked for the transaction. Deleted ones are left out. */
export async function readImportedFiles(
  trx: Transaction,
  ids: readonly string[],
): Promise<Map<string, { size: number; sha256: Buffer }>> {
  const rows = await store.lockFiles(trx, ids);
  return new Map(rows.map(({ id, size, sha256 }) => [id, { size: Number(size), sha256 }]));
}

/** Removes files as if they had never come, and their bytes after the commit. */
export async function removeImportedFiles(
  context: ActorContext,
  unit: Unit,
  ids: readonly string[],
): Promise<void> {
  const rows = await store.lockFiles(unit.trx, ids);
  const removed = rows.map(({ id }) => id);
  await saveNames(
    unit.trx,
    removed.map((id) => ({ source: 'fileNames', id, names: [] })),
  );
  await store.removeFiles(unit.trx, removed, context.owner);
  await unit.recordAll(
    rows.map((row) => ({ ...about(row), action: 'deleted', before: toFileEvent(row) })),
  );
  unit.afterCommit(() => void sweepPending(context).catch(() => undefined));
}

type ImportTarget = { caseId: string; folder: string; name: string; size: number };

/**
 * Files of the same content under the same name in the same folder, each once, by the place of what was asked.
 * @param hashOf SHA-256 of a place, which is asked only where name and size are the same; undefined where size suffices
 */
export async function findSameFiles(
  db: Scoped,
  asked: readonly ImportTarget[],
  hashOf: (place: number) => Promise<Buffer | undefined>,
): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  const taken = new Set<string>();
  for (const { place, id, sha256 } of await store.findNamed(db, asked)) {
    if (taken.has(id)) continue;
    const hash = await hashOf(place);
    if (hash && !hash.equals(sha256)) continue;
    found.set(place, id);
    taken.add(id);
  }
  return found;
}

function about({ id, case_id: caseId }: { id: string; case_id: string }) {
  return { entity: 'file', entityId: id, caseId } as const;
}
