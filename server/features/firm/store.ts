// The settings of the whole firm.

import type { Selectable, Updateable } from 'kysely';
import type { Firm, FirmPatch } from '@matterdesk/contract/firm.ts';
import { zoneNamed } from '@matterdesk/contract/time.ts';
import type { FirmTable } from '../../db/schema-accounts.ts';
import type { Executor, Transaction } from '../../db/schema.ts';

export async function findFirm(db: Executor): Promise<Firm> {
  return toFirm(await db.selectFrom('firm').selectAll().executeTakeFirstOrThrow());
}

/** The same, locked until the transaction ends. */
export async function lockFirm(trx: Transaction): Promise<Firm> {
  return toFirm(await trx.selectFrom('firm').selectAll().forUpdate().executeTakeFirstOrThrow());
}

export async function updateFirm(trx: Transaction, patch: FirmPatch): Promise<Firm> {
  const change = trx.updateTable('firm').set(toRow(patch)).returningAll();
  return toFirm(await change.executeTakeFirstOrThrow());
}

function toFirm(row: Selectable<FirmTable>): Firm {
  return {
    name: row.name,
    address: row.address,
    phone: row.phone,
    letterhead: row.letterhead,
    timeZone: row.time_zone ?? ownZone(),
    morning: row.morning,
    dualControl: row.dual_control,
    secondFactor: row.second_factor,
    idleMinutes: row.idle_minutes,
    trainUploads: row.train_uploads,
    setUp: row.set_up,
  };
}

/** The machine's zone. A server that is set to UTC says nothing about where its firm is. */
function ownZone(): string {
  const zone = zoneNamed(process.env['TZ'] || Intl.DateTimeFormat().resolvedOptions().timeZone);
  return zone === undefined || zone === 'UTC' ? 'America/New_York' : zone;
}

function toRow(patch: FirmPatch): Updateable<FirmTable> {
  return {
    ...(patch.name !== undefined && { name: patch.name }),
    ...(patch.address !== undefined && { address: patch.address }),
    ...(patch.phone !== undefined && { phone: patch.phone }),
    ...(patch.letterhead !== undefined && { letterhead: patch.letterhead }),
    ...(patch.timeZone !== undefined && { time_zone: patch.timeZone }),
    ...(patch.morning !== undefined && { morning: patch.morning }),
    ...(patch.dualControl !== undefined && { dual_control: patch.dualControl }),
    ...(patch.secondFactor !== undefined && { second_factor: patch.secondFactor }),
    ...(patch.idleMinutes !== undefined && { idle_minutes: patch.idleMinutes }),
    ...(patch.trainUploads !== undefined && { train_uploads: patch.trainUploads }),
    ...(patch.setUp !== undefined && { set_up: patch.setUp }),
  };
}
