import type { ComponentType } from 'react';
import type { PartyRole } from '@matterdesk/contract/contacts.ts';

export interface NameCheckProps {
  /** The name as it is being typed. */
  name: string;
  partyRole: PartyRole | null;
  /** Whose own names are no hits. */
  caseId?: string;
  intakeId?: string;
}

/** Conflict matches under a name as it is typed; pages pass it to features that cannot import conflicts. */
export type NameCheck = ComponentType<NameCheckProps>;
