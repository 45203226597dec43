import type { ColumnType, Generated } from 'kysely';
import type { AskedName } from '@matterdesk/contract/conflicts.ts';
import type { Json, Stamp } from './schema-columns.ts';

/** Records: rows are added, never changed. */
export type ConflictChecksTable = {
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

export type ConflictEntriesTable = {
  id: Generated<string>;
  check_id: string;
  /** Set by the database, as the hash is. */
  at: Stamp;
  by_id: string | null;
  action: 'opened' | 'decided' | 'concluded';
  body: Json<never>;
  hash: Generated<Buffer>;
};

export type ConflictAlertsTable = {
  id: Generated<string>;
  at: Stamp;
  pair: string;
  case_id: string | null;
  intake_id: string | null;
  name: Json<never>;
  hit: Json<never>;
  decision: Json<never> | null;
};
