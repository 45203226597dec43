import { errorCodes, type ErrorCode } from '@matterdesk/contract/errors.ts';
import type { TwilioFailure } from '../../integrations/twilio/failure.ts';

/** What the person is told of a failure of Twilio's, and under which code of the contract. */
export type Told = { code: ErrorCode; message: string };

export const UNDECIDED =
  'Twilio has not said yet whether this text was sent. Its state is being found out; please do not send it again';

const refusalWith = (code: ErrorCode): Told => ({ code, message: errorCodes[code].message });

const sentences: Record<number, Told> = {
  21211: { code: 'invalidInput', message: 'This is not a phone number that can be reached' },
  21217: { code: 'invalidInput', message: 'This is not a phone number that can be reached' },
  21614: { code: 'invalidInput', message: 'This phone number cannot receive texts' },
  21408: {
    code: 'conflict',
    message:
      'Texts to this region are not allowed yet: an administrator allows it at Twilio under Messaging, Geo permissions',
  },
  21610: refusalWith('recipientStopped'),
  21612: { code: 'conflict', message: 'Twilio has no way from your number to this one' },
  21606: { code: 'conflict', message: 'Your number cannot send texts at Twilio any more' },
  30034: {
    code: 'numberNotRegistered',
    message:
      'Carriers in the US refuse texts from your number: an administrator completes its A2P 10DLC registration, as docs/twilio.md describes',
  },
  30032: {
    code: 'numberNotRegistered',
    message:
      'Carriers in the US refuse texts from your number: an administrator completes its toll-free verification, as docs/twilio.md describes',
  },
  21422: refusalWith('numberTaken'),
  21452: refusalWith('numberTaken'),
  21404: {
    code: 'conflict',
    message: 'A trial account at Twilio buys no further number: an administrator upgrades it',
  },
  21631: {
    code: 'conflict',
    message: 'Twilio asks for an address before it sells this number: please choose another one',
  },
  21649: {
    code: 'conflict',
    message:
      'Twilio asks for a regulatory bundle before it sells this number: please choose another one',
  },
};

export function tell(failure: TwilioFailure): Told {
  const known = failure.code === null ? undefined : sentences[failure.code];
  if (known) return known;
  switch (failure.kind) {
    case 'badCredentials':
      return {
        code: 'notConfigured',
        message:
          'Twilio does not accept the account: an administrator checks TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN',
      };
    case 'rateLimited':
      return {
        code: 'tooManyAttempts',
        message: 'Twilio takes no more requests for the moment, please try again in a minute',
      };
    case 'down':
      return { code: 'upstreamFailed', message: 'Twilio cannot be reached at the moment' };
    case 'slow':
      return { code: 'upstreamSlow', message: 'Twilio did not answer in time' };
    case 'refused':
      return { code: 'upstreamFailed', message: refusalOf(failure) };
  }
}

function refusalOf({ code, words }: TwilioFailure) {
  const number = code === null ? '' : ` (error ${code})`;
  return words === '' ? `Twilio refused this${number}` : `Twilio refused this: ${words}${number}`;
}
