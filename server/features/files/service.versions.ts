// Versions of a file: a new content keeps the file's name and URL, and the earlier contents stay.

import type { FileEvent, FileVersion } from '@matterdesk/contract/files.ts';
import { type ActorContext, asActor, hook, write } from '../../context.ts';
import type { Actor } from '../../core/actor.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { Reservation } from '../storage/service.ts';
import * as rules from './rules.ts';
import {
  storeFiles,
  claimStored,
  type IncomingParts,
  orStorageRefusal,
  type StoredBlob,
} from './service.incoming.ts';
import { openFile, toFileEvent } from './service.ts';
import * as store from './store.ts';

/** Versions of a file, which are listed at once. */
const MAX_VERSIONS = 500;

type ReplacedFile = { id: string; wasTrained: boolean };
type ContentUpload = { parts: IncomingParts; length: number | undefined };
/** `restored` is the earlier version that the content is from. */
type VersionUpload = ContentUpload & { row: store.FileRow; restored?: number };

/** A file with a new content, in the write that makes it; its former training is taken back. */
export const contentReplaced = hook<[unit: Unit, actor: Actor, replaced: ReplacedFile]>();

/** Newest first. @throws Refusal notFound */
export async function listFileVersions(
  context: ActorContext,
  address: rules.FileAddress,
): Promise<{ versions: FileVersion[] }> {
  const { row } = await openFile(context, address);
  const rows = await store.listVersions(asActor(context), row.id);
  return {
    versions: rows.map((version) => ({
      n: version.version,
      by: {
        id: version.uploaded_by,
        firstName: version.first_name,
        lastName: version.last_name,
      },
      at: version.uploaded_at.toISOString(),
      size: Number(version.size),
      mimeType: version.mime_type,
      sha256: version.sha256.toString('hex'),
      trained: version.is_trained,
    })),
  };
}

/**
 * Stores a new content of a file. Everyone who may upload to its case may add one.
 * @throws Refusal notFound, invalidInput, tooLarge, storageFull; alreadyExists for the newest content itself
 */
export async function addFileVersion(
  context: ActorContext,
  address: rules.FileAddress,
  { parts, length }: ContentUpload,
): Promise<FileEvent> {
  const { row } = await openFile(context, address);
  return acceptVersion(context, { row, parts: sameKind(parts, row.name), length });
}

/** Makes a copy of an earlier content the newest version. @throws Refusal as `addFileVersion` */
export async function restoreFileVersion(
  context: ActorContext,
  address: rules.FileAddress,
  version: number,
): Promise<FileEvent> {
  const { row } = await openFile(context, address);
  const earlier = await openFile(context, address, version);
  requireOtherContent(row, earlier.row.sha256);
  async function* parts() {
    const bytes = await orStorageRefusal(context.blobs.read(earlier.row.blob_key));
    yield { name: row.name, bytes };
  }
  const sending = { parts: parts(), length: earlier.size };
  return acceptVersion(context, { ...sending, row, restored: version });
}

function acceptVersion(context: ActorContext, upload: VersionUpload): Promise<FileEvent> {
  const { row, parts, length } = upload;
  const reservation = new Reservation(context, length);
  return storeFiles(context, { parts, reservation }, async ([stored]) => {
    if (!stored) throw invalidField('attachments', 'Choose a file');
    return write(context, (unit) => replace(context, unit, { ...upload, stored, id: row.id }));
  });
}

/** Makes stored bytes the newest content of a file, as part of another write. @returns false where they are that already */
export async function addStoredVersion(
  context: ActorContext,
  unit: Unit,
  { id, stored }: { id: string; stored: StoredBlob },
): Promise<boolean> {
  const before = await store.findFileById(unit.trx, id);
  if (!before || before.sha256.equals(stored.sha256)) return false;
  await replace(context, unit, { id, stored });
  return true;
}

async function replace(
  context: ActorContext,
  unit: Unit,
  { id, stored, restored }: Pick<VersionUpload, 'restored'> & { id: string; stored: StoredBlob },
): Promise<FileEvent> {
  const before = (await store.lockFile(unit.trx, id)) && (await store.findFileById(unit.trx, id));
  if (!before) throw notFound('File');
  requireOtherContent(before, stored.sha256);
  if (before.version >= MAX_VERSIONS)
    throw new Refusal('conflict', `A file has at most ${MAX_VERSIONS} versions`);
  const { key: blob_key, size, sha256, mimeType: mime_type } = stored;
  const content = { blob_key, size, sha256, mime_type, uploaded_by: context.actor.id };
  const wasTrained = await store.replaceContent(unit.trx, id, content);
  await claimStored(unit.trx, [stored]);
  const after = await findEvent(unit, id);
  await unit.record({
    action: 'updated',
    entity: 'file',
    entityId: id,
    caseId: before.case_id,
    before: stateOf(toFileEvent(before)),
    after: { ...stateOf(after), ...(restored !== undefined && { restoredFrom: restored }) },
  });
  unit.emit('file.uploaded', after);
  await contentReplaced.run(context, unit, context.actor, { id, wasTrained });
  return findEvent(unit, id);
}

function stateOf({ name, version, size, sha256 }: FileEvent) {
  return { name, version, size, sha256 };
}

async function findEvent(unit: Unit, id: string): Promise<FileEvent> {
  const row = await store.findFileById(unit.trx, id);
  if (!row) throw notFound('File');
  return toFileEvent(row);
}

function requireOtherContent({ sha256 }: store.FileRow, other: Buffer): void {
  if (sha256.equals(other))
    throw new Refusal('alreadyExists', 'The newest version has this content already');
}

/** A file keeps its name, so a new version must be of the kind that the name says. */
async function* sameKind(parts: IncomingParts, name: string): IncomingParts {
  for await (const part of parts) {
    const kind = rules.extensionOf(name);
    if ('name' in part && rules.extensionOf(part.name) !== kind)
      throw invalidField(
        'attachments',
        kind === ''
          ? `A new version of ${name} must have no file extension either`
          : `A new version of ${name} must be a ${kind} file`,
      );
    yield part;
  }
}
