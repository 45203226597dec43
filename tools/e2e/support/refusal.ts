import { errorCodes, type ErrorCode } from '@matterdesk/contract/errors.ts';
import type { FieldError } from '@matterdesk/contract/field-errors.ts';

/** A server refusal for `route.fulfill`. */
export function refusal(code: ErrorCode, message: string, errors: FieldError[] = []) {
  const { status } = errorCodes[code];
  return { status, json: { statusCode: status, code, message, body: null, errors } };
}
