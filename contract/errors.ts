import * as z from 'zod/mini';

/** Every refusal the product knows, with its HTTP status and what it says when nothing better is known. */
export const errorCodes = {
  invalidInput: { status: 400, message: 'Something is wrong with the request' },
  invalidToken: { status: 400, message: 'Unauthorized token provided' },
  badCredentials: { status: 401, message: 'Invalid email or password' },
  notPermitted: { status: 403, message: "You're not allowed to take this action" },
  notFound: { status: 404, message: 'Not found' },
  conflict: { status: 409, message: 'This conflicts with what is already there' },
  tooLarge: { status: 413, message: 'The request is too large' },
  unsupportedMedia: { status: 415, message: 'This kind of content is not accepted here' },
  tooManyAttempts: { status: 429, message: 'Too many attempts, please try again later' },
  unexpected: { status: 500, message: 'Something went wrong' },
  upstreamFailed: { status: 502, message: 'A service outside did not answer as expected' },
  upstreamSlow: { status: 504, message: 'A service outside did not answer in time' },
  notConfigured: { status: 503, message: 'An administrator has to configure this first' },
  unavailable: {
    status: 503,
    message: 'The database cannot be reached right now, please try again in a moment',
  },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** One field that is wrong; `path` is dotted (`clientInfo.email`). */
export const FieldErrorSchema = z.object({ path: z.string(), message: z.string() });
export type FieldError = z.infer<typeof FieldErrorSchema>;

/** What every refusal looks like on the wire. */
export const RefusalSchema = z.object({
  statusCode: z.number(),
  message: z.string(),
  body: z.null(),
  errors: z.optional(z.array(FieldErrorSchema)),
});
export type Refusal = z.infer<typeof RefusalSchema>;

/** The same where replies have no envelope. */
export const BareRefusalSchema = z.object({ status: z.number(), message: z.string() });
