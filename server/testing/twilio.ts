import { setTimeout as wait } from 'node:timers/promises';
import { startStandIn, type Journaled, type StandIn } from './stand-in.ts';
import { answerTwilio } from './twilio-api.ts';
import { violationsOf } from './twilio-contract.ts';
import { twilioError } from './twilio-error.ts';
import { heedKeyword } from './twilio-keywords.ts';
import { fateOf } from './twilio-messages.ts';
import { enterCampaign } from './twilio-registrations.ts';
import {
  callWebhook,
  inboundForm,
  repliesIn,
  signatureOf,
  statusForm,
  type WebhookReply,
} from './twilio-webhooks.ts';
import {
  newMessage,
  newSid,
  ownNumber,
  type CampaignStatus,
  type OwnedNumber,
  type Status,
  type TwilioMessage,
  type VerificationStatus,
  type World,
} from './twilio-world.ts';

export type TwilioOptions = {
  accountSid?: string;
  authToken?: string;
  /** Initial numbers of the account. */
  numbers?: { phoneNumber: string; smsUrl?: string }[];
  /** The product's real origin, if PUBLIC_URL differs; signatures always use PUBLIC_URL. */
  webhookBase?: string;
  /** Milliseconds between a message's states; absent: only `advance` moves it. */
  pace?: number;
  /** Called for each message that the product sends. */
  onMessage?: (message: TwilioMessage) => void;
  /** Called for each number that the product buys. */
  onBuy?: (number: OwnedNumber) => void;
  port?: number;
};

export type Incoming = {
  to: string;
  from: string;
  body: string;
  media?: { contentType: string; bytes: Buffer }[];
  /** Skips the webhook, as if the product was down. */
  missed?: boolean;
};

export type Twilio = StandIn & {
  env: Record<string, string>;
  /** Requests with their forms. */
  requests: (Journaled & { form: Record<string, string> })[];
  /** Requests that violate Twilio's API description. */
  violations: string[];
  /** All messages, oldest first. */
  messages: TwilioMessage[];
  /** Numbers of the account. */
  numbers: OwnedNumber[];
  /** Settable later, since the product starts after the stand-in. */
  webhookBase: string | undefined;
  /** Delivers an inbound text; resolves with the webhook's reply. */
  receive: (incoming: Incoming) => Promise<WebhookReply & { sid: string }>;
  /** Advances a message and calls its status callback; resolves with the reply, null without a callback. */
  advance: (sid: string, status: Status, errorCode?: number) => Promise<WebhookReply | null>;
  /** Lets another account buy this number. */
  sellElsewhere: (phoneNumber: string) => void;
  /** Sets a number's carrier registration; `verify` does so for toll-free numbers. */
  register: (phoneNumber: string, given: { status?: CampaignStatus; reason?: string }) => void;
  verify: (phoneNumber: string, given: { status: VerificationStatus; reason?: string }) => void;
  /** Twilio's signature for this form. */
  sign: (url: string, form: Record<string, string>) => string;
};

/** Twilio's numbers and messages, in memory. */
export async function startTwilio(options: TwilioOptions = {}): Promise<Twilio> {
  const world = newWorld(options);
  const requests: Twilio['requests'] = [];
  const violations: string[] = [];
  const standIn = await startStandIn({
    port: options.port,
    journal: (asked) => {
      const { method, path, query, body } = asked;
      const form = Object.fromEntries(new URLSearchParams(body.toString()));
      requests.push({ method, path, query: Object.fromEntries(query), form });
      violations.push(...violationsOf(asked));
    },
    answer: (asked) => answerTwilio(world, asked),
    fail: (status) => twilioError(status),
  });
  world.url = standIn.url;
  const ending = new AbortController();
  const line = new Line(world, options.webhookBase);
  world.onCreate = (message) => {
    options.onMessage?.(message);
    if (options.pace !== undefined) void line.carry(message, options.pace, ending.signal);
  };
  return {
    ...standIn,
    env: {
      TWILIO_ACCOUNT_SID: world.accountSid,
      TWILIO_AUTH_TOKEN: world.authToken,
      TWILIO_BASE_URL: standIn.url,
    },
    requests,
    violations,
    messages: world.messages,
    numbers: world.numbers,
    get webhookBase() {
      return line.webhookBase;
    },
    set webhookBase(base) {
      line.webhookBase = base;
    },
    receive: (incoming) => line.receive(incoming),
    advance: (sid, status, errorCode) => line.advance(find(world, sid), status, errorCode),
    sellElsewhere: (phoneNumber) => void world.sold.add(phoneNumber),
    register: (phoneNumber, given) => enterCampaign(world, findNumber(world, phoneNumber), given),
    verify: (phoneNumber, { status, reason = null }) =>
      void world.verifications.push({
        sid: newSid('HH'),
        number: findNumber(world, phoneNumber),
        status,
        reason,
      }),
    sign: (url, form) => signatureOf(world.authToken, url, form),
    async close() {
      ending.abort();
      await standIn.close();
    },
  };
}

function newWorld({ accountSid, authToken, numbers = [], onBuy }: TwilioOptions): World {
  return {
    accountSid: accountSid ?? newSid('AC'),
    authToken: authToken ?? newSid(''),
    url: '',
    numbers: numbers.map(({ phoneNumber, ...given }) => ownNumber(phoneNumber, given)),
    sold: new Set(),
    messages: [],
    optedOut: new Set(),
    services: [],
    verifications: [],
    onCreate: () => undefined,
    onBuy: onBuy ?? (() => undefined),
  };
}

function find({ messages }: World, sid: string): TwilioMessage {
  const message = messages.find((one) => one.sid === sid);
  if (!message) throw new Error(`there is no message ${sid}`);
  return message;
}

function findNumber({ numbers }: World, phoneNumber: string): OwnedNumber {
  const number = numbers.find((one) => one.phoneNumber === phoneNumber);
  if (!number) throw new Error(`there is no number ${phoneNumber}`);
  return number;
}

/** Deliveries and the webhooks about them. */
class Line {
  readonly #world: World;
  webhookBase: string | undefined;

  constructor(world: World, webhookBase: string | undefined) {
    this.#world = world;
    this.webhookBase = webhookBase;
  }

  async receive({
    missed,
    media = [],
    ...incoming
  }: Incoming): Promise<WebhookReply & { sid: string }> {
    const now = new Date();
    const message = newMessage({
      ...incoming,
      direction: 'inbound',
      media: media.map((medium) => ({ sid: newSid('ME'), ...medium })),
      status: 'received',
      sent: now,
    });
    this.#world.messages.push(message);
    heedKeyword(this.#world, message);
    const url = this.#world.numbers.find(({ phoneNumber }) => phoneNumber === message.to)?.smsUrl;
    if (missed || !url) return { sid: message.sid, status: 0, text: '' };
    const reply = await this.#call(url, inboundForm(this.#world, message));
    for (const body of reply.status === 200 ? repliesIn(reply.text) : [])
      this.#reply(message, body);
    return { sid: message.sid, ...reply };
  }

  async advance(message: TwilioMessage, status: Status, errorCode?: number) {
    const leaves = message.sent === null && ['sent', 'delivered', 'undelivered'].includes(status);
    const now = new Date();
    Object.assign(message, { status, updated: now, errorCode: errorCode ?? message.errorCode });
    if (leaves) {
      message.sent = now;
      void this.#passOn(message);
    }
    const { statusCallback } = message;
    return statusCallback ? this.#call(statusCallback, statusForm(this.#world, message)) : null;
  }

  /** Through all its states, until delivered or failed. */
  async carry(message: TwilioMessage, pace: number, signal: AbortSignal) {
    const error = fateOf(message.to);
    const states = ['sending', 'sent', error ? 'undelivered' : 'delivered'] as const;
    for (const status of states) {
      await wait(pace, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await this.advance(message, status, status === 'undelivered' ? error : undefined);
    }
  }

  /** Texts to another number of the account arrive there as well. */
  async #passOn({ from, to, body, media }: TwilioMessage) {
    const isOurs = this.#world.numbers.some(({ phoneNumber }) => phoneNumber === to);
    if (isOurs) await this.receive({ from, to, body, media });
  }

  #reply({ from, to }: TwilioMessage, body: string) {
    const reply = newMessage({ direction: 'outbound-reply', from: to, to: from, body });
    this.#world.messages.push(reply);
    this.#world.onCreate(reply);
  }

  #call(url: string, form: Record<string, string>) {
    return callWebhook(this.#world, { url, base: this.webhookBase, form });
  }
}
