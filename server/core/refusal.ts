import { errorCodes, type ErrorCode, type FieldError } from '@matterdesk/contract/errors.ts';

type Detail = {
  errors?: FieldError[];
  /** Seconds to wait before a retry. */
  retryAfter?: number;
  cause?: unknown;
  /** Remedy for an administrator, with names of settings; others are referred to an administrator. */
  steps?: string;
};

const ASK = 'Ask your administrator.';
const TOO_MANY = 429;
/** Seconds to wait where no limit says for how long. */
const DEFAULT_RETRY_SECONDS = 60;

/** Any expected "no". `message` is shown to the user; details for the log alone belong in `cause`. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: FieldError[] | undefined;
  readonly retryAfter: number | undefined;
  /** `message` as administrators read it. */
  readonly messageForAdmins: string;

  constructor(code: ErrorCode, message?: string, detail: Detail = {}) {
    const reason = message ?? errorCodes[code].message;
    super(detail.steps === undefined ? reason : `${reason} ${ASK}`, { cause: detail.cause });
    this.messageForAdmins = detail.steps === undefined ? reason : `${reason} ${detail.steps}`;
    this.code = code;
    this.status = errorCodes[code].status;
    this.errors = detail.errors;
    this.retryAfter =
      detail.retryAfter ?? (this.status === TOO_MANY ? DEFAULT_RETRY_SECONDS : undefined);
  }
}

/** A 400 with the message of the first field. */
export function invalidFields(errors: FieldError[]): Refusal {
  return new Refusal('invalidInput', errors[0]?.message, { errors });
}

export function invalidField(path: string, message: string): Refusal {
  return fieldRefusal('invalidInput', path, message);
}

/** Shown at the field that it names. */
export function fieldRefusal(code: ErrorCode, path: string, message?: string): Refusal {
  const reason = message ?? errorCodes[code].message;
  return new Refusal(code, reason, { errors: [{ path, message: reason }] });
}

/** `<Thing> not found`. */
export function notFound(thing: string): Refusal {
  return new Refusal('notFound', `${thing} not found`);
}
