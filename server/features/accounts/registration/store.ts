import { type Selectable, sql } from 'kysely';
import type { Invitation, NewInvitation } from '@matterdesk/contract/invitations.ts';
import type { InvitationsTable } from '../../../db/schema-accounts.ts';
import type { Executor, Transaction } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';
import { hashToken, newToken } from '../../../db/secrets.ts';
import { permissionsOf } from '../rules.ts';

/** Milliseconds for which an invitation is open, and for which it is listed after it ended. */
const INVITATION_LIFE_MS = 72 * 3600_000;
const LISTED_AFTER_END_MS = 30 * 24 * 3600_000;

type InvitationRow = Selectable<InvitationsTable>;
type NamedInvitation = InvitationRow & { first_name: string; last_name: string };

const now = sql<Date>`statement_timestamp()`;

export function toInvitation(row: NamedInvitation): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    permissions: permissionsOf(row.role, row.permissions),
    by: { id: row.invited_by, firstName: row.first_name, lastName: row.last_name },
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    usedAt: row.used_at?.toISOString() ?? null,
  };
}

/** Replaces an earlier invitation of the address. */
export async function insertInvitation(
  trx: Transaction,
  { email, role, permissions = {} }: NewInvitation,
  by: string,
) {
  await trx
    .deleteFrom('invitations')
    .where('email_key', '=', fold(email))
    .where('used_at', 'is', null)
    .execute();
  const token = newToken();
  const { id } = await trx
    .insertInto('invitations')
    .values({
      token_hash: hashToken(token),
      email,
      email_key: fold(email),
      role,
      permissions: JSON.stringify(permissionsOf('user', permissions)),
      invited_by: by,
      expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${INVITATION_LIFE_MS / 1000})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { token, id };
}

function named(db: Executor) {
  return db
    .selectFrom('invitations as i')
    .innerJoin('users as u', 'u.id', 'i.invited_by')
    .selectAll('i')
    .select(['u.first_name', 'u.last_name']);
}

export function findInvitation(db: Executor, id: string): Promise<NamedInvitation | undefined> {
  return named(db).where('i.id', '=', id).executeTakeFirst();
}

/** The newest first. */
export function listInvitations(db: Executor): Promise<NamedInvitation[]> {
  return named(db).orderBy('i.created_at', 'desc').orderBy('i.id').limit(1000).execute();
}

export function deleteInvitation(trx: Transaction, id: string) {
  return trx.deleteFrom('invitations').where('id', '=', id).execute();
}

/** The open invitation of a link. */
export function findOpenByToken(db: Executor, token: string): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function isInvited(db: Executor, email: string): Promise<boolean> {
  const found = await db
    .selectFrom('invitations')
    .select('id')
    .where('email_key', '=', fold(email))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return found !== undefined;
}

/** @returns false when it was used already */
export async function useInvitation(trx: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('invitations')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function purgeInvitations(db: Executor): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where(
      'expires_at',
      '<',
      sql<Date>`statement_timestamp() - make_interval(secs => ${LISTED_AFTER_END_MS / 1000})`,
    )
    .execute();
}
