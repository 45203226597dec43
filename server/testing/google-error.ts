import type { Answer } from './stand-in.ts';

const REASONS: Record<number, [reason: string, status: string, message: string]> = {
  400: ['invalidArgument', 'INVALID_ARGUMENT', 'Invalid argument'],
  401: ['authError', 'UNAUTHENTICATED', 'Invalid Credentials'],
  403: ['rateLimitExceeded', 'PERMISSION_DENIED', 'User-rate limit exceeded.'],
  404: ['notFound', 'NOT_FOUND', 'Requested entity was not found.'],
  413: ['uploadTooLarge', 'INVALID_ARGUMENT', 'Request Entity Too Large'],
  429: ['rateLimitExceeded', 'RESOURCE_EXHAUSTED', 'Too many concurrent requests for user.'],
  503: ['backendError', 'UNAVAILABLE', 'The service is currently unavailable.'],
};

/** An error in the form of Google's APIs. */
export function googleError(code: number, given: { message?: string; reason?: string } = {}) {
  const [reason, status, message] = REASONS[code] ?? [
    'backendError',
    'INTERNAL',
    'Internal error.',
  ];
  const said = { message: given.message ?? message, reason: given.reason ?? reason };
  return {
    error: { code, message: said.message, errors: [{ ...said, domain: 'global' }], status },
  };
}

/** The same as a reply. */
export function refuse(status: number, given?: { message?: string; reason?: string }): Answer {
  return { status, body: googleError(status, given) };
}
