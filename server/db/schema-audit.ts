import type { Generated } from 'kysely';
import type { Json, Stamp } from './schema-columns.ts';

type AuditLogTable = {
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

type AuditSealsTable = {
  id: Generated<string>;
  at: Stamp;
  /** The table of its entries, as `sealed-tables.ts` names it. */
  source: string;
  entries: string;
  digests: Buffer;
  previous: Buffer;
  hash: Buffer;
};

/** Ids of subjects that are hidden from the person in scope. */
type HiddenSubjectsView = { id: string };

/** Progress of the check of the whole chain; at most one row. */
export type AuditChecksTable = {
  id: Generated<boolean>;
  /** The last seal that was checked. */
  seal_id: string;
  hash: Buffer;
  /** For each table, the id below which entries were checked. */
  up_to: Json<Record<string, string>>;
  /** The first entry that did not fit when it was last checked, and its table. */
  broken: string | null;
  broken_in: string | null;
};

export type AuditTables = {
  audit_log: AuditLogTable;
  audit_seals: AuditSealsTable;
  audit_checks: AuditChecksTable;
  hidden_subjects: HiddenSubjectsView;
};
