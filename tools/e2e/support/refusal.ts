import { errorCodes, type ErrorCode, type FieldError } from '@matterdesk/contract/errors.ts';

/** For `route.fulfill`: what the server replies when it refuses. */
export function refusal(code: ErrorCode, message: string, errors: FieldError[] = []) {
  const { status } = errorCodes[code];
  return { status, json: { statusCode: status, code, message, body: null, errors } };
}
