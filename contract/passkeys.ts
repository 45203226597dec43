import * as z from 'zod/mini';
import { SignedInSchema } from './accounts.ts';
import { defineRoute } from './route.ts';
import { CurrentPasswordSchema } from './second-factors.ts';
import { line } from './text.ts';

export const PasskeySchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  usedAt: z.nullable(z.string()),
});
export type Passkey = z.infer<typeof PasskeySchema>;

/** What the browser's WebAuthn is asked, in the JSON form of its Level 3. */
const OptionsSchema = z.looseObject({ challenge: z.string() });
/** What it answers; the server verifies the rest. */
export const PasskeyAnswerSchema = z.looseObject(
  {
    id: z.string('Answer must have an id'),
    response: z.looseObject({}, 'Answer must have a response'),
  },
  'Answer must be an object',
);
export type PasskeyAnswer = z.infer<typeof PasskeyAnswerSchema>;

export const PasskeySignInSchema = z.strictObject({ answer: PasskeyAnswerSchema });
export const NewPasskeySchema = z.strictObject({
  answer: PasskeyAnswerSchema,
  name: line('Name', { max: 100 }),
});
export type NewPasskey = z.infer<typeof NewPasskeySchema>;

const path = '/api/v1/users/me/passkeys';
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
    path: `${path}/options`,
    summary: 'What a browser asks a new passkey, for five minutes',
    ...own,
    body: CurrentPasswordSchema,
    reply: OptionsSchema,
    message: 'OK',
  }),
  add: defineRoute({
    method: 'POST',
    path,
    summary: 'Adds a passkey; with the first one come recovery codes, which end older ones',
    ...own,
    body: NewPasskeySchema,
    reply: z.object({ passkey: PasskeySchema, recoveryCodes: z.optional(z.array(z.string())) }),
    status: 201,
    message: 'Passkey added',
  }),
  list: defineRoute({
    method: 'GET',
    path,
    summary: 'The user’s passkeys, the oldest first',
    ...own,
    reply: z.object({ passkeys: z.array(PasskeySchema) }),
    message: 'OK',
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Removes a passkey of the user',
    ...own,
    body: CurrentPasswordSchema,
    reply: z.null(),
    message: 'Passkey removed',
  }),
};
