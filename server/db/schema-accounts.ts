import type { ColumnType, Generated } from 'kysely';
import type { CurrentUser, Role } from '@matterdesk/contract/accounts.ts';
import type { Firm } from '@matterdesk/contract/firm.ts';
import type { Permissions } from '@matterdesk/contract/permissions.ts';
import type { ViewPage } from '@matterdesk/contract/views.ts';
import type { Stamp } from './schema-columns.ts';

export type UsersTable = {
  id: Generated<string>;
  first_name: string;
  last_name: string;
  email: string;
  email_key: string;
  password_hash: string;
  role: Role;
  phone_number: string;
  active: boolean;
  /** False while a new account awaits approval. */
  approved: boolean;
  permissions: ColumnType<Partial<Permissions>, string, string>;
  /** Follows from the tables of apps and passkeys. */
  second_factor: Generated<CurrentUser['secondFactor']>;
  /** Whose link set the password, and when; null where the user set it. */
  password_by: string | null;
  password_by_at: Date | null;
  search_text: string;
  created_at: Stamp;
  updated_at: Stamp;
};

/** A browser in which a user signed in before; the token is in its cookie. */
export type KnownBrowsersTable = { token_hash: Buffer; user_id: string; seen_at: Stamp };

/** A list with its filters, as a user saved it. */
export type SavedViewsTable = {
  id: Generated<string>;
  user_id: string;
  page: ViewPage;
  name: string;
  query: string;
  created_at: Generated<Date>;
};

/** A link with which a user sets a password. */
export type PasswordLinksTable = {
  token_hash: Buffer;
  user_id: string;
  expires_at: Date;
  /** The user who made it for someone else; null if it was mailed, or made for oneself. */
  made_by: string | null;
};

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

/** A user's authenticator app. */
export type TotpAppsTable = {
  user_id: string;
  /** Encrypted with the secret key. */
  secret: Buffer;
  /** The time step of the last accepted code; a bigint is read as text. */
  last_step: ColumnType<string, number | undefined, number>;
  /** Null until a code has confirmed it. */
  confirmed_at: Date | null;
};

export type PasskeysTable = {
  id: Generated<string>;
  user_id: string;
  /** As the browser names it, base64url. */
  credential_id: string;
  public_key: Buffer;
  /** Grows with each use where the device counts; a bigint is read as text. */
  counter: ColumnType<string, number, number>;
  transports: string[];
  name: string;
  created_at: Stamp;
  used_at: Date | null;
};

/** Challenges that a passkey has answered: none is answered twice. */
export type UsedChallengesTable = { hash: Buffer; used_at: Stamp };

export type RecoveryCodesTable = { user_id: string; code_hash: Buffer };

export type SessionsTable = {
  id: Generated<string>;
  token_hash: Buffer;
  user_id: string;
  created_at: Stamp;
  last_seen_at: Stamp;
  /** Address at sign-in; null for sessions older than this column. */
  address: string | null;
  agent: string | null;
};

export type AttemptsTable = {
  id: Generated<string>;
  /** `login:<address>`, `browser:<hash>`, `client:<ip>`, `register:<ip>`, `setup:<ip>` or `link:<address>`. */
  key: string;
  at: Stamp;
};

/** One row. */
export type FirmTable = {
  name: string;
  address: string;
  phone: string;
  letterhead: string;
  time_zone: string | null;
  morning: string;
  dual_control: boolean;
  second_factor: Firm['secondFactor'];
  idle_minutes: number;
  train_uploads: boolean;
  set_up: boolean;
};
