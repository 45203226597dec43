import type { Binder } from '../../http/bind.ts';
import type { Cookies } from '../../http/session-cookie.ts';
import { bindDevices } from './devices/routes.ts';
import { bindInvitations } from './invitations/routes.ts';
import { bindPasswords } from './passwords/routes.ts';
import { bindRegistration } from './registration/routes.ts';
import { bindAccounts } from './routes.ts';
import { bindSecondFactors } from './second-factors/routes.ts';
import type { createAccounts } from './service.assembly.ts';
import { bindSigningIn } from './signing-in/routes.ts';

/** Everything about people and their sessions. */
export function bindPeople(
  binder: Binder,
  services: ReturnType<typeof createAccounts>,
  cookies: Cookies,
) {
  bindAccounts(binder, services.accounts, cookies);
  bindSigningIn(binder, services.signingIn, cookies);
  bindRegistration(binder, services.registration);
  bindPasswords(binder, services);
  bindInvitations(binder, services.invitations);
  bindDevices(binder, services.devices);
  bindSecondFactors(binder, services);
}
