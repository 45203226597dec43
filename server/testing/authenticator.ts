import { TOTP } from 'otpauth';
import { secondFactorRoutes } from '@matterdesk/contract/second-factors.ts';
import type { Client } from './client.ts';
import { PASSWORD, type SignedInPerson } from './factories.ts';

const PERIOD = 30_000;

/** The code that an authenticator app shows now, or shows next. */
export function codeOf(secret: string, when: 'now' | 'next' = 'now'): string {
  const timestamp = Date.now() + (when === 'next' ? PERIOD : 0);
  return new TOTP({ secret }).generate({ timestamp });
}

/** Turns the app on with the current code; the next one is still unused, and accepted. */
export async function turnOnApp(app: Client, { token }: SignedInPerson) {
  const begun = await app.call(secondFactorRoutes.beginTotp, {
    token,
    body: { currentPassword: PASSWORD },
  });
  const { secret } = begun.body;
  const confirmed = await app.call(secondFactorRoutes.confirmTotp, {
    token,
    body: { code: codeOf(secret) },
  });
  return { secret, recoveryCodes: confirmed.body.recoveryCodes };
}
