import type { ColumnType, Generated } from 'kysely';
import type { ErrorCode } from '@matterdesk/contract/errors.ts';
import type { Stamp } from './schema-columns.ts';

export type GoogleGrantsTable = {
  user_id: string;
  email: string;
  email_key: string;
  /** Encrypted. */
  refresh_token: Buffer;
  fingerprint: string;
  scopes: string;
  history_id: string;
  poll_at: Stamp;
  failures: Generated<number>;
  connected_at: Stamp;
  watched_topic: string | null;
  watched_until: Date | null;
  watch_at: Stamp;
  walk_at: Stamp;
  walked_until: Date | null;
  walk_started: Date | null;
  walk_cursor: string | null;
  walk_left: Generated<number>;
};

export type GoogleStatesTable = {
  state_hash: Buffer;
  session_id: string;
  /** Encrypted. */
  verifier: Buffer;
  created_at: Stamp;
};

export type OutgoingMailsTable = {
  id: Generated<string>;
  user_id: string;
  state: 'sending' | 'sent' | 'refused' | 'postponed' | 'unknown';
  refused_as: ErrorCode | null;
  refusal: string | null;
  created_at: Stamp;
};

export type FiledMailsTable = {
  user_id: string;
  mail_id: string;
  file_id: string;
  /** Null for what was filed by earlier releases. */
  thread_id: Generated<string | null>;
  filed_at: Stamp;
};

export type MailUploadsTable = {
  id: Generated<string>;
  user_id: string;
  name: string;
  /** Bytes; a bigint is read as text. */
  size: ColumnType<string, number, number>;
  blob_key: string;
  is_whole: Generated<boolean>;
  created_at: Stamp;
};

export type MailTables = {
  google_grants: GoogleGrantsTable;
  google_states: GoogleStatesTable;
  mail_uploads: MailUploadsTable;
  outgoing_mails: OutgoingMailsTable;
  filed_mails: FiledMailsTable;
  mail_signatures: { user_id: string; text: string };
};
