import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { passwordRoutes } from '@matterdesk/contract/passwords.ts';
import { passkeyRoutes } from '@matterdesk/contract/second-factors.ts';
import { call, CallError } from '../../api.ts';
import { mutation } from '../../core/mutation.ts';
import { readQuietly } from '../../core/use-read.ts';

export async function listPasskeys() {
  return (await readQuietly(passkeyRoutes.list)).passkeys;
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
  // Password managers add extensions of their own, which no one asked for.
  const { clientExtensionResults: _, ...answer } = await startRegistration({ optionsJSON });
  return call(passkeyRoutes.add, { body: { answer, name }, failing });
}

export const removePasskey = mutation(passkeyRoutes.remove, 'Couldn’t remove the passkey');

/** Asks the browser for a passkey. @throws the browser's error when the user does not want to */
async function ask(failing: string) {
  const asked = await call(passkeyRoutes.beginSignIn, { toasts: 'none', failing });
  const optionsJSON = asked as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { clientExtensionResults: _, ...answer } = await startAuthentication({ optionsJSON });
  return answer;
}

/** @throws the browser's error when the user does not want to */
export async function signInByPasskey() {
  const failing = 'Couldn’t sign in';
  const answer = await ask(failing);
  return call(passkeyRoutes.signIn, { body: { answer }, toasts: 'none', failing });
}

/** Goes on with a covered page, in another session if its own has ended. @returns the session's user, if it is another one */
export async function unlockByPasskey() {
  const failing = 'Couldn’t unlock';
  const body = { answer: await ask(failing) };
  try {
    await call(passwordRoutes.unlock, { body, toasts: 'none', failing });
    return undefined;
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'invalidToken') throw error;
    return call(passkeyRoutes.signIn, { body, toasts: 'none', failing });
  }
}
