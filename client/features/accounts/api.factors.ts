import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { secondFactorRoutes } from '@matterdesk/contract/second-factors.ts';
import { mutation } from '../../core/mutation.ts';
import { readQuietly } from '../../core/use-read.ts';

/** The users who must use two-factor authentication. */
export async function readDemand() {
  return (await readQuietly(firmRoutes.readFirm)).firm.secondFactor;
}

export const beginTotp = mutation(secondFactorRoutes.beginTotp, 'Couldn’t set up the app', {
  toasts: 'none',
});

export const confirmTotp = mutation(secondFactorRoutes.confirmTotp, 'Couldn’t turn on the app', {
  toasts: 'none',
});

export const endTotp = mutation(secondFactorRoutes.endTotp, 'Couldn’t turn off the app');

export const removeSecondFactor = mutation(
  secondFactorRoutes.removeSecondFactor,
  'Couldn’t remove the second factor',
);
