import { secondFactorRoutes } from '@matterdesk/contract/second-factors.ts';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { call } from '../../api.ts';

/** Who must use two-factor authentication. */
export async function readDemand() {
  return (await call(firmRoutes.readFirm, { toasts: 'none' })).firm.secondFactor;
}

export function beginTotp(currentPassword: string) {
  return call(secondFactorRoutes.beginTotp, {
    body: { currentPassword },
    toasts: 'none',
    failing: 'Couldn’t set up the app',
  });
}

export async function confirmTotp(code: string) {
  const body = { code };
  const failing = 'Couldn’t turn on the app';
  return (await call(secondFactorRoutes.confirmTotp, { body, toasts: 'none', failing }))
    .recoveryCodes;
}

export function endTotp(body: { currentPassword: string; code: string }) {
  return call(secondFactorRoutes.endTotp, { body, failing: 'Couldn’t turn off the app' });
}

export function removeSecondFactor(id: string) {
  return call(secondFactorRoutes.removeSecondFactor, {
    params: { id },
    failing: 'Couldn’t remove the second factor',
  });
}
