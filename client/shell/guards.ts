import { redirect } from 'react-router';
import { paths } from '../core/paths.ts';
import { isSignedIn, store } from '../core/store.ts';

/** For pages that need a signed-in user, with a second factor where the firm demands one. */
export function requireSession() {
  if (!isSignedIn()) throw redirect(paths.login);
  if (mustEnrol()) throw redirect(paths.enrol);
  return null;
}

/** For the page that sets up the demanded second factor. */
export function requireEnrolment() {
  if (!isSignedIn()) throw redirect(paths.login);
  if (!mustEnrol()) throw redirect(paths.dashboard);
  return null;
}

/** For the sign-in and registration pages. */
export function requireNoSession() {
  if (isSignedIn()) throw redirect(paths.dashboard);
  return null;
}

function mustEnrol(): boolean {
  return store.getState().user.current?.mustEnrol === true;
}
