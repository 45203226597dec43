import { errorCodes, type ErrorCode } from '@matterdesk/contract/errors.ts';
import type { TwilioFailure } from '../../integrations/twilio/failure.ts';

/** Message for the user and error code of a Twilio failure. */
export type Explanation = { code: ErrorCode; message: string };

export const UNDECIDED =
  'Delivery isn’t confirmed yet. Don’t send this text again: its status is being checked.';

const refusalWith = (code: ErrorCode): Explanation => ({ code, message: errorCodes[code].message });

const sentences: Record<number, Explanation> = {
  21211: { code: 'invalidInput', message: 'This phone number can’t be reached' },
  21217: { code: 'invalidInput', message: 'This phone number can’t be reached' },
  21614: { code: 'invalidInput', message: 'This phone number can’t receive texts' },
  21408: {
    code: 'conflict',
    message:
      'Texts to this region aren’t allowed yet. Ask your administrator to allow it in Twilio under Messaging, Geo permissions.',
  },
  21610: refusalWith('recipientStopped'),
  21612: { code: 'conflict', message: 'Twilio can’t deliver from your number to this one' },
  21606: { code: 'conflict', message: 'Twilio no longer allows texts from your number' },
  30034: {
    code: 'numberNotRegistered',
    message:
      'US carriers block texts from this number until it is registered (A2P 10DLC). Ask your administrator.',
  },
  30032: {
    code: 'numberNotRegistered',
    message:
      'US carriers block texts from this number until its toll-free verification is complete. Ask your administrator.',
  },
  21422: refusalWith('numberTaken'),
  21452: refusalWith('numberTaken'),
  21404: {
    code: 'conflict',
    message:
      'The Twilio trial account can’t buy another number. Ask your administrator to upgrade it.',
  },
  21631: {
    code: 'conflict',
    message: 'Twilio requires an address for this number. Choose another one.',
  },
  21649: {
    code: 'conflict',
    message: 'Twilio requires a regulatory bundle for this number. Choose another one.',
  },
};

export function explain(failure: TwilioFailure): Explanation {
  const known = failure.code === null ? undefined : sentences[failure.code];
  if (known) return known;
  switch (failure.kind) {
    case 'badCredentials':
      return {
        code: 'notConfigured',
        message: 'Twilio rejected the account. Ask your administrator to check its SID and token.',
      };
    case 'rateLimited':
      return {
        code: 'tooManyAttempts',
        message: 'Twilio is limiting requests. Try again in a minute.',
      };
    case 'down':
      return { code: 'upstreamFailed', message: 'Twilio can’t be reached right now' };
    case 'slow':
      return { code: 'upstreamSlow', message: 'Twilio didn’t respond in time' };
    case 'refused':
      return { code: 'upstreamFailed', message: refusalOf(failure) };
  }
}

function refusalOf({ code, words }: TwilioFailure) {
  const number = code === null ? '' : ` (error ${code})`;
  return words === '' ? `Twilio rejected this${number}` : `Twilio rejected this: ${words}${number}`;
}
