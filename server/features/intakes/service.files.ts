// Files of intakes, which move to the case when an intake is accepted.

import { intakeFileUrl } from '@matterdesk/contract/intakes.ts';
import { type ActorContext, type Context, asActor, write } from '../../context.ts';
import { notFound } from '../../core/refusal.ts';
import type { Transaction } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Content } from '../../http/content.ts';
import {
  type IncomingParts,
  type StoredBlob,
  acceptFiles,
  claimStored,
} from '../files/service.incoming.ts';
import { freeName, isSafeToShow } from '../files/service.ts';
import { Reservation } from '../storage/service.ts';
import { newEntry, saveIntake, lockIntake, requireIntake } from './service.record.ts';
import * as store from './store.files.ts';

/** A file's intake and name, as in its URL. */
type Address = { id: string; name: string };

/** Stores all files or none. @throws Refusal notFound, invalidInput, tooLarge, storageFull */
export async function addIntakeFiles(
  context: ActorContext,
  id: string,
  { parts, length }: { parts: IncomingParts; length: number | undefined },
): Promise<{ urls: string[] }> {
  const reservation = new Reservation(context, length);
  const placeOf = () => requireIntake(asActor(context), id);
  return acceptFiles(context, { parts, reservation, placeOf }, async (_, stored) => {
    const names = await write(context, async (unit) => {
      const before = await lockIntake(unit.trx, id);
      const added = await attachFiles(unit, id, { stored, by: context.actor.id });
      const entries = added.map((name) => newEntry(context.actor, 'file', name));
      await saveIntake(unit, before, { change: {}, entries, action: 'filed' });
      return added;
    });
    return { urls: names.map((name) => intakeFileUrl(id, name)) };
  });
}

/** Attaches stored bytes to an intake. @returns the files' names, made unique */
export async function attachFiles(
  unit: Unit,
  id: string,
  { stored, by }: { stored: StoredBlob[]; by: string | null },
): Promise<string[]> {
  const taken = await store.takenNames(unit.trx, id);
  const rows = stored.map((file) => {
    const name = freeName(file.name, taken);
    taken.add(fold(name));
    const { key: blob_key, size, sha256, mimeType: mime_type } = file;
    return { intake_id: id, uploaded_by: by, name, size, sha256, mime_type, blob_key };
  });
  await store.insertFiles(unit.trx, rows);
  await claimStored(unit.trx, stored);
  return rows.map(({ name }) => name);
}

/** @throws Refusal notFound */
export async function readIntakeFile(
  context: ActorContext,
  { id, name }: Address,
): Promise<Content> {
  const db = asActor(context);
  await requireIntake(db, id);
  const row = await store.findFile(db, id, name);
  if (!row) throw notFound('File');
  return {
    name: row.name,
    mimeType: row.mime_type,
    isShown: isSafeToShow(row.name, row.mime_type),
    size: Number(row.size),
    about: { entity: 'file', entityId: row.id },
    read: (range) => context.blobs.read(row.blob_key, range),
  };
}

/** @throws Refusal notFound */
export async function deleteIntakeFile(
  context: ActorContext,
  { id, name }: Address,
): Promise<void> {
  await write(context, async (unit) => {
    const before = await lockIntake(unit.trx, id);
    if (!(await store.findFile(unit.trx, id, name))) throw notFound('File');
    await store.deleteFiles(unit.trx, { intakeId: id, name, owner: context.owner });
    await saveIntake(unit, before, { change: {}, action: 'unfiled' });
  });
}

/** Removes all files of an intake; the next sweep deletes their bytes. */
export async function removeIntakeFiles(
  { owner }: Context,
  trx: Transaction,
  intakeId: string,
): Promise<void> {
  await store.deleteFiles(trx, { intakeId, owner });
}
