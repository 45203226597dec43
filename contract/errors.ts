import * as z from 'zod/mini';

/** An invalid field; `path` is dotted (`clientInfo.email`). */
export const FieldErrorSchema = z.object({ path: z.string(), message: z.string() });
export type FieldError = z.infer<typeof FieldErrorSchema>;

/**
 * Every refusal, with its HTTP status and the message it has when the server gives no better one. Programs go by the
 * code: several codes share a status, and messages may be reworded.
 */
export const errorCodes = {
  invalidInput: { status: 400, message: 'Invalid request' },
  wrongPassword: { status: 400, message: 'The password is not right' },
  linkDead: { status: 400, message: 'This link has expired or was used already' },
  invalidToken: { status: 400, message: 'Unauthorized token provided' },
  badCredentials: { status: 401, message: 'Invalid email or password' },
  codeRequired: { status: 401, message: 'Enter the code of your authenticator app' },
  passkeyRequired: { status: 401, message: 'Use your passkey or a recovery code' },
  passkeyRefused: { status: 401, message: 'This passkey does not open an account here' },
  wrongCode: { status: 401, message: 'This code is not right' },
  notPermitted: { status: 403, message: "You're not allowed to take this action" },
  mustEnrol: { status: 403, message: 'Please set up a second factor first' },
  accountWaiting: { status: 403, message: 'Your account is waiting for approval' },
  accountDeactivated: { status: 403, message: 'Your account is deactivated' },
  registrationClosed: { status: 403, message: 'Registration is closed' },
  setupCodeWrong: {
    status: 403,
    message: 'Enter the setup code that the server printed when it started',
  },
  invitationDead: { status: 403, message: 'This invitation is no longer valid' },
  googleScopesMissing: { status: 403, message: 'Google did not grant every permission' },
  notFound: { status: 404, message: 'Not found' },
  notTrained: { status: 404, message: 'Not trained yet' },
  conflict: { status: 409, message: 'This conflicts with existing data' },
  alreadyExists: { status: 409, message: 'This already exists' },
  invited: {
    status: 409,
    message: 'This address has an invitation; please use its link',
  },
  idempotencyKeyReused: {
    status: 409,
    message: 'This Idempotency-Key was used for another request',
  },
  notReady: { status: 409, message: 'This is not trained yet' },
  boardFull: { status: 409, message: 'The board is full' },
  lastAdmin: { status: 409, message: 'The last active admin cannot be demoted or deactivated' },
  lastFactor: {
    status: 409,
    message: 'Your firm requires a second factor: the last one cannot be removed',
  },
  totpOn: { status: 409, message: 'Your authenticator app is on already: turn it off first' },
  googleNotConnected: { status: 409, message: 'Connect Google to use e-mail' },
  googleGrantLost: {
    status: 409,
    message: 'Google no longer grants access; please connect again',
  },
  recipientStopped: {
    status: 409,
    message:
      'This person has replied STOP and receives no texts from this number until they reply START',
  },
  numberNotRegistered: {
    status: 409,
    message: 'Carriers in the US refuse texts from your number until it is registered',
  },
  numberOwned: { status: 409, message: 'You already have a number' },
  numberTaken: {
    status: 409,
    message: 'This number was just taken. Choose another one.',
  },
  tooLarge: { status: 413, message: 'The request is too large' },
  wrongHost: { status: 421, message: 'This server does not answer to that name' },
  unsupportedMedia: { status: 415, message: 'Unsupported content type' },
  nothingMade: { status: 422, message: 'None of the documents could be made' },
  tooManyAttempts: { status: 429, message: 'Too many attempts, please try again later' },
  unexpected: { status: 500, message: 'Something went wrong' },
  upstreamFailed: { status: 502, message: 'An outside service returned an unexpected reply' },
  upstreamSlow: { status: 504, message: 'An outside service did not reply in time' },
  storageFull: {
    status: 507,
    message: 'The storage is full: ask your administrator to make room',
  },
  outcomeUnknown: { status: 504, message: 'It is not known yet whether this was done' },
  notConfigured: { status: 503, message: 'This isn’t set up yet. Ask your administrator.' },
  unavailable: {
    status: 503,
    message: 'The database is unavailable. Try again in a moment.',
  },
} as const;

export type ErrorCode = keyof typeof errorCodes;
const ErrorCodeSchema = z.enum(Object.keys(errorCodes) as ErrorCode[]);

/** Shape of every refusal on the wire. */
export const RefusalSchema = z.object({
  statusCode: z.number(),
  code: ErrorCodeSchema,
  message: z.string(),
  body: z.null(),
  errors: z.optional(z.array(FieldErrorSchema)),
});
export type Refusal = z.infer<typeof RefusalSchema>;

/** Shape of refusals where replies have no envelope. */
export const BareRefusalSchema = z.object({
  status: z.number(),
  code: ErrorCodeSchema,
  message: z.string(),
});
export type BareRefusal = z.infer<typeof BareRefusalSchema>;
