import type { ComponentType } from 'react';
import type { Case } from '@matterdesk/contract/cases.ts';
import type { Accept, Proposal } from '@matterdesk/contract/intake-acceptance.ts';

/** Source of a new case: its known details, and the call that opens it. */
export interface CaseSource {
  title: string;
  /** Its own names are no conflicts. */
  intakeId: string;
  known: Proposal;
  open: (body: Accept, idempotencyKey: string) => Promise<{ case: Case }>;
}

/** 'Add New Case', which pages pass to features that cannot import the cases feature. */
export type CaseDialog = ComponentType<{
  source: CaseSource;
  onClose: () => void;
  onOpened: (opened: Case) => void;
}>;
