import type { Binder } from '../../http/bind.ts';
import type { Cookies } from '../../http/authenticate.ts';
import { serveDevices } from './devices/routes.ts';
import { serveInvitations } from './invitations/routes.ts';
import { servePasswords } from './passwords/routes.ts';
import { serveRegistration } from './registration/routes.ts';
import { serveAccounts } from './routes.ts';
import { serveSecondFactors } from './second-factors/routes.ts';
import { serveSigningIn } from './signing-in/routes.ts';

/** Everything about people and their sessions. */
export function servePeople(binder: Binder, cookies: Cookies) {
  serveAccounts(binder, cookies);
  serveSigningIn(binder, cookies);
  serveRegistration(binder);
  servePasswords(binder);
  serveInvitations(binder);
  serveDevices(binder);
  serveSecondFactors(binder);
}
