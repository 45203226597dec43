// Twilio: numbers, texts, signatures of its webhooks.

import type { Twilio } from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient.js';
import webhooks from 'twilio/lib/webhooks/webhooks.js';
import type { TwilioConfig } from '../../config.ts';
import { toFailure } from './failure.ts';

/** A number for sale. */
type Offer = {
  friendlyName: string;
  phoneNumber: string;
  country: string;
  region: string;
  capabilities: { voice: boolean; SMS: boolean; MMS: boolean };
};

/** Per month, such as '1.15' USD. */
export type Price = { amount: string; currency: string };

type OwnedNumber = { sid: string; phoneNumber: string; friendlyName: string };

/** Twilio's record of a message. Parties can also be short codes or names. */
export type ProviderMessage = {
  sid: string;
  from: string;
  to: string;
  body: string;
  isInbound: boolean;
  status: string;
  errorCode: number | null;
  errorMessage: string | null;
  createdAt: Date;
  /** Null before it is sent. */
  sentAt: Date | null;
  mediaCount: number;
};

/** Verification of a toll-free number in Twilio's words; `reason` of a rejection. */
export type Verification = { status: string; reason: string | null };
/** An A2P 10DLC campaign in Twilio's words; `reason` of a failure. */
export type Campaign = { status: string; reason: string | null };

type MessagePage = { messages: ProviderMessage[]; next: string | undefined };
/** Filter by either or both parties and by sending time. */
type MessageFilter = { from?: string; to?: string; after?: Date; before?: Date };

const MAX_OFFERS = 20;
const PAGE_SIZE = 100;
const MAX_MEDIA = 10;
/** Generous limits on messaging services per account and numbers per service. */
const MAX_SERVICES = 200;
const MAX_NUMBERS = 1000;
const FEW = 20;

type LocalOffer = Awaited<
  ReturnType<ReturnType<Twilio['availablePhoneNumbers']>['local']['list']>
>[number];
type SdkMessage = Awaited<ReturnType<Twilio['messages']['create']>>;

/** Every call to Twilio. Failures are thrown as TwilioFailure. */
export class TwilioClient {
  readonly #config: TwilioConfig;
  #sdk: Promise<Sdk> | undefined;

  constructor(config: TwilioConfig) {
    this.#config = config;
  }

  /** A country's numbers that can send texts. */
  listOffers(country: string, areaCode?: number): Promise<Offer[]> {
    return this.#ask(async (sdk) => {
      const asked = {
        smsEnabled: true,
        limit: MAX_OFFERS,
        ...(areaCode !== undefined && { areaCode }),
      };
      const found = await sdk.availablePhoneNumbers(country).local.list(asked);
      return found.map(toOffer);
    });
  }

  /** Price of a local number in the country; null if Twilio has none. */
  readPrice(country: string): Promise<Price | null> {
    return this.#ask(async (sdk) => {
      const found = await sdk.pricing.v1.phoneNumbers.countries(country).fetch();
      return toPrice(found.phoneNumberPrices, found.priceUnit);
    });
  }

  buyNumber(wish: {
    phoneNumber: string;
    friendlyName: string;
    smsUrl: string | undefined;
  }): Promise<OwnedNumber> {
    const { phoneNumber, friendlyName, smsUrl } = wish;
    const answered = smsUrl === undefined ? {} : { smsUrl, smsMethod: 'POST' };
    return this.#ask((sdk) =>
      sdk.incomingPhoneNumbers.create({ phoneNumber, friendlyName, ...answered }),
    );
  }

  /** Undefined when the account does not own it. */
  findNumber(phoneNumber: string): Promise<OwnedNumber | undefined> {
    return this.#ask(async (sdk) => {
      const found = await sdk.incomingPhoneNumbers.list({ phoneNumber, limit: 5 });
      return found.find((number) => number.phoneNumber === phoneNumber);
    });
  }

  sendText(text: {
    from: string;
    to: string;
    body: string;
    statusCallback: string | undefined;
  }): Promise<ProviderMessage> {
    const { from, to, body, statusCallback } = text;
    const callback = statusCallback === undefined ? {} : { statusCallback };
    return this.#ask(async (sdk) =>
      toMessage(await sdk.messages.create({ from, to, body, ...callback })),
    );
  }

  findMessage(sid: string): Promise<ProviderMessage> {
    return this.#ask(async (sdk) => toMessage(await sdk.messages(sid).fetch()));
  }

  /** A page of messages, newest first. @param next from the previous page */
  listMessages(filter: MessageFilter, next?: string): Promise<MessagePage> {
    const { from, to, after, before } = filter;
    return this.#ask(async (sdk) => {
      const page = next
        ? await sdk.messages.getPage(next)
        : await sdk.messages.page({
            pageSize: PAGE_SIZE,
            ...(from !== undefined && { from }),
            ...(to !== undefined && { to }),
            ...(after && { dateSentAfter: after }),
            ...(before && { dateSentBefore: before }),
          });
      return { messages: page.instances.map(toMessage), next: page.nextPageUrl };
    });
  }

  /** Ids and types of a message's attachments. */
  listMedia(messageSid: string): Promise<{ sid: string; mimeType: string }[]> {
    return this.#ask(async (sdk) => {
      const media = await sdk.messages(messageSid).media.list({ limit: MAX_MEDIA });
      return media.map(({ sid, contentType }) => ({ sid, mimeType: contentType }));
    });
  }

  /** Verification requests of a toll-free number. @param numberSid Twilio's id of the number */
  listVerifications(numberSid: string): Promise<Verification[]> {
    return this.#ask(async ({ messaging }) => {
      const asked = { tollfreePhoneNumberSid: numberSid, limit: FEW };
      const found = await messaging.v1.tollfreeVerifications.list(asked);
      return found.map(({ status, rejectionReason }) => ({ status, reason: rejectionReason }));
    });
  }

  /** Ids of the account's messaging services. */
  listServices(): Promise<string[]> {
    return this.#ask(async ({ messaging }) => {
      const found = await messaging.v1.services.list({ limit: MAX_SERVICES });
      return found.map(({ sid }) => sid);
    });
  }

  /** Ids of the numbers in a messaging service. */
  listServiceNumbers(serviceSid: string): Promise<string[]> {
    return this.#ask(async ({ messaging }) => {
      const found = await messaging.v1
        .services(serviceSid)
        .phoneNumbers.list({ limit: MAX_NUMBERS });
      return found.map(({ sid }) => sid);
    });
  }

  /** A2P 10DLC campaigns of a messaging service. */
  listCampaigns(serviceSid: string): Promise<Campaign[]> {
    return this.#ask(async ({ messaging }) => {
      const found = await messaging.v1.services(serviceSid).usAppToPerson.list({ limit: FEW });
      return found.map(({ campaignStatus, errors }) => ({
        status: campaignStatus,
        reason: reasonIn(errors),
      }));
    });
  }

  async #ask<Answer>(question: (sdk: Sdk) => Promise<Answer>): Promise<Answer> {
    this.#sdk ??= openSdk(this.#config);
    try {
      return await question(await this.#sdk);
    } catch (error) {
      throw toFailure(error);
    }
  }
}

function toOffer({
  friendlyName,
  phoneNumber,
  isoCountry,
  region,
  capabilities,
}: LocalOffer): Offer {
  // Twilio writes SMS and MMS in capitals, and its library's type does not.
  const can = (capabilities ?? {}) as unknown as Record<string, unknown>;
  return {
    friendlyName,
    phoneNumber,
    country: isoCountry,
    region: region ?? '',
    capabilities: {
      voice: can['voice'] === true,
      SMS: (can['SMS'] ?? can['sms']) === true,
      MMS: (can['MMS'] ?? can['mms']) === true,
    },
  };
}

/** Twilio's message of a campaign's first error. */
function reasonIn(errors: unknown): string | null {
  const [first] = (Array.isArray(errors) ? errors : []) as Record<string, unknown>[];
  const { description, error_code: code } = first ?? {};
  if (typeof description === 'string' && description !== '') return description;
  return typeof code === 'number' ? `error ${code} of Twilio` : null;
}

function toMessage(found: SdkMessage): ProviderMessage {
  const { sid, from, to, body, direction, status, errorCode, errorMessage } = found;
  return {
    sid,
    from: from ?? '',
    to: to ?? '',
    body: body ?? '',
    isInbound: direction === 'inbound',
    status,
    errorCode: errorCode ?? null,
    errorMessage: errorMessage ?? null,
    createdAt: toDate(found.dateCreated) ?? new Date(),
    sentAt: toDate(found.dateSent),
    mediaCount: Math.min(MAX_MEDIA, Number(found.numMedia) || 0),
  };
}

/** The library turns an empty date into an invalid one. */
function toDate(date: Date | null | undefined): Date | null {
  return date && !Number.isNaN(date.getTime()) ? date : null;
}

type SdkPrice = { numberType?: string; currentPrice?: number };

function toPrice(prices: readonly SdkPrice[], currency: string): Price | null {
  // Twilio writes amounts as text, and its library's type does not.
  const amount = Number(prices.find(({ numberType }) => numberType === 'local')?.currentPrice);
  return Number.isFinite(amount) ? { amount: amount.toFixed(2), currency } : null;
}

/** Longest wait in milliseconds between tries after 429, and the number of tries. */
const MAX_PAUSE_MS = 2000;
const MAX_RETRIES = 4;

type Sdk = Twilio;

/** Imported on demand, since Twilio's library costs a second and 30 MB. */
async function openSdk(config: TwilioConfig): Promise<Sdk> {
  const { default: twilio } = await import('twilio');
  class MappedClient extends twilio.RequestClient {
    override request<Data>(options: RequestClient.RequestOptions<Data>) {
      return super.request({ ...options, uri: addressOf(options.uri, config.baseUrl) });
    }
  }
  return twilio(config.accountSid, config.authToken, {
    // Ignore other environment variables that would redirect requests.
    env: {},
    httpClient: new MappedClient({
      timeout: config.timeoutMs,
      // Only after 429, which means that nothing was done, so that no text is sent twice.
      autoRetry: true,
      maxRetryDelay: MAX_PAUSE_MS,
      maxRetries: MAX_RETRIES,
    }),
  });
}

/**
 * Sends requests to Twilio's hosts, or to the emulator.
 * @throws for any other host, so that no credentials leave
 */
export function addressOf(uri: string, baseUrl: string | undefined): string {
  const url = new URL(uri);
  if (baseUrl) {
    const base = new URL(baseUrl);
    return `${base.origin}${base.pathname.replace(/(?<!\/)\/+$/, '')}${url.pathname}${url.search}`;
  }
  if (url.protocol !== 'https:' || !/(^|\.)twilio\.com$/.test(url.hostname))
    throw new Error('not an address of Twilio');
  return url.href;
}

type SignedForm = {
  /** The URL that Twilio called: PUBLIC_URL, path and query. */
  url: string;
  signature: string;
  form: Record<string, string | string[]>;
};

/** True when the form was signed with the account's token. */
export function isSignedByTwilio(authToken: string, { url, signature, form }: SignedForm): boolean {
  return webhooks.validateRequest(authToken, signature, url, form);
}
