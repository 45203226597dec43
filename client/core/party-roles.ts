import type { PartyRole } from '@matterdesk/contract/contacts.ts';

/** The roles of parties in words. */
export const roleNames: Record<PartyRole, string> = {
  client: 'Client',
  opposingParty: 'Opposing party',
  opposingCounsel: 'Opposing counsel',
  coCounsel: 'Co-counsel',
  witness: 'Witness',
  expert: 'Expert',
  insurer: 'Insurer',
  provider: 'Provider',
  guardian: 'Guardian',
  judge: 'Judge',
  court: 'Court',
  referrer: 'Referrer',
  other: 'Other',
};

/** As options of a select, in the contract's order. */
export const roleOptions = Object.entries(roleNames).map(([value, label]) => ({ value, label }));
