import type { Generated } from 'kysely';
import type { Holiday, RuleStep } from '@matterdesk/contract/court-rules.ts';
import type { Json, Stamp } from './schema-columns.ts';

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
