// Registration of a number with US carriers, and what its owner should know about it.

import type { RegistrationState } from '@matterdesk/contract/messages.ts';
import type { Campaign, Verification } from '../../../integrations/twilio/client.ts';

export type Registration = { state: RegistrationState; reason: string | null };

/** US carriers deliver texts of +1 numbers only when registered. */
export function needsRegistration(phoneNumber: string): boolean {
  return phoneNumber.startsWith('+1');
}

/** Toll-free numbers need verification, all others an A2P 10DLC campaign. */
export function isTollFree(phoneNumber: string): boolean {
  return /^\+18(00|33|44|55|66|77|88)/.test(phoneNumber);
}

/** The furthest of a toll-free number's verifications; after a rejection there can be several. */
export function registrationByVerifications(verifications: readonly Verification[]): Registration {
  return furthest(
    verifications.map(({ status, reason }) => {
      if (status === 'TWILIO_APPROVED') return { state: 'registered', reason: null };
      if (status === 'TWILIO_REJECTED') return { state: 'rejected', reason };
      return { state: 'inReview', reason: null };
    }),
  );
}

/** The furthest of the campaigns of the number's messaging service. */
export function registrationByCampaigns(campaigns: readonly Campaign[]): Registration {
  return furthest(
    campaigns.map(({ status, reason }) => {
      if (status === 'VERIFIED') return { state: 'registered', reason: null };
      if (status === 'FAILED' || status === 'SUSPENDED') return { state: 'rejected', reason };
      return { state: 'inReview', reason: null };
    }),
  );
}

function furthest(found: readonly Registration[]): Registration {
  const of = (wanted: RegistrationState) => found.find(({ state }) => state === wanted);
  return of('registered') ?? of('inReview') ?? of('rejected') ?? { state: 'missing', reason: null };
}

/** A number's registration at Twilio, if read, and the carriers' last result. */
export type KnownNumber = {
  phone_number: string;
  registration: RegistrationState | null;
  registration_reason: string | null;
  is_registered: boolean | null;
};

/** Why US carriers may block texts from a number, and what to do; null without obstacles. */
export function noticeOf(known: KnownNumber): string | null {
  const { phone_number: phoneNumber, registration, registration_reason: reason } = known;
  if (!needsRegistration(phoneNumber)) return null;
  const what = isTollFree(phoneNumber) ? 'toll-free verification' : 'A2P 10DLC registration';
  const until = `texts from this number until its ${what} is complete. Ask your administrator.`;
  switch (registration) {
    case 'registered':
      return known.is_registered === false
        ? `The ${what} of this number is approved, but a carrier blocked a text since. A new approval can take days to reach every carrier.`
        : null;
    case 'inReview':
      return `The ${what} of this number is in review. Until it is approved, US carriers may block its texts.`;
    case 'rejected':
      return `The ${what} of this number was rejected${reasonSuffix(reason)} Ask your administrator to correct it in Twilio.`;
    case 'missing':
      return `US carriers block ${until}`;
    case null:
      if (known.is_registered === true) return null;
      return known.is_registered === false
        ? `US carriers block ${until}`
        : `US carriers may block ${until}`;
  }
}

function reasonSuffix(reason: string | null) {
  const words = reason?.trim() ?? '';
  if (words === '') return '.';
  return /[.!?]$/.test(words) ? `: ${words}` : `: ${words}.`;
}
