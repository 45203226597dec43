import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { passkeyRoutes } from '@matterdesk/contract/passkeys.ts';
import { call } from '../../api.ts';

export async function listPasskeys() {
  return (await call(passkeyRoutes.list, { toasts: 'none' })).passkeys;
}

/** Asks the browser for a new passkey. @throws the browser's error when the user does not want to */
export async function addPasskey({
  currentPassword,
  name,
}: Record<'currentPassword' | 'name', string>) {
  const failing = 'Couldn’t add the passkey';
  const body = { currentPassword };
  const asked = await call(passkeyRoutes.begin, { body, toasts: 'none', failing });
  const optionsJSON = asked as unknown as PublicKeyCredentialCreationOptionsJSON;
  const answer = await startRegistration({ optionsJSON });
  return call(passkeyRoutes.add, { body: { answer, name }, failing });
}

export function removePasskey(id: string, currentPassword: string) {
  return call(passkeyRoutes.remove, {
    params: { id },
    body: { currentPassword },
    failing: 'Couldn’t remove the passkey',
  });
}

/** @throws the browser's error when the user does not want to */
export async function signInByPasskey() {
  const failing = 'Couldn’t sign in';
  const asked = await call(passkeyRoutes.beginSignIn, { toasts: 'none', failing });
  const optionsJSON = asked as unknown as PublicKeyCredentialRequestOptionsJSON;
  const answer = await startAuthentication({ optionsJSON });
  return call(passkeyRoutes.signIn, { body: { answer }, toasts: 'none', failing });
}
