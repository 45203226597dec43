import * as z from 'zod/mini';
import { password } from './accounts.ts';
import { defineRoute } from './route.ts';
import { line } from './text.ts';

/** Six digits of an authenticator app, or a recovery code; blanks and dashes do not matter. */
const code = line('Code', { max: 40 });

export const CurrentPasswordSchema = z.strictObject({ currentPassword: password });
export const CodeSchema = z.strictObject({ code });
export const TotpRemovalSchema = z.strictObject({ currentPassword: password, code });

const path = '/api/v1/users/me/totp';

export const secondFactorRoutes = {
  beginTotp: defineRoute({
    method: 'POST',
    path,
    summary: 'A new secret for an authenticator app, which counts once a code confirms it',
    access: 'signedIn',
    whileEnrolling: true,
    body: CurrentPasswordSchema,
    /** The secret in base32, and the same as an `otpauth:` address for a QR code. */
    reply: z.object({ secret: z.string(), url: z.string() }),
    message: 'Scan the code with your authenticator app',
  }),
  confirmTotp: defineRoute({
    method: 'POST',
    path: `${path}/confirm`,
    summary: 'Turns the authenticator app on; the reply has recovery codes, which end older ones',
    access: 'signedIn',
    whileEnrolling: true,
    body: CodeSchema,
    reply: z.object({ recoveryCodes: z.array(z.string()) }),
    message: 'Authenticator app turned on',
  }),
  endTotp: defineRoute({
    method: 'DELETE',
    path,
    summary: 'Turns the authenticator app off',
    access: 'signedIn',
    whileEnrolling: true,
    body: TotpRemovalSchema,
    reply: z.null(),
    message: 'Authenticator app turned off',
  }),
  removeSecondFactor: defineRoute({
    method: 'DELETE',
    path: '/api/v1/users/{id}/secondFactor',
    summary: 'Removes the app, the passkeys and the recovery codes of a user who lost them',
    access: 'admin',
    reply: z.null(),
    message: 'Second factor removed',
  }),
};
