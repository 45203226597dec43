import type { ColumnType, Generated } from 'kysely';
import type {
  ImportKind,
  Import,
  ImportCounts,
  ImportMapping,
  ImportProfile,
  ImportState,
  ImportTables,
} from '@matterdesk/contract/imports.ts';
import type { Json, Stamp, StoredBytes } from './schema-columns.ts';

/** `check` and `tryUndo` change nothing. */
export type ImportWork = 'check' | 'import' | 'undo' | 'tryUndo';
export type CountsByKind = Partial<Record<ImportKind, ImportCounts>>;
/** The row that was done last: its kind, and its file's number. While undoing, the record's id. */
export type ImportPlace = { kind: ImportKind; n?: number; row?: number; id?: string };

type WithDefault<T> = ColumnType<T, string | undefined, string>;

type ImportsTable = {
  id: Generated<string>;
  profile: ImportProfile;
  by_id: string;
  at: Stamp;
  state: Generated<ImportState>;
  work: ImportWork | null;
  run_id: string | null;
  run_at: Date | null;
  begun_at: Date | null;
  done_at: Date | null;
  dir: string | null;
  mapping: Json<ImportMapping>;
  tables: Json<{ [Name in keyof ImportTables]-?: NonNullable<ImportTables[Name]> }>;
  dates: 'ymd' | 'mdy' | 'dmy';
  counts: WithDefault<CountsByKind>;
  totals: WithDefault<Partial<Record<ImportKind, number>>>;
  problem_count: Generated<number>;
  place: ColumnType<ImportPlace | null, string | null | undefined, string | null>;
  error: string | null;
};

type ImportUploadsTable = StoredBytes & { import_id: string; n: number; path: string };

type ImportFilesTable = {
  import_id: string;
  n: number;
  path: string;
  size: ColumnType<string, number, number>;
  kind: ImportKind | null;
  headers: string[];
};

type Problem = Import['problems'][number];
type ImportProblemsTable = {
  import_id: string;
  n: number;
  file: string;
  row_number: number | null;
  column_name: string | null;
  message: string;
  kind: ImportKind;
  outcome: Problem['outcome'];
  item_id: string | null;
  item_name: string | null;
};

type ImportIdsTable = {
  source: string;
  kind: ImportKind;
  external_id: string;
  id: string;
  name: string;
  names: string[];
  row_hash: string;
  fields: Json<Record<string, string>>;
  import_id: string;
  is_made: boolean;
};

type ImportLeftTable = {
  import_id: string;
  kind: ImportKind;
  id: string;
  name: string;
  reason: string;
};

export type ImportsTables = {
  imports: ImportsTable;
  import_uploads: ImportUploadsTable;
  import_files: ImportFilesTable;
  import_problems: ImportProblemsTable;
  import_ids: ImportIdsTable;
  import_left: ImportLeftTable;
};
