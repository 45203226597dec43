import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  startStandIn,
  type Journaled,
  type StandIn,
  type StandInReply,
  type StandInRequest,
} from './stand-in.ts';
import {
  fateOf,
  createMessage,
  fetchMessage,
  listMedia,
  listMessages,
  openMedium,
  serveMedium,
  callWebhook,
  inboundForm,
  repliesIn,
  signatureOf,
  statusForm,
  type WebhookReply,
} from './twilio-messages.ts';
import {
  enterCampaign,
  listCampaigns,
  listServiceNumbers,
  listServices,
  listVerifications,
  buyNumber,
  fetchPrices,
  listAvailable,
  listNumbers,
  releaseNumber,
  updateNumber,
  type TwilioRequest,
} from './twilio-numbers.ts';
import { twilioError, refuse } from './twilio-replies.ts';
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
  rfc2822,
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

type InboundText = {
  to: string;
  from: string;
  body: string;
  media?: { contentType: string; bytes: Buffer }[];
  /** Skips the webhook, as if the product was down. */
  missed?: boolean;
};

export type Twilio = StandIn & {
  env: Record<string, string>;
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
  receive: (incoming: InboundText) => Promise<WebhookReply & { sid: string }>;
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
  }: InboundText): Promise<WebhookReply & { sid: string }> {
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

type Handler = (asking: TwilioRequest, first: string, second: string) => StandInReply;

const routes: [method: string, path: RegExp, handler: Handler][] = [
  ['GET', /^\.json$/, account],
  ['GET', /^\/AvailablePhoneNumbers\/([A-Z]{2})\/Local\.json$/, listAvailable],
  ['GET', /^\/IncomingPhoneNumbers\.json$/, listNumbers],
  ['POST', /^\/IncomingPhoneNumbers\.json$/, buyNumber],
  ['GET', /^\/IncomingPhoneNumbers\/(PN\w+)\.json$/, updateNumber],
  ['POST', /^\/IncomingPhoneNumbers\/(PN\w+)\.json$/, updateNumber],
  ['DELETE', /^\/IncomingPhoneNumbers\/(PN\w+)\.json$/, releaseNumber],
  ['GET', /^\/Messages\.json$/, listMessages],
  ['POST', /^\/Messages\.json$/, createMessage],
  ['GET', /^\/Messages\/(\w+)\.json$/, fetchMessage],
  ['GET', /^\/Messages\/(\w+)\/Media\.json$/, listMedia],
  ['GET', /^\/Messages\/(\w+)\/Media\/(\w+)$/, openMedium],
];

const messaging: typeof routes = [
  ['GET', /^\/PhoneNumbers\/Countries\/([A-Z]{2})$/, fetchPrices],
  ['GET', /^\/Services$/, listServices],
  ['GET', /^\/Services\/(MG\w+)\/PhoneNumbers$/, listServiceNumbers],
  ['GET', /^\/Services\/(MG\w+)\/Compliance\/Usa2p$/, listCampaigns],
  ['GET', /^\/Tollfree\/Verifications$/, listVerifications],
];

/** Replies like Twilio's REST APIs of 2010-04-01, and of messaging and pricing v1. */
function answerTwilio(world: World, asked: StandInRequest): StandInReply {
  const medium = serveMedium(world, asked.path);
  if (medium) return medium;
  if (!isAuthentic(world, asked)) return refuse(20_003);
  const account = `/2010-04-01/Accounts/${world.accountSid}`;
  const { method, path, query, body } = asked;
  const root = path.startsWith('/v1/') ? '/v1' : account;
  if (!path.startsWith(root)) return refuse(20_404, path);
  for (const [verb, pattern, handler] of root === account ? routes : messaging) {
    const found = verb === method ? pattern.exec(path.slice(root.length)) : null;
    const form = new URLSearchParams(body.toString());
    if (found) return handler({ world, path, query, form }, found[1] ?? '', found[2] ?? '');
  }
  return refuse(20_404, path);
}

function account({ world: { accountSid } }: TwilioRequest): StandInReply {
  const now = rfc2822(new Date());
  const given = { friendly_name: 'Stand-in', status: 'active', type: 'Full', date_created: now };
  return { status: 200, body: { sid: accountSid, ...given, date_updated: now } };
}

function isAuthentic({ accountSid, authToken }: World, { headers }: StandInRequest): boolean {
  const given = /^Basic (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return Buffer.from(given, 'base64').toString() === `${accountSid}:${authToken}`;
}

type Schema = {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  format?: 'uri' | 'phone-number' | 'date-time';
  pattern?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  items?: Schema;
};

type Operation = {
  method: string;
  /** Overrides the host of the API. */
  root?: string;
  /** `{PN}` matches an id with that prefix; `{SM|MM}` one with either. */
  path: string;
  fields: Record<string, Schema>;
  required?: string[];
  /** At least one of each group is required. */
  oneOf?: string[][];
};

type Description = { root: string; operations: Record<string, Operation> };

const FILE = path.join(import.meta.dirname, 'documents/twilio-api.json');
const { root, operations } = JSON.parse(readFileSync(FILE, 'utf8')) as Description;
const FORMATS = {
  uri: /^https?:\/\/[^\s]+$/,
  'phone-number': /^\+[1-9]\d{6,14}$/,
  'date-time': /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?$/,
};

/** Violations of Twilio's API description; each names the field, never its value. */
function violationsOf(asked: StandInRequest): string[] {
  const found = Object.entries(operations).find(
    ([, one]) => one.method === asked.method && pathOf(one).test(asked.path),
  );
  // Media locations are no operation.
  const isOperation = asked.path.includes('.json') || asked.path.startsWith('/v1/');
  if (!found) return isOperation ? [`${asked.method} of an unknown path`] : [];
  const [name, operation] = found;
  const given = asked.method === 'POST' ? new URLSearchParams(asked.body.toString()) : asked.query;
  return [...missing(operation, given), ...misfits(operation, given)].map(
    (one) => `${name}: ${one}`,
  );
}

function pathOf({ path: template, root: own = root }: Operation): RegExp {
  const pattern = (own + template)
    .replaceAll('.', '\\.')
    .replaceAll('{CountryCode}', '[A-Z]{2}')
    .replaceAll(/\{([A-Z]{2}(?:\|[A-Z]{2})*)\}/g, '(?:$1)[0-9a-fA-F]{32}');
  return new RegExp(`^${pattern}$`);
}

function missing({ required = [], oneOf = [] }: Operation, given: URLSearchParams): string[] {
  return [...required.map((name) => [name]), ...oneOf]
    .filter((group) => !group.some((name) => given.has(name)))
    .map((group) => `${group.join(' or ')} is missing`);
}

function misfits({ fields }: Operation, given: URLSearchParams): string[] {
  return [...new Set(given.keys())].flatMap((name) => {
    const schema = fields[name];
    if (!schema) return [`${name} is unknown`];
    const values = given.getAll(name);
    if (schema.type !== 'array' && values.length > 1) return [`${name} is repeated`];
    const isFit = values.every((value) => fits(value, schema.items ?? schema));
    return isFit ? [] : [`${name} is no ${schema.format ?? schema.pattern ?? schema.type}`];
  });
}

function fits(
  value: string,
  { type, format, pattern, minimum, maximum, ...schema }: Schema,
): boolean {
  if (type === 'boolean') return /^(true|false)$/.test(value);
  if (type === 'integer' && !/^-?\d+$/.test(value)) return false;
  if (type === 'number' && !Number.isFinite(Number(value))) return false;
  if (minimum !== undefined && Number(value) < minimum) return false;
  if (maximum !== undefined && Number(value) > maximum) return false;
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (pattern !== undefined && !new RegExp(pattern).test(value)) return false;
  return format === undefined || FORMATS[format].test(value);
}

const OUT = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'];
const IN = ['START', 'YES', 'UNSTOP'];

/** Keeps opt-outs per pair of numbers, as Twilio does itself. */
function heedKeyword(
  { optedOut }: World,
  { from, to, body }: { from: string; to: string; body: string },
): void {
  const word = body.trim().toUpperCase();
  if (OUT.includes(word)) optedOut.add(`${to} ${from}`);
  if (IN.includes(word)) optedOut.delete(`${to} ${from}`);
}
