import type { ColumnType, Generated } from 'kysely';
import type { Holiday, RuleStep } from '@matterdesk/contract/court-rules.ts';
import type { Stamp } from './schema-columns.ts';

/** Written as JSON text, read as an object. */
type Json<T> = ColumnType<T, string, string>;

export type JurisdictionsTable = {
  id: Generated<string>;
  name: string;
  time_zone: string;
  weekend: number[];
  holidays: Json<Holiday[]>;
  updated_at: Stamp;
};

/** A row for each version; deadlines keep theirs. */
export type RulesTable = {
  id: Generated<string>;
  version: number;
  is_latest: Generated<boolean>;
  name: string;
  jurisdiction_id: string;
  trigger: string;
  steps: Json<RuleStep[]>;
  reviewed: boolean;
  /** Who signed the version. */
  reviewed_by: string | null;
  updated_at: Stamp;
};
