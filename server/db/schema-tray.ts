import type { ColumnType, Generated } from 'kysely';
import type { Stamp } from './schema-columns.ts';

/** Papers before they are files of a matter, and after for as long as that can be undone. */
export type TrayItemsTable = {
  id: Generated<string>;
  source: 'upload' | 'scan';
  at: Stamp;
  /** Null for a scan. */
  owner_id: string | null;
  name: string;
  /** Bytes; a bigint is read as text. */
  size: ColumnType<string, number, never>;
  mime_type: string;
  sha256: Buffer;
  /** While it is filed, its file's. */
  blob_key: string;
  state: Generated<'open' | 'filed' | 'dismissed'>;
  closed_at: Generated<Date | null>;
  closed_by: Generated<string | null>;
  file_id: Generated<string | null>;
  /** The task with which it was filed; null after an undo. */
  task_id: Generated<string | null>;
};
