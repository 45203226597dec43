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

/** A text message as Twilio keeps it. */
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
  /** When it left; null before. */
  sent: Date | null;
  updated: Date;
  statusCallback: string | undefined;
};

/** A number that the account owns. */
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

/** Twilio's words for how far a campaign of A2P 10DLC has come. */
export type CampaignStatus = 'PENDING' | 'IN_PROGRESS' | 'VERIFIED' | 'FAILED' | 'SUSPENDED';
/** And for how far a toll-free number's verification has. */
export type VerificationStatus =
  | 'PENDING_REVIEW'
  | 'IN_REVIEW'
  | 'TWILIO_APPROVED'
  | 'TWILIO_REJECTED';

/** A messaging service, which holds numbers and sends for a campaign. */
export type MessagingService = {
  sid: string;
  /** Ids of the numbers in it. */
  numbers: string[];
  campaign: { sid: string; status: CampaignStatus; reason: string | null } | undefined;
};

export type TollFreeVerification = {
  sid: string;
  number: OwnedNumber;
  status: VerificationStatus;
  reason: string | null;
};

/** Everything that the account has at Twilio. */
export type World = {
  accountSid: string;
  authToken: string;
  /** The stand-in's own origin. */
  url: string;
  numbers: OwnedNumber[];
  /** Numbers that somebody else has bought. */
  sold: Set<string>;
  /** Oldest first. */
  messages: TwilioMessage[];
  /** `own number other's number`: whoever said STOP to it. */
  optedOut: Set<string>;
  services: MessagingService[];
  verifications: TollFreeVerification[];
  /** Told of each message that the product has Twilio send. */
  onCreate: (message: TwilioMessage) => void;
  /** Told of each number that the product buys. */
  onBuy: (number: OwnedNumber) => void;
};

/** `SM` and 32 hexadecimal digits, as all of Twilio's names. */
export function newSid(prefix: string): string {
  return prefix + randomBytes(16).toString('hex');
}

export function ownNumber(phoneNumber: string, told: Partial<OwnedNumber> = {}): OwnedNumber {
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
    ...told,
  };
}

/** A message that exists from now on; it is not yet anywhere. */
export function newMessage(
  told: Pick<TwilioMessage, 'direction' | 'from' | 'to' | 'body'> & Partial<TwilioMessage>,
): TwilioMessage {
  const now = new Date();
  return {
    sid: newSid(told.media?.length ? 'MM' : 'SM'),
    media: [],
    status: 'queued',
    errorCode: null,
    created: now,
    sent: null,
    updated: now,
    statusCallback: undefined,
    ...told,
  };
}

/** `Sat, 21 Nov 2026 21:14:10 +0000` */
export function rfc2822(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000');
}

export function isE164(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}
