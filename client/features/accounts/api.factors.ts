import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { passwordRoutes } from '@matterdesk/contract/passwords.ts';
import { secondFactorRoutes, passkeyRoutes } from '@matterdesk/contract/second-factors.ts';
import { call, CallError } from '../../api.ts';
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
