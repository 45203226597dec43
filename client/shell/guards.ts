import { redirect } from 'react-router';
import { paths } from '../core/paths.ts';
import { isSignedIn } from '../core/store.ts';

/** For pages that need a signed-in user. */
export function requireSession() {
  if (!isSignedIn()) throw redirect(paths.login);
  return null;
}

/** For the sign-in and registration pages. */
export function requireNoSession() {
  if (isSignedIn()) throw redirect(paths.dashboard);
  return null;
}
