import type { Role } from '@matterdesk/contract/accounts.ts';
import type { Firm } from '@matterdesk/contract/firm.ts';

type Demand = Firm['secondFactor'] | undefined;

/** What the account page says of whom the firm demands a second factor; undefined before it is known. */
export function demandInWords(demand: Demand): string {
  if (demand !== 'admins' && demand !== 'everyone')
    return 'With an authenticator app, a leaked password alone opens nothing.';
  return `Required of ${demand}. A passkey counts; an app helps where a passkey does not work.`;
}

export function isDemanded(demand: Demand, role: Role): boolean {
  return demand === 'everyone' || (demand === 'admins' && role === 'admin');
}
