import type { ColumnType, Generated } from 'kysely';
import type { CaseType } from '@matterdesk/contract/cases.ts';
import type { Missing, TemplateProblem } from '@matterdesk/contract/templates.ts';
import type { Stamp } from './schema-columns.ts';

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
  missing: ColumnType<Missing[], string, never>;
};

/** Data of the firm. */
export type TemplateTables = {
  templates: TemplatesTable;
  template_versions: TemplateVersionsTable;
};

/** Data of matters. */
export type LetterTables = { letters: LettersTable };
