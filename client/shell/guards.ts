import { redirect } from 'react-router';
import { paths } from '../core/paths.ts';
import { isSignedIn } from '../core/store.ts';

/** For pages of people who are signed in. */
export function requireSession() {
  if (!isSignedIn()) throw redirect(paths.login);
  return null;
}

/** For the pages that lead in. */
export function requireNoSession() {
  if (isSignedIn()) throw redirect(paths.dashboard);
  return null;
}
