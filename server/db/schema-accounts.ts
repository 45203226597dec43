import type { ColumnType, Generated } from 'kysely';
import type { Role } from '@matterdesk/contract/accounts.ts';
import type { Permissions } from '@matterdesk/contract/permissions.ts';
import type { Stamp } from './schema-columns.ts';

/** A browser in which a user signed in before; the token is in its cookie. */
export type KnownBrowsersTable = { token_hash: Buffer; user_id: string; seen_at: Stamp };

/** A link with which a user sets a password. */
export type PasswordLinksTable = { token_hash: Buffer; user_id: string; expires_at: Date };

export type InvitationsTable = {
  id: Generated<string>;
  token_hash: Buffer;
  email: string;
  email_key: string;
  role: Role;
  permissions: ColumnType<Permissions, string, string>;
  invited_by: string;
  created_at: Stamp;
  expires_at: Date;
  used_at: Date | null;
};

export type SessionsTable = {
  id: Generated<string>;
  token_hash: Buffer;
  user_id: string;
  created_at: Stamp;
  last_seen_at: Stamp;
  /** Where it was opened; null for sessions from before this was kept. */
  address: string | null;
  agent: string | null;
};

export type AttemptsTable = {
  id: Generated<string>;
  /** `login:<address>`, `browser:<hash>`, `client:<ip>`, `register:<ip>`, `setup:<ip>` or `link:<address>`. */
  key: string;
  at: Stamp;
};
