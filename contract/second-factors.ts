import * as z from 'zod/mini';
import { password, SignedInSchema } from './accounts.ts';
import { defineRoute } from './route.ts';
import { line } from './text.ts';

/** Six digits of an authenticator app, or a recovery code; blanks and dashes do not matter. */
const code = line('Code', { max: 40 });

const CurrentPasswordSchema = z.strictObject({ currentPassword: password });
const CodeSchema = z.strictObject({ code });
const TotpRemovalSchema = z.strictObject({ currentPassword: password, code });

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

const PasskeySchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  usedAt: z.nullable(z.string()),
});
export type Passkey = z.infer<typeof PasskeySchema>;

/** Options for the browser's WebAuthn, in the JSON form of its Level 3. */
const OptionsSchema = z.looseObject({ challenge: z.string() });
/** Bytes in base64url. Without an attestation, which is not asked for, none are longer. */
function bytes(name: string) {
  const message = `${name} must be bytes in base64url`;
  return z.string(message).check(z.maxLength(4000, message), z.regex(/^[\w-]+$/, message));
}

const members = {
  id: bytes('Id'),
  rawId: bytes('Raw id'),
  type: z.literal('public-key', 'Type must be public-key'),
  authenticatorAttachment: z.optional(
    z.enum(['platform', 'cross-platform'], 'Attachment must be platform or cross-platform'),
  ),
  clientExtensionResults: z.optional(
    z.strictObject({
      credProps: z.optional(
        z.strictObject({ rk: z.optional(z.boolean('Rk must be true or false')) }),
      ),
    }),
  ),
};

/** The browser's answer for a new passkey, or for one that signs in. */
const NewAnswerSchema = z.strictObject(
  {
    ...members,
    response: z.strictObject({
      clientDataJSON: bytes('Client data'),
      attestationObject: bytes('Attestation'),
      authenticatorData: z.optional(bytes('Authenticator data')),
      publicKey: z.optional(bytes('Public key')),
      /** EdDSA, ES256 and RS256 of COSE, which are asked for. */
      publicKeyAlgorithm: z.optional(
        z.literal([-8, -7, -257], 'Algorithm must be one of -8, -7, -257'),
      ),
      transports: z.optional(z.array(line('Transport', { max: 30 }))),
    }),
  },
  'Answer must be an object',
);
export const PasskeyAnswerSchema = z.strictObject(
  {
    ...members,
    response: z.strictObject({
      clientDataJSON: bytes('Client data'),
      authenticatorData: bytes('Authenticator data'),
      signature: bytes('Signature'),
      userHandle: z.optional(bytes('User handle')),
    }),
  },
  'Answer must be an object',
);
export type NewPasskeyAnswer = z.infer<typeof NewAnswerSchema>;
export type PasskeyAnswer = z.infer<typeof PasskeyAnswerSchema>;

const PasskeySignInSchema = z.strictObject({ answer: PasskeyAnswerSchema });
const NewPasskeySchema = z.strictObject({
  answer: NewAnswerSchema,
  name: line('Name', { max: 100 }),
});
export type NewPasskey = z.infer<typeof NewPasskeySchema>;

const passkeyPath = '/api/v1/users/me/passkeys';
const own = { access: 'signedIn', whileEnrolling: true } as const;

export const passkeyRoutes = {
  beginSignIn: defineRoute({
    method: 'POST',
    path: '/api/v1/users/login/passkey/options',
    summary: 'What a browser asks a passkey for a sign-in, for five minutes',
    access: 'anyone',
    reply: OptionsSchema,
    message: 'OK',
  }),
  signIn: defineRoute({
    method: 'POST',
    path: '/api/v1/users/login/passkey',
    summary: 'Opens a session by a passkey, which stands for password and code',
    access: 'anyone',
    body: PasskeySignInSchema,
    reply: SignedInSchema,
    message: 'Signed in',
  }),
  begin: defineRoute({
    method: 'POST',
    path: `${passkeyPath}/options`,
    summary: 'What a browser asks a new passkey, for five minutes',
    ...own,
    body: CurrentPasswordSchema,
    reply: OptionsSchema,
    message: 'OK',
  }),
  add: defineRoute({
    method: 'POST',
    path: passkeyPath,
    summary: 'Adds a passkey; with the first one come recovery codes, which end older ones',
    ...own,
    body: NewPasskeySchema,
    reply: z.object({ passkey: PasskeySchema, recoveryCodes: z.optional(z.array(z.string())) }),
    status: 201,
    message: 'Passkey added',
  }),
  list: defineRoute({
    method: 'GET',
    path: passkeyPath,
    summary: 'The user’s passkeys, the oldest first',
    ...own,
    reply: z.object({ passkeys: z.array(PasskeySchema) }),
    message: 'OK',
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: `${passkeyPath}/{id}`,
    summary: 'Removes a passkey of the user',
    ...own,
    body: CurrentPasswordSchema,
    reply: z.null(),
    message: 'Passkey removed',
  }),
};
