import type {
  ColumnType,
  Generated,
  Insertable,
  Kysely,
  Transaction as KyselyTransaction,
} from 'kysely';
import type { Role } from '@matterdesk/contract/accounts.ts';
import type { Permissions } from '@matterdesk/contract/permissions.ts';
import type { ColumnId } from '@matterdesk/contract/tasks.ts';
import type {
  InvitationsTable,
  KnownBrowsersTable,
  PasswordLinksTable,
} from './schema-accounts.ts';
import type { Stamp } from './schema-columns.ts';
import type {
  GoogleGrantsTable,
  GoogleStatesTable,
  MailUploadsTable,
  OutgoingMailsTable,
} from './schema-mails.ts';
import type {
  ConversationsTable,
  PhoneNumbersTable,
  TextConsentsTable,
  TextMediaTable,
  TextMessagesTable,
  TextStatusesTable,
  TextSyncTable,
} from './schema-messages.ts';

/** Written as JSON text, read as an object. */
type Json<T> = ColumnType<T, string, string>;

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
  permissions: Json<Partial<Permissions>>;
  search_text: string;
  created_at: Stamp;
  updated_at: Stamp;
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

export type CasesTable = {
  id: Generated<string>;
  /** Increases with each case, to sort the newest first. */
  serial: Generated<string>;
  case_name: string;
  case_no: string;
  case_no_key: string;
  status_type: 'Active' | 'Archive';
  status: 'Pre-List' | 'Litigation' | 'ADR';
  type: 'Civil' | 'PI' | 'Med-Mal';
  judge: string;
  date_of_opening: string;
  managing_attorney: string;
  doi: string;
  sol: string;
  days_open: number;
  days_open_since: Stamp;
  /** Days open do not count while the case is archived. */
  archived_at: Date | null;
  client_name: string;
  client_phone_number: string;
  client_email: string;
  client_address: string;
  counsel_organization: string;
  counsel_name: string;
  counsel_phone_number: string;
  counsel_email: string;
  counsel_address: string;
  search_text: string;
  created_at: Stamp;
  updated_at: Stamp;
};

/** A new row, without the columns that the store derives. */
export type NewCaseRow = Omit<Insertable<CasesTable>, 'case_no_key' | 'search_text'>;

export type CaseAssignmentsTable = { case_id: string; user_id: string; position: number };

/** Written by triggers alone; sums are the counts. */
export type CaseCountsTable = Readonly<{
  status_type: 'Active' | 'Archive';
  cases: number;
  changes: string;
}>;

export type TasksTable = {
  id: Generated<string>;
  case_id: string;
  name: string;
  description: string;
  start_time: Date;
  end_time: Date;
  type: ColumnId;
  /** When it came into its column: the order of the cards there. */
  in_column_since: Stamp;
  assigned_to: string;
  created_by: string;
  deleted_at: Date | null;
  created_at: Stamp;
  updated_at: Stamp;
};

export type AuditLogTable = {
  id: Generated<string>;
  at: Stamp;
  request_id: string | null;
  actor_id: string | null;
  entity: string;
  entity_id: string | null;
  case_id: string | null;
  action: string;
  before: Json<unknown> | null;
  after: Json<unknown> | null;
  address: string | null;
  agent: string | null;
};

export type AuditSealsTable = {
  id: Generated<string>;
  at: Stamp;
  entries: string;
  digests: Buffer;
  previous: Buffer;
  hash: Buffer;
};

export type IdempotencyKeysTable = {
  user_id: string;
  key: string;
  fingerprint: string;
  outcome: Json<unknown> | null;
  created_at: Stamp;
};

export type FoldersTable = {
  id: Generated<string>;
  case_id: string;
  name: string;
  name_key: string;
  created_at: Stamp;
};

export type FilesTable = {
  id: Generated<string>;
  case_id: string;
  folder_id: string;
  name: string;
  name_key: string;
  /** Bytes; a bigint is read as text. */
  size: ColumnType<string, number, number>;
  mime_type: string;
  sha256: Buffer;
  blob_key: string;
  uploaded_by: string;
  deleted_at: Date | null;
  created_at: Stamp;
};

export type PendingBlobsTable = { blob_key: string; owner: string; created_at: Stamp };

export type DocumentsTable = {
  id: Generated<string>;
  sha256: Buffer;
  kind: string;
  version: number;
  status: 'queued' | 'working' | 'ready' | 'failed';
  progress: Generated<number>;
  pages: number | null;
  characters: number | null;
  is_scanned: Generated<boolean>;
  error: string | null;
  created_at: Stamp;
  updated_at: Stamp;
};

export type TrainingsTable = {
  file_id: string;
  document_id: string;
  requested_by: string;
  requested_at: Stamp;
};

type PageMark = { at: number; level?: number; location?: string };

export type DocumentPagesTable = {
  document_id: string;
  page: number;
  start_offset: number;
  text: string;
  /** Where headings, paragraphs and rows begin, in formats that mark them. */
  marks: ColumnType<PageMark[], string | undefined, string>;
};

export type PassagesTable = {
  id: Generated<string>;
  document_id: string;
  ordinal: number;
  page: number;
  start_offset: number;
  end_offset: number;
  heading: string;
  location: string | null;
  tsv: string;
};

export type EmbeddingsTable = {
  document_id: string;
  model: string;
  dimensions: number;
  vectors: Buffer;
};

export type Tables = {
  google_grants: GoogleGrantsTable;
  google_states: GoogleStatesTable;
  mail_uploads: MailUploadsTable;
  outgoing_mails: OutgoingMailsTable;
  phone_numbers: PhoneNumbersTable;
  text_messages: TextMessagesTable;
  conversations: ConversationsTable;
  text_statuses: TextStatusesTable;
  text_consents: TextConsentsTable;
  text_media: TextMediaTable;
  text_sync: TextSyncTable;
  documents: DocumentsTable;
  trainings: TrainingsTable;
  document_pages: DocumentPagesTable;
  passages: PassagesTable;
  embeddings: EmbeddingsTable;
  folders: FoldersTable;
  files: FilesTable;
  pending_blobs: PendingBlobsTable;
  users: UsersTable;
  sessions: SessionsTable;
  attempts: AttemptsTable;
  known_browsers: KnownBrowsersTable;
  password_links: PasswordLinksTable;
  invitations: InvitationsTable;
  cases: CasesTable;
  case_assignments: CaseAssignmentsTable;
  case_counts: CaseCountsTable;
  tasks: TasksTable;
  audit_log: AuditLogTable;
  audit_seals: AuditSealsTable;
  idempotency_keys: IdempotencyKeysTable;
};

export type Database = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;
/** Store functions take either a database or a transaction. */
export type Executor = Database | Transaction;
