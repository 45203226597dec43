import type { ColumnType, Generated, Selectable } from 'kysely';
import type {
  CountLine,
  DeadlineKind,
  Holiday,
  RuleStep,
} from '@matterdesk/contract/court-rules.ts';
import type {
  ChangeAction,
  Deadline,
  DeadlineSource,
  DeadlineStatus,
} from '@matterdesk/contract/deadlines.ts';
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
  /** The user who signed the version. */
  reviewed_by: string | null;
  updated_at: Stamp;
};

/** A change that waits for a decision. */
export type PendingChange = {
  action: ChangeAction;
  date: string | null;
  time: string | null;
  reason: string;
  proof: string;
  /** A user id. */
  by: string;
  at: string;
};

/** Rule for counting from the trigger, kept from the version of the rule that made the deadline. */
export type CountingRule = Pick<
  RuleStep,
  'count' | 'unit' | 'direction' | 'roll' | 'service' | 'authority'
> & {
  jurisdiction: string;
};

export type DeadlinesTable = {
  id: Generated<string>;
  case_id: string | null;
  title: string;
  kind: DeadlineKind;
  hard: boolean;
  date: string;
  time: string | null;
  time_zone: string;
  working_date: string | null;
  owner_id: string | null;
  second_id: string | null;
  author_id: string | null;
  dated_by: string | null;
  status: Generated<DeadlineStatus>;
  verified_by: string | null;
  verified_at: Date | null;
  acknowledged_by: string | null;
  acknowledged_at: Date | null;
  pending: Json<PendingChange> | null;
  floor_date: string | null;
  effective_date: string;
  due_at: Date;
  basis: Json<Deadline['basis']> | null;
  /** The trigger, an event or a deadline; both are null when it is a title with a date. */
  trigger_event_id: string | null;
  trigger_deadline_id: string | null;
  counting: Json<CountingRule> | null;
  source: Json<DeadlineSource> | null;
  note: Generated<string>;
  warn_days: number[];
  imported: Generated<boolean>;
  created_at: Stamp;
  updated_at: Stamp;
  /** Whether the case is, kept by the database; true without a case. */
  is_active: ColumnType<boolean, never, never>;
};

export type DeadlineState = Selectable<DeadlinesTable>;

export type DeadlineHistoryTable = {
  id: Generated<string>;
  deadline_id: string;
  case_id: string | null;
  /** Set by the database, as the hash is. */
  at: Stamp;
  by_id: string | null;
  action: string;
  from_state: Json<object> | null;
  to_state: Json<object> | null;
  reason: Generated<string>;
  hash: Generated<Buffer>;
};

/** A trigger that moved, so that deadlines counted from it should move too. */
export type ProposalsTable = {
  id: string;
  trigger_type: 'event' | 'deadline' | 'jurisdiction';
  trigger_id: string;
  trigger_title: string;
  by_id: string | null;
  at: Stamp;
};

/** A deadline of a proposal; each deadline is open in one at most. */
export type ProposalItemsTable = {
  proposal_id: string;
  deadline_id: string;
  case_id: string | null;
  from_date: string;
  /** Null when the trigger was canceled. */
  to_date: string | null;
  /** The day of the trigger from which `to_date` is counted. */
  trigger_date: string | null;
  lines: Json<CountLine[]>;
  status: Generated<'open' | 'accepted' | 'kept' | 'replaced'>;
  decided_by: string | null;
  decided_at: Date | null;
  reason: Generated<string>;
};
