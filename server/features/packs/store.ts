import { sql } from 'kysely';
import type { LeftOut, Pack } from '@matterdesk/contract/packs.ts';
import type { PackedVolume } from '../../db/schema-packs.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { lockName, personJson } from '../../db/statements.ts';
import type { PackRow } from './rules.ts';

type NewPack = {
  caseId: string;
  byId: string;
  parts: Pack['parts'];
  leftOut: LeftOut;
  files: number;
  bytes: number;
};

/** The hourly round removes the bytes; a pack is over when it says so. */
const isOver = sql`packs.expires_at < statement_timestamp()`;

function packs(db: Scoped) {
  return db
    .selectFrom('packs')
    .innerJoin('users', 'users.id', 'packs.by_id')
    .select(['packs.id', 'packs.n', 'packs.at', 'packs.parts', 'packs.left_out'])
    .select(sql<Pack['state']>`case when ${isOver} then 'erased' else packs.state end`.as('state'))
    .select(sql<PackedVolume[]>`case when ${isOver} then '[]' else packs.volumes end`.as('volumes'))
    .select(['packs.files', 'packs.bytes', 'packs.manifest_sha256'])
    .select(['packs.expires_at', 'packs.error'])
    .select(personJson('users').as('by'));
}

/** Numbers packs of a matter one after the other, until the transaction ends. */
export function lockPacks(trx: Transaction, caseId: string): Promise<void> {
  return lockName(trx, `matterdesk.packs${caseId}`);
}

export async function insertPack(trx: Transaction, pack: NewPack): Promise<PackRow> {
  const { caseId, byId, parts, leftOut, files, bytes } = pack;
  const { id } = await trx
    .insertInto('packs')
    .values({
      case_id: caseId,
      n: sql<number>`(select coalesce(max(p.n), 0) + 1 from packs p where p.case_id = ${caseId})`,
      by_id: byId,
      parts: JSON.stringify(parts),
      left_out: JSON.stringify(leftOut),
      files,
      bytes,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return packs(trx).where('packs.id', '=', id).executeTakeFirstOrThrow();
}

/** Newest first. */
export function listPacks(db: Scoped, caseId: string, limit: number): Promise<PackRow[]> {
  return packs(db)
    .where('packs.case_id', '=', caseId)
    .orderBy('packs.n', 'desc')
    .limit(limit)
    .execute();
}

export function findPack(
  db: Scoped,
  { caseId, n }: { caseId: string; n: number },
): Promise<PackRow | undefined> {
  return packs(db).where('packs.case_id', '=', caseId).where('packs.n', '=', n).executeTakeFirst();
}

export type WaitingPack = {
  id: string;
  case_id: string;
  case_name: string;
  case_no: string | null;
  n: number;
  by_id: string;
  parts: Pack['parts'];
};

/** A pack that is still to be written, from now on running. */
export async function beginPack(trx: Transaction, id: string): Promise<WaitingPack | undefined> {
  const { rows } = await sql<WaitingPack>`
    update packs p set state = 'running' from cases c
      where p.id = ${id} and p.state in ('waiting', 'running') and c.id = p.case_id
      returning p.id, p.case_id, c.case_name, c.case_no, p.n, p.by_id, p.parts`.execute(trx);
  return rows[0];
}

export type FinishedPack = {
  volumes: PackedVolume[];
  parts: Pack['parts'];
  leftOut: LeftOut;
  files: number;
  bytes: number;
  manifestSha256: Buffer;
  expiresAt: Date;
};

/** @returns false for one that does not run any more */
export async function finishPack(
  trx: Transaction,
  id: string,
  done: FinishedPack,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('packs')
    .set({
      state: 'ready',
      volumes: JSON.stringify(done.volumes),
      parts: JSON.stringify(done.parts),
      left_out: JSON.stringify(done.leftOut),
      files: done.files,
      bytes: done.bytes,
      manifest_sha256: done.manifestSha256,
      expires_at: done.expiresAt,
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function failPack(trx: Transaction, id: string, error: string): Promise<void> {
  await trx
    .updateTable('packs')
    .set({ state: 'failed', error })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .execute();
}

/** Marks what has expired as erased. @returns the keys of its bytes */
export async function eraseExpired(trx: Transaction, limit: number): Promise<string[]> {
  const { rows } = await sql<{ volumes: PackedVolume[] }>`
    with expired as (
      select p.id, p.volumes from packs p where p.state = 'ready' and p.expires_at < statement_timestamp()
        order by p.expires_at limit ${limit} for update of p skip locked)
    update packs p set state = 'erased', volumes = '[]' from expired e where p.id = e.id
      returning e.volumes`.execute(trx);
  return rows.flatMap(({ volumes }) => volumes.map(({ key }) => key));
}
