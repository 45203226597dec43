import type {
  ColumnType,
  Generated,
  GeneratedAlways,
  Insertable,
  Kysely,
  Transaction as KyselyTransaction,
} from 'kysely';
import type * as z from 'zod/mini';
import type { AccessEntrySchema, AccessMode } from '@matterdesk/contract/access.ts';
import type { CaseType } from '@matterdesk/contract/cases.ts';
import type { ColumnId } from '@matterdesk/contract/columns.ts';
import type { AskedName } from '@matterdesk/contract/conflicts.ts';
import type { MissingField, TemplateProblem } from '@matterdesk/contract/templates.ts';
import type {
  AttemptsTable,
  FirmTable,
  InvitationsTable,
  KnownBrowsersTable,
  PasskeysTable,
  PasswordLinksTable,
  RecoveryCodesTable,
  SavedViewsTable,
  SessionsTable,
  TotpAppsTable,
  UsedChallengesTable,
  UsersTable,
} from './schema-accounts.ts';
import type { AuditTables } from './schema-audit.ts';
import type { CalendarTables, EventTables } from './schema-calendar.ts';
import type { Json, Stamp, StoredBytes } from './schema-columns.ts';
import type { ContactTables } from './schema-contacts.ts';
import type {
  DeadlineHistoryTable,
  DeadlinesTable,
  JurisdictionsTable,
  ProposalItemsTable,
  ProposalsTable,
  RulesTable,
} from './schema-deadlines.ts';
import type { ImportsTables } from './schema-imports.ts';
import type { IntakeTables } from './schema-intakes.ts';
import type { MailTables } from './schema-mails.ts';
import type {
  ConversationsTable,
  PhoneNumbersTable,
  TextConsentsTable,
  TextMediaTable,
  TextMessagesTable,
  TextStatusesTable,
  TextSyncTable,
} from './schema-messages.ts';
import type { ClockTables, NoticeTables } from './schema-notices.ts';
import type { PackTables, PackUseTables } from './schema-packs.ts';
import type { StreamTables } from './schema-stream.ts';
import type { InboxProblemsTable, TrayItemsTable } from './schema-tray.ts';

export type CasesTable = {
  id: Generated<string>;
  /** Increases with each case, to sort the newest first. */
  serial: Generated<string>;
  case_name: string;
  /** Null for a case that is not filed yet, as its key and both dates. Texts that it lacks are empty. */
  case_no: string | null;
  case_no_key: string | null;
  status_type: 'Active' | 'Archive';
  status: 'Pre-List' | 'Litigation' | 'ADR';
  type: 'Civil' | 'PI' | 'Med-Mal';
  judge: string;
  date_of_opening: string;
  managing_attorney: string;
  doi: string | null;
  sol: string | null;
  /** The earlier date while a change of the SOL waits, kept by a trigger of deadlines; else null. */
  sol_in_effect: ColumnType<string | null, never, never>;
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
  access: Generated<AccessMode>;
  /** Whether any user is kept out: restricted, or someone is screened. */
  is_walled: Generated<boolean>;
  /** Ids of the assigned people in their order, kept by triggers of case_assignments. */
  people: Generated<string[]>;
  access_updated_at: Stamp;
  created_at: Stamp;
  updated_at: Stamp;
  /** Dotted paths of what a case that is not filed yet lacks, in the form's order; else empty. */
  incomplete: Generated<string[]>;
  /** The reason why no statute of limitations applies; null where one does, or nothing is known. */
  no_statute: string | null;
};

/** A new row, without the columns that the store derives. */
export type NewCaseRow = Omit<Insertable<CasesTable>, 'case_no_key' | 'search_text'>;

type CaseAssignmentsTable = { case_id: string; user_id: string; position: number };

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
  done_at: Date | null;
  deleted_at: Date | null;
  created_at: Stamp;
  updated_at: Stamp;
  is_active: ColumnType<boolean, never, never>; // Whether the case is, kept by the database.
  case_name: ColumnType<string, never, never>; // Kept by the database, too.
  case_no: ColumnType<string | null, never, never>;
  /** Texts of the task and of its case, folded by the database. */
  search_text: ColumnType<string, never, never>;
  /** The entry of the stream that it was made from. */
  entry_id: string | null;
};

type IdempotencyKeysTable = {
  user_id: string;
  key: string;
  fingerprint: string;
  outcome: Json<unknown> | null;
  created_at: Stamp;
};

type FoldersTable = {
  id: Generated<string>;
  case_id: string;
  name: string;
  name_key: string;
  created_at: Stamp;
};

export type FilesTable = StoredBytes & {
  id: Generated<string>;
  case_id: string;
  folder_id: string;
  name: string;
  name_key: string;
  mime_type: string;
  uploaded_by: string;
  deleted_at: Date | null;
  created_at: Stamp;
  /** Its earlier addresses, folded as 'folder/name'. */
  former: Generated<string[]>;
  version: Generated<number>;
  /** Null for the first version. */
  version_at: ColumnType<Date | null, never, Date>;
  /** The user who added the file, once it has a later version. */
  added_by: Generated<string | null>;
};

/** Earlier contents of files; the newest is in `files`. */
type FileVersionsTable = {
  file_id: string;
  case_id: string;
  version: number;
  size: ColumnType<string, number, never>;
  mime_type: string;
  sha256: Buffer;
  blob_key: string;
  uploaded_by: string;
  uploaded_at: Date;
  document_id: string | null;
  deleted_at: Generated<Date | null>;
};

type PendingBlobsTable = {
  blob_key: string;
  owner: string;
  /** Bytes that its upload may still bring. */
  reserved: ColumnType<string, number | undefined, number>;
  created_at: Stamp;
};

/** Each row adds to what its user stores, in bytes; a user's sum is what they store now. */
type StorageUseTable = { user_id: string | null; files: number; trash: number };

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

type TrainingsTable = {
  file_id: string;
  document_id: string;
  requested_by: string;
  requested_at: Stamp;
};

type PageMark = { at: number; level?: number; location?: string };

type DocumentPagesTable = {
  document_id: string;
  page: number;
  start_offset: number;
  text: string;
  /** Offsets of headings, paragraphs and rows, in formats that mark them. */
  marks: ColumnType<PageMark[], string | undefined, string>;
  search_text: GeneratedAlways<string>;
};

type PassagesTable = {
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

type EmbeddingsTable = {
  document_id: string;
  model: string;
  dimensions: number;
  vectors: Buffer;
};

/** Data of matters: views that show each person only the rows they may see (decision 28). */
type MatterTables = ContactTables &
  NoticeTables &
  StreamTables &
  LetterTables &
  PackTables &
  EventTables & {
    cases: CasesTable;
    case_assignments: CaseAssignmentsTable;
    case_access: CaseAccessTable;
    access_history: AccessHistoryTable;
    tasks: TasksTable;
    folders: FoldersTable;
    files: FilesTable;
    file_versions: FileVersionsTable;
    deadlines: DeadlinesTable;
    deadline_history: DeadlineHistoryTable;
    deadline_proposals: ProposalsTable;
    deadline_proposal_items: ProposalItemsTable;
    conflict_checks: ConflictChecksTable;
    conflict_entries: ConflictEntriesTable;
    conflict_alerts: ConflictAlertsTable;
  };

/** Data of the firm and its people. */
type FirmTables = AuditTables &
  TemplateTables &
  PackUseTables &
  ImportsTables &
  ClockTables &
  CalendarTables &
  MailTables & {
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
    pending_blobs: PendingBlobsTable;
    tray_items: TrayItemsTable;
    inbox_problems: InboxProblemsTable;
    firm: FirmTable;
    storage_use: StorageUseTable;
    users: UsersTable;
    sessions: SessionsTable;
    attempts: AttemptsTable;
    known_browsers: KnownBrowsersTable;
    password_links: PasswordLinksTable;
    invitations: InvitationsTable;
    totp_apps: TotpAppsTable;
    recovery_codes: RecoveryCodesTable;
    passkeys: PasskeysTable;
    used_challenges: UsedChallengesTable;
    saved_views: SavedViewsTable;
    case_counts: CaseCountsTable;
    visible_counts: VisibleCountsView;
    idempotency_keys: IdempotencyKeysTable;
    jurisdictions: JurisdictionsTable;
    rules: RulesTable;
  };

export type Tables = FirmTables & MatterTables & IntakeTables;

declare const scope: unique symbol;
/** Says for whom matters are read or written; made by `Database` and `Writer` alone. */
type InScope = { readonly [scope]: true };

/** Store functions of the firm's own tables take either a database or a transaction; of matters they would see none. */
export type Executor = Kysely<Tables>;
/** Reads and writes what belongs to matters, for one person or for the server itself. */
export type Scoped = Executor & InScope;
export type Transaction = KyselyTransaction<Tables> & InScope;

/** The database without a scope. */
export type Database = Executor & {
  /** Everything that this person may see. */
  as: (person: { id: string }) => Scoped;
  /** Everything. @param why the reason, for readers who look for gaps in the walls */
  asSystem: (why: string) => Scoped;
};

/** Written by triggers alone; sums are the counts. */
type CaseCountsTable = Readonly<{
  status_type: 'Active' | 'Archive';
  cases: number;
  changes: string;
}>;

/** Sums of the kept counts, by what the user in scope sees. */
type VisibleCountsView = Readonly<{
  status_type: 'Active' | 'Archive';
  cases: string;
  changes: string;
}>;

type CaseAccessTable = {
  case_id: string;
  user_id: string;
  kind: 'added' | 'screened' | 'opened' | 'paused';
  reason: string;
  by_id: string | null;
  at: Stamp;
  /** An opening ends by itself. */
  until: Date | null;
};

type AccessHistoryTable = {
  id: Generated<string>;
  case_id: string;
  at: Stamp;
  by_id: string | null;
  action: z.infer<typeof AccessEntrySchema>['action'];
  people: string[];
  reason: string;
};

/** Records: rows are added, never changed. */
type ConflictChecksTable = {
  id: Generated<string>;
  /** Set by the database, without gaps. */
  number: ColumnType<number, never, never>;
  at: Stamp;
  by_id: string | null;
  case_id: string | null;
  intake_id: string | null;
  names: Json<AskedName[]>;
  with_texts: boolean;
  // The feature knows what is in these; here they are JSON.
  searched: Json<never>;
  hits: Json<never>;
  rerun_of: string | null;
  search_text: string;
};

type ConflictEntriesTable = {
  id: Generated<string>;
  check_id: string;
  /** Set by the database, as the hash is. */
  at: Stamp;
  by_id: string | null;
  action: 'opened' | 'decided' | 'concluded';
  body: Json<never>;
  hash: Generated<Buffer>;
};

type ConflictAlertsTable = {
  id: Generated<string>;
  at: Stamp;
  pair: string;
  case_id: string | null;
  intake_id: string | null;
  name: Json<never>;
  hit: Json<never>;
  decision: Json<never> | null;
};

type TemplatesTable = {
  id: Generated<string>;
  name: string;
  /** Empty for every type. */
  types: CaseType[];
  active: Generated<boolean>;
  created_at: Stamp;
  updated_at: Stamp;
};

type TemplateVersionsTable = {
  template_id: string;
  n: number;
  /** Null for what came with the product. */
  by_id: string | null;
  at: Stamp;
  sha256: Buffer;
  bytes: Buffer;
  fields: string[];
  questions: string[];
  uses_lists: boolean;
  problems: ColumnType<TemplateProblem[], string, never>;
};

/** A document that was made from a template for a matter; its files are in the matter's folders. */
type LettersTable = {
  id: Generated<string>;
  case_id: string;
  template_id: string;
  version: number;
  /** Null once the file is deleted for good. */
  file_id: string | null;
  pdf_file_id: string | null;
  /** The recipient. */
  contact_id: string | null;
  by_id: string;
  at: Stamp;
  data_sha256: Buffer;
  missing: ColumnType<MissingField[], string, never>;
};

/** Data of the firm. */
type TemplateTables = {
  templates: TemplatesTable;
  template_versions: TemplateVersionsTable;
};

/** Data of matters. */
type LetterTables = { letters: LettersTable };
