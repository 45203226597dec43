// Documents and mails of an import. Their bytes are stored before the transaction that makes them files.

import { createHash } from 'node:crypto';
import type { ActorContext } from '../../context.ts';
import { Refusal } from '../../core/refusal.ts';
import type { SourceRow } from '../../integrations/exports/source.ts';
import {
  findSameFiles,
  importFiles,
  readImportedFiles,
  removeImportedFiles,
} from '../files/service.imports.ts';
import { releaseStored, type StoredBlob, storeIncoming } from '../files/service.incoming.ts';
import { addStoredVersion } from '../files/service.versions.ts';
import { FOLDER, nameOfMail } from '../mails/read/service.filing.ts';
import { Reservation } from '../storage/service.ts';
import { plainLine, momentOf, notADate } from './rules.cells.ts';
import * as rules from './rules.ts';
import { folderOf, nameOf } from './rules.ts';
import type { Draft, Kind, PreparedDrafts, RefusedRow, Run } from './service.kinds.ts';
import { authorOf, findMatters, findPeople, withoutMatter } from './service.references.ts';

/** Files in a transaction: each may be queued for its training there. */
const MAX_FILES = 100;
/** Bytes up to which a dry run hashes what may be here already. */
const MAX_HASHED_BYTES = 200 * 1024 * 1024;
const ABSENT = 'The file is not in the export';
const UNREADABLE = 'The file could not be read';

/** A file with its place, and its bytes once they are stored. */
type Filing = {
  caseId: string;
  folder: string;
  name: string;
  uploadedBy: string;
  at: Date;
  bytes: NonNullable<SourceRow['bytes']>;
  stored?: StoredBlob;
};

function filingIn({ extra }: Draft): Filing {
  return extra as Filing;
}

async function draftDocuments(
  run: Run,
  rows: readonly SourceRow[],
): Promise<(Draft | RefusedRow)[]> {
  const matters = await findMatters(run, rows);
  const person = await findPeople(run, rows, 'author');
  return rows.map((row) => {
    const { cells, bytes } = row;
    const caseId = matters.get(row);
    if (caseId === undefined) return withoutMatter(row);
    if (!bytes) return { row, field: 'path', message: ABSENT };
    const at = timeOf(run, row);
    if ('message' in at) return at;
    const path = cells['path'] ?? row.file;
    const name = rules.nameOf(cells['name'], path);
    const folder = rules.folderOf(cells['folder']);
    const uploadedBy = authorOf(run, row, person).authorId;
    const extra: Filing = { caseId, folder, name, uploadedBy, ...at, bytes };
    const named = plainLine(`${folder}/${name}`);
    return { row, key: cells['id'] ?? path, name: named, values: {}, extra };
  });
}

/** When a document came; what is yet to come counts from now. */
function timeOf(run: Run, row: SourceRow): { at: Date } | RefusedRow {
  const written = row.cells['at'];
  if (!written) return { at: run.now };
  const at = momentOf(written, run);
  if (at === null) return { row, field: 'at', message: notADate(written) };
  return { at: new Date(Math.min(Date.parse(at), run.now.getTime())) };
}

/**
 * Stores the bytes of files; a file that cannot be read is refused. A dry run stores none.
 * @throws Refusal storageFull, unavailable
 */
async function storeFilings(
  { context, isDry }: Run,
  drafts: readonly Draft[],
): Promise<PreparedDrafts> {
  if (isDry) return { refused: [], release: () => Promise.resolve() };
  const size = drafts.reduce((sum, draft) => sum + filingIn(draft).bytes.size, 0);
  const reservation = new Reservation(context, size);
  const refused: RefusedRow[] = [];
  const keys: string[] = [];
  const release = () => releaseStored(context, keys);
  try {
    for (const draft of drafts) {
      const stored = await storeFiling(context, filingIn(draft), reservation);
      if (stored) keys.push(stored.key);
      else refused.push({ row: draft.row, field: 'path', message: UNREADABLE });
    }
  } catch (error) {
    await release();
    throw error;
  }
  return { refused, release };
}

/** @returns undefined for bytes that cannot be read */
async function storeFiling(
  context: ActorContext,
  filing: Filing,
  reservation: Reservation,
): Promise<StoredBlob | undefined> {
  const { name } = filing;
  const bytes = await filing.bytes.open().catch(() => undefined);
  if (!bytes) return undefined;
  let isBroken = false;
  bytes.once('error', () => (isBroken = true));
  try {
    filing.stored = await storeIncoming(context, { name, bytes }, reservation);
    return filing.stored;
  } catch (error) {
    if (isBroken && !(error instanceof Refusal)) return undefined;
    throw error;
  }
}

function storedIn(draft: Draft): StoredBlob {
  const { stored } = filingIn(draft);
  if (!stored) throw new Error('the bytes of a file were not stored before its transaction');
  return stored;
}

/** Undefined for bytes that cannot be read. */
async function hashOf({ bytes, stored }: Filing): Promise<Buffer | undefined> {
  if (stored) return stored.sha256;
  const hash = createHash('sha256');
  try {
    for await (const chunk of await bytes.open()) hash.update(chunk as Buffer);
    return hash.digest();
  } catch {
    return undefined;
  }
}

/** Undefined for files too large to hash; an empty hash, which matches nothing, for unreadable ones. */
async function hashToMatch(filing: Filing): Promise<Buffer | undefined> {
  if (!filing.stored && filing.bytes.size > MAX_HASHED_BYTES) return undefined;
  return (await hashOf(filing)) ?? Buffer.alloc(0);
}

/** Gives the drafts their bytes as values. */
async function prepareDocuments(run: Run, drafts: readonly Draft[]): Promise<PreparedDrafts> {
  const { refused, release } = await storeFilings(run, drafts);
  for (const draft of drafts) {
    const { bytes, stored } = filingIn(draft);
    const sha256 = stored || run.isDry ? await hashOf(filingIn(draft)) : undefined;
    if (sha256) draft.values['path'] = contentOf({ size: bytes.size, sha256 });
    else if (run.isDry) refused.push({ row: draft.row, field: 'path', message: UNREADABLE });
  }
  return { refused, release };
}

/** Shown in a conflict. */
function contentOf({ size, sha256 }: { size: number; sha256: Buffer }): string {
  return `${size.toLocaleString('en-US')} bytes, SHA-256 ${sha256.toString('hex')}`;
}

/** Members that documents and mails share. */
const filing: Pick<Kind, 'most' | 'match' | 'prepare' | 'insert' | 'remove'> = {
  most: MAX_FILES,
  match(_run, db, drafts) {
    const filings = drafts.map(filingIn);
    const asked = filings.map(({ bytes, ...place }) => ({ ...place, size: bytes.size }));
    return findSameFiles(db, asked, async (place) => {
      const found = filings[place];
      return found && hashToMatch(found);
    });
  },
  prepare: storeFilings,
  insert: ({ context }, unit, drafts) =>
    importFiles(
      context,
      unit,
      drafts.map((draft) => ({ ...filingIn(draft), stored: storedIn(draft) })),
    ),
  async remove({ context }, unit, ids) {
    await removeImportedFiles(context, unit, ids);
    return new Map();
  },
};

/** A document whose bytes changed there becomes a new version of its file. */
export const documentKind: Kind = {
  kind: 'documents',
  draft: draftDocuments,
  ...filing,
  prepare: prepareDocuments,
  async current(trx, ids) {
    const found = await readImportedFiles(trx, ids);
    return new Map([...found].map(([id, one]) => [id, { path: contentOf(one) }]));
  },
  async update({ context }, unit, changes) {
    for (const { id, draft } of changes)
      await addStoredVersion(context, unit, { id, stored: storedIn(draft) });
  },
};

// Mails of an import, each a file of its matter in the folder for mails, verbatim.

async function draftMails(run: Run, rows: readonly SourceRow[]): Promise<(Draft | RefusedRow)[]> {
  const matters = await findMatters(run, rows);
  const person = await findPeople(run, rows, 'author');
  return rows.map((row) => {
    const { cells, bytes } = row;
    const caseId = matters.get(row);
    if (caseId === undefined) return withoutMatter(row);
    if (!bytes) return { row, field: 'path', message: 'The mail is not in the export' };
    const at = timeOf(run, row);
    if ('message' in at) return at;
    const named = nameOfMail(plainLine(cells['subject']), at.at.toISOString());
    const name = nameOf(cells['name'], cells['name'] ?? named);
    const folder = cells['folder'] === undefined ? FOLDER : folderOf(cells['folder']);
    const uploadedBy = authorOf(run, row, person).authorId;
    const extra: Filing = { caseId, folder, name, uploadedBy, ...at, bytes };
    return { row, key: keyOf(row), name, values: {}, extra };
  });
}

/** The same message is filed once in each matter; one without an id is known by its bytes' place. */
function keyOf({ cells }: SourceRow): string | null {
  const id = cells['id']?.trim().replaceAll(/^<|>$/g, '');
  if (!id) return null;
  return `${id} in ${(cells['matter'] ?? cells['matterName'] ?? '').trim()}`;
}

/** A mail never changes: another copy of it is the same one. */
export const mailKind: Kind = {
  kind: 'mails',
  draft: draftMails,
  ...filing,
  async current(trx, ids) {
    const found = await readImportedFiles(trx, ids);
    return new Map([...found.keys()].map((id) => [id, {}]));
  },
  update: () => Promise.resolve(),
};
