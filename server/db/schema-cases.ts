import type { Generated } from 'kysely';
import type * as z from 'zod/mini';
import type { AccessEntrySchema } from '@matterdesk/contract/access.ts';
import type { Stamp } from './schema-columns.ts';

/** Written by triggers alone; sums are the counts. */
export type CaseCountsTable = Readonly<{
  status_type: 'Active' | 'Archive';
  cases: number;
  changes: string;
}>;

/** Sums of the kept counts, by what the user in scope sees. */
export type VisibleCountsView = Readonly<{
  status_type: 'Active' | 'Archive';
  cases: string;
  changes: string;
}>;

export type CaseAccessTable = {
  case_id: string;
  user_id: string;
  kind: 'added' | 'screened' | 'opened' | 'paused';
  reason: string;
  by_id: string | null;
  at: Stamp;
  /** An opening ends by itself. */
  until: Date | null;
};

export type AccessHistoryTable = {
  id: Generated<string>;
  case_id: string;
  at: Stamp;
  by_id: string | null;
  action: z.infer<typeof AccessEntrySchema>['action'];
  people: string[];
  reason: string;
};
