import type { Role } from '@matterdesk/contract/accounts.ts';
import type { Firm } from '@matterdesk/contract/firm.ts';

type Demand = Firm['secondFactor'] | undefined;

/** What the account page says of whom the firm demands a second factor; undefined before it is known. */
export function demandInWords(demand: Demand): string {
  const use = 'With an authenticator app, a leaked password alone opens nothing.';
  if (demand === 'admins') return `Required of admins. ${use}`;
  return demand === 'everyone' ? `Required of everyone. ${use}` : use;
}

export function isDemanded(demand: Demand, role: Role): boolean {
  return demand === 'everyone' || (demand === 'admins' && role === 'admin');
}
