import { type CaseSol, solInEffect } from '@matterdesk/contract/sol-in-effect.ts';
import { formatDay } from '../ui/days.ts';
import { fullName } from './full-name.ts';

/** 'proposed Mar 20, 2030', beside the date in effect; undefined while no change waits. */
export function proposalOf(dated: CaseSol): string | undefined {
  if (!dated.waiting) return undefined;
  const { proposed } = dated.waiting;
  // A proposed earlier date is in effect already.
  if (proposed === solInEffect(dated) && dated.SOL !== null)
    return `proposed instead of ${formatDay(dated.SOL)}`;
  return `proposed ${formatDay(proposed)}`;
}

/** 'Ama Owusu decides' */
export function deciderOf({ waiting }: CaseSol): string | undefined {
  if (!waiting) return undefined;
  const { decides } = waiting;
  return decides ? `${fullName(decides)} decides` : 'another person decides under Deadlines';
}
