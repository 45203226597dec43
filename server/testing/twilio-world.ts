import { randomBytes } from 'node:crypto';

export type Status =
  | 'queued'
  | 'sending'
  | 'sent'
  | 'delivered'
  | 'undelivered'
  | 'failed'
  | 'received';

export type Medium = { sid: string; contentType: string; bytes: Buffer };

/** A text message in Twilio's records. */
export type TwilioMessage = {
  sid: string;
  direction: 'inbound' | 'outbound-api' | 'outbound-reply';
  from: string;
  to: string;
  body: string;
  media: Medium[];
  status: Status;
  errorCode: number | null;
  created: Date;
  /** Sending time; null before. */
  sent: Date | null;
  updated: Date;
  statusCallback: string | undefined;
};

/** A number of the account. */
export type OwnedNumber = {
  sid: string;
  phoneNumber: string;
  friendlyName: string;
  smsUrl: string;
  smsMethod: string;
  statusCallback: string;
  created: Date;
  updated: Date;
};

/** Twilio's states of an A2P 10DLC campaign. */
export type CampaignStatus = 'PENDING' | 'IN_PROGRESS' | 'VERIFIED' | 'FAILED' | 'SUSPENDED';
/** Twilio's states of a toll-free verification. */
export type VerificationStatus =
  | 'PENDING_REVIEW'
  | 'IN_REVIEW'
  | 'TWILIO_APPROVED'
  | 'TWILIO_REJECTED';

/** A messaging service with its numbers and campaign. */
export type MessagingService = {
  sid: string;
  /** Ids of its numbers. */
  numbers: string[];
  campaign: { sid: string; status: CampaignStatus; reason: string | null } | undefined;
};

export type TollFreeVerification = {
  sid: string;
  number: OwnedNumber;
  status: VerificationStatus;
  reason: string | null;
};

/** Everything of the account. */
export type World = {
  accountSid: string;
  authToken: string;
  /** The stand-in's own origin. */
  url: string;
  numbers: OwnedNumber[];
  /** Numbers bought by other accounts. */
  sold: Set<string>;
  /** Oldest first. */
  messages: TwilioMessage[];
  /** Opt-outs as `own number other's number`. */
  optedOut: Set<string>;
  services: MessagingService[];
  verifications: TollFreeVerification[];
  /** Called for each message that the product sends. */
  onCreate: (message: TwilioMessage) => void;
  /** Called for each number that the product buys. */
  onBuy: (number: OwnedNumber) => void;
};

/** `SM` and 32 hexadecimal digits, like all of Twilio's ids. */
export function newSid(prefix: string): string {
  return prefix + randomBytes(16).toString('hex');
}

export function ownNumber(phoneNumber: string, given: Partial<OwnedNumber> = {}): OwnedNumber {
  const now = new Date();
  return {
    sid: newSid('PN'),
    phoneNumber,
    friendlyName: phoneNumber,
    smsUrl: '',
    smsMethod: 'POST',
    statusCallback: '',
    created: now,
    updated: now,
    ...given,
  };
}

/** A new message, not stored yet. */
export function newMessage(
  given: Pick<TwilioMessage, 'direction' | 'from' | 'to' | 'body'> & Partial<TwilioMessage>,
): TwilioMessage {
  const now = new Date();
  return {
    sid: newSid(given.media?.length ? 'MM' : 'SM'),
    media: [],
    status: 'queued',
    errorCode: null,
    created: now,
    sent: null,
    updated: now,
    statusCallback: undefined,
    ...given,
  };
}

/** `Sat, 21 Nov 2026 21:14:10 +0000` */
export function rfc2822(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000');
}

export function isE164(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}
