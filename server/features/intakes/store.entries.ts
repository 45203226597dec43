import { sql } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { IntakeEntry, IntakeEntryKind } from '@matterdesk/contract/intakes.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import type { IntakeRow } from './store.ts';

/** Entries of an intake that are shown. */
const SHOWN = 500;
const DUPLICATES = 20;

export type NewEntry = {
  by: string | null;
  kind: IntakeEntryKind;
  text: string | null;
  /** Shown to its author alone. */
  isOwn?: boolean;
};

function entries(db: Scoped) {
  return db
    .selectFrom('intake_entries as e')
    .leftJoin('users as u', 'u.id', 'e.by_id')
    .select(['e.id', 'e.at', 'e.by_id', 'e.kind', 'e.text', 'e.is_own'])
    .select(['u.first_name', 'u.last_name']);
}

type EntryRow = {
  id: string;
  at: Date;
  by_id: string | null;
  kind: IntakeEntryKind;
  text: string | null;
  is_own: boolean;
  first_name: string | null;
  last_name: string | null;
};

function toEntry(row: EntryRow, readerId: string): IntakeEntry {
  const { id, kind, by_id: byId, first_name: firstName, last_name: lastName } = row;
  const by: Person | null =
    byId !== null && firstName !== null && lastName !== null
      ? { id: byId, firstName, lastName }
      : null;
  const isHidden = row.is_own && byId !== readerId;
  return { id, at: row.at.toISOString(), by, kind, text: isHidden ? null : row.text };
}

/** Newest first. */
export async function listEntries(db: Scoped, intakeId: string, readerId: string) {
  const rows = await entries(db)
    .where('e.intake_id', '=', intakeId)
    .orderBy('e.id', 'desc')
    .limit(SHOWN)
    .execute();
  return rows.map((row) => toEntry(row, readerId));
}

export async function findEntry(db: Scoped, id: string, readerId: string): Promise<IntakeEntry> {
  return toEntry(await entries(db).where('e.id', '=', id).executeTakeFirstOrThrow(), readerId);
}

/** @returns their ids */
export async function insertEntries(
  trx: Transaction,
  intakeId: string,
  added: NewEntry[],
): Promise<string[]> {
  if (added.length === 0) return [];
  const rows = await trx
    .insertInto('intake_entries')
    .values(
      added.map(({ by, kind, text, isOwn = false }) => ({
        intake_id: intakeId,
        by_id: by,
        kind,
        text,
        is_own: isOwn,
      })),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export type TwinRow = Pick<IntakeRow, 'id' | 'number' | 'stage' | 'closed_at'> & { same: string };

/** Other intakes with the same e-mail, phone or name, which may be the same person. */
export function listTwins(db: Scoped, row: IntakeRow): Promise<TwinRow[]> {
  const email = sql<boolean>`lower(email) = lower(${row.email})`;
  const phone = sql<boolean>`phone_digits = ${row.phone_digits}`;
  const name = sql<boolean>`lower(name) = lower(${row.name})`;
  return db
    .selectFrom('intakes')
    .select(['id', 'number', 'stage', 'closed_at'])
    .select(
      sql<string>`case when ${phone} then 'phone' when ${email} then 'e-mail' else 'name' end`.as(
        'same',
      ),
    )
    .where('id', '!=', row.id)
    .where('is_spam', '=', false)
    .where((eb) => eb.or([email, phone, name]))
    .orderBy('number', 'desc')
    .limit(DUPLICATES)
    .execute();
}

/** Users who are notified of an intake beside those who handle intakes, and who are not. */
export async function findListeners(trx: Transaction, intakeId: string) {
  const rows = await trx
    .selectFrom('intake_access')
    .select(['user_id', 'kind'])
    .where('intake_id', '=', intakeId)
    .where((eb) =>
      eb.or([eb('until', 'is', null), eb('until', '>', sql<Date>`statement_timestamp()`)]),
    )
    .execute();
  const of = (isScreened: boolean) =>
    rows.filter(({ kind }) => (kind === 'screened') === isScreened).map(({ user_id: id }) => id);
  return { added: of(false), screened: of(true) };
}
