import type { ColumnType, Generated, Selectable, Updateable } from 'kysely';
import type { AccessMode } from '@matterdesk/contract/access.ts';
import type { Case } from '@matterdesk/contract/cases.ts';
import type { LetterTemplate } from '@matterdesk/contract/intake-routes.ts';
import type {
  DeclineReason,
  IntakeEntryKind,
  IntakeParty,
  IntakeStage,
} from '@matterdesk/contract/intakes.ts';
import type { Json, Stamp, StoredBytes } from './schema-columns.ts';

export type IntakeFormsTable = {
  id: Generated<string>;
  slug: string;
  name: string;
  type: Case['type'] | null;
  intro: string;
  fields: Json<object[]>;
  notice: string;
  thanks: string;
  origins: string[];
  owners: string[];
  turn: Generated<number>;
  active: boolean;
  created_at: Stamp;
  updated_at: Stamp;
};

export type UsedStampsTable = { stamp: string; used_at: Stamp };

export type IntakeSettingsTable = {
  is_single: Generated<boolean>;
  response_minutes: number;
  keep_months: number;
  sources: string[];
  templates: Json<LetterTemplate[]>;
};

export type Answer = { label: string; value: string };

export type IntakesTable = {
  id: Generated<string>;
  number: Generated<string>;
  stage: Generated<IntakeStage>;
  type: Case['type'] | null;
  name: string;
  contact_id: Generated<string | null>;
  phone_number: string | null;
  phone_digits: ColumnType<string | null, never, never>;
  email: string | null;
  address: string | null;
  parties: Json<IntakeParty[]>;
  description: string;
  doi: string | null;
  sol: string | null;
  source: string | null;
  form_id: Generated<string | null>;
  answers: ColumnType<Answer[], string | undefined, string>;
  owner_id: string | null;
  entered_by: string | null;
  next_step: string;
  due_at: Date | null;
  response_due_at: Date;
  consult_at: Date | null;
  received_at: Stamp;
  first_response_at: Generated<Date | null>;
  closed_at: Generated<Date | null>;
  reason: Generated<DeclineReason | null>;
  reason_note: Generated<string | null>;
  referred_to: Generated<string | null>;
  case_id: Generated<string | null>;
  text_consent: ColumnType<
    { at: string; wording: string } | null,
    string | undefined | null,
    string | null
  >;
  is_spam: Generated<boolean>;
  erased_at: Generated<Date | null>;
  search_text: string;
  access: Generated<AccessMode>;
  is_walled: Generated<boolean>;
  access_updated_at: Stamp;
  created_at: Stamp;
  updated_at: Stamp;
};

/** A row without what is read apart. */
export type IntakeState = Omit<Selectable<IntakesTable>, 'search_text' | 'answers'>;
export type IntakeChange = Omit<Updateable<IntakesTable>, 'parties'> & { parties?: IntakeParty[] };

export type IntakeEntriesTable = {
  id: Generated<string>;
  intake_id: string;
  at: Stamp;
  by_id: string | null;
  kind: IntakeEntryKind;
  text: string | null;
  is_own: Generated<boolean>;
};

export type IntakeFilesTable = StoredBytes & {
  id: Generated<string>;
  intake_id: string;
  name: string;
  name_key: string;
  mime_type: string;
  uploaded_by: string | null;
  created_at: Stamp;
};

export type IntakeOriginsTable = { user_id: string; origin: string; intake_id: string };

export type IntakeAccessTable = {
  intake_id: string;
  user_id: string;
  kind: 'added' | 'screened' | 'opened' | 'paused';
  reason: string;
  by_id: string | null;
  at: Stamp;
  until: Date | null;
};

/** Intakes are views that show each user their own rows; their settings belong to the firm. */
export type IntakeTables = {
  intakes: IntakesTable;
  intake_entries: IntakeEntriesTable;
  intake_files: IntakeFilesTable;
  intake_origins: IntakeOriginsTable;
  intake_access: IntakeAccessTable;
  intake_forms: IntakeFormsTable;
  intake_settings: IntakeSettingsTable;
  used_stamps: UsedStampsTable;
};
