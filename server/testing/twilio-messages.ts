import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { StandInReply } from './stand-in.ts';
import type { TwilioRequest } from './twilio-numbers.ts';
import { refuse, textOf, page } from './twilio-replies.ts';
import {
  isE164,
  newMessage,
  newSid,
  rfc2822,
  type TwilioMessage,
  type World,
} from './twilio-world.ts';

const MAX_LENGTH = 1600;
const MAGIC = '+1500555';
/** Twilio's test numbers and the refusals that they cause. */
const REFUSED: Record<string, number> = {
  '0001': 21_211,
  '0002': 21_612,
  '0003': 21_408,
  '0004': 21_610,
  '0009': 21_614,
};
/** Our own: texts to `+1500555` and the last four digits of an error are accepted, but not delivered. */
const UNDELIVERED = [30_003, 30_005, 30_006, 30_007, 30_008, 30_032, 30_034];

/** Delivery error of a number; undefined: delivered. */
export function fateOf(to: string): number | undefined {
  return UNDELIVERED.find((code) => to === `${MAGIC}${String(code).slice(1)}`);
}

export function createMessage({ world, form }: TwilioRequest): StandInReply {
  const [to, from] = [form.get('To') ?? '', form.get('From') ?? ''];
  const body = form.get('Body') ?? '';
  const media = form.getAll('MediaUrl');
  const code = mistake(world, { to, from, body, media });
  if (code !== undefined) return refuse(code, code === 21_606 || code === 21_212 ? from : to);
  const message = newMessage({
    direction: 'outbound-api',
    from,
    to,
    body,
    media: media.map(() => ({
      sid: newSid('ME'),
      contentType: 'image/jpeg',
      bytes: Buffer.alloc(0),
    })),
    statusCallback: form.get('StatusCallback') ?? undefined,
  });
  world.messages.push(message);
  world.onCreate(message);
  return { status: 201, body: describe(world, message) };
}

type Sent = { to: string; from: string; body: string; media: string[] };

function mistake(world: World, { to, from, body, media }: Sent): number | undefined {
  if (to === '') return 21_604;
  if (from === '') return 21_603;
  if (body === '' && media.length === 0) return 21_602;
  if (body.length > MAX_LENGTH) return 21_617;
  if (!isE164(from)) return 21_212;
  if (!world.numbers.some(({ phoneNumber }) => phoneNumber === from)) return 21_606;
  if (!isE164(to) || !/^\+1[2-9]\d{9}$|^\+(?!1)/.test(to)) return 21_211;
  const refused = to.startsWith(MAGIC) ? REFUSED[to.slice(MAGIC.length)] : undefined;
  if (refused !== undefined) return refused;
  if (to === from) return 21_266;
  return world.optedOut.has(`${from} ${to}`) ? 21_610 : undefined;
}

export function listMessages(asking: TwilioRequest): StandInReply {
  const { world, query } = asking;
  const found = world.messages
    .filter((message) => isWanted(message, query))
    .toReversed()
    .toSorted((one, other) => other.created.getTime() - one.created.getTime());
  const entries = found.map((message) => describe(world, message));
  return page('messages', entries, asking);
}

function isWanted({ to, from, sent }: TwilioMessage, query: URLSearchParams): boolean {
  const is = (name: string, value: string) => [null, value].includes(query.get(name));
  if (!is('To', to) || !is('From', from)) return false;
  const limits = ['DateSent', 'DateSent<', 'DateSent>'].filter((name) => query.has(name));
  if (limits.length === 0) return true;
  if (sent === null) return false;
  return limits.every((name) => isWithin(sent, name, query.get(name) ?? ''));
}

/** Days are in GMT; times compare verbatim; both ends are inclusive. */
function isWithin(sent: Date, name: string, limit: string): boolean {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(limit);
  const time = isDay ? sent.toISOString().slice(0, 10) : sent.getTime();
  const bound = isDay ? limit : Math.floor(new Date(limit).getTime());
  if (name === 'DateSent<') return time <= bound;
  if (name === 'DateSent>') return time >= bound;
  return isDay ? time === bound : sent.toISOString().slice(0, 10) === limit.slice(0, 10);
}

export function fetchMessage({ world, path }: TwilioRequest, sid: string): StandInReply {
  const message = world.messages.find((one) => one.sid === sid);
  return message ? { status: 200, body: describe(world, message) } : refuse(20_404, path);
}

export function listMedia(asking: TwilioRequest, sid: string): StandInReply {
  const { world, path } = asking;
  const message = world.messages.find((one) => one.sid === sid);
  if (!message) return refuse(20_404, path);
  const entries = message.media.map((medium) => ({
    sid: medium.sid,
    account_sid: world.accountSid,
    parent_sid: sid,
    content_type: medium.contentType,
    date_created: rfc2822(message.created),
    date_updated: rfc2822(message.created),
    uri: `${rootOf(world)}/Messages/${sid}/Media/${medium.sid}.json`,
  }));
  return page('media_list', entries, asking);
}

/** Twilio redirects authorized requests to the media's location, which needs no password. */
export function openMedium(
  { world, path }: TwilioRequest,
  sid: string,
  mediumSid: string,
): StandInReply {
  const message = world.messages.find((one) => one.sid === sid);
  const medium = message?.media.find((one) => one.sid === mediumSid);
  if (!medium) return refuse(20_404, path);
  const location = `${world.url}/media/${sid}/${mediumSid}/${pass(world, mediumSid)}`;
  return { status: 307, headers: { location } };
}

/** Undefined for other locations. */
export function serveMedium(world: World, path: string): StandInReply | undefined {
  const [, sid, mediumSid = '', given] = /^\/media\/(\w+)\/(\w+)\/(\w+)$/.exec(path) ?? [];
  if (sid === undefined) return undefined;
  const message = world.messages.find((one) => one.sid === sid);
  const medium = message?.media.find((one) => one.sid === mediumSid);
  if (!medium || given !== pass(world, mediumSid)) return { status: 403 };
  return { status: 200, headers: { 'content-type': medium.contentType }, body: medium.bytes };
}

function pass({ authToken }: World, mediumSid: string) {
  return createHash('sha256')
    .update(authToken + mediumSid)
    .digest('hex');
}

function rootOf({ accountSid }: World) {
  return `/2010-04-01/Accounts/${accountSid}`;
}

function describe(world: World, message: TwilioMessage) {
  const { sid, from, to, body, media, status, errorCode, sent } = message;
  const uri = `${rootOf(world)}/Messages/${sid}`;
  return {
    sid,
    account_sid: world.accountSid,
    messaging_service_sid: null,
    api_version: '2010-04-01',
    direction: message.direction,
    from,
    to,
    body,
    status,
    num_segments: String(countSegments(body)),
    num_media: String(media.length),
    error_code: errorCode,
    error_message: errorCode === null ? null : textOf(errorCode),
    price: null,
    price_unit: 'USD',
    date_created: rfc2822(message.created),
    date_sent: sent === null ? null : rfc2822(sent),
    date_updated: rfc2822(message.updated),
    subresource_uris: { media: `${uri}/Media.json` },
    uri: `${uri}.json`,
  };
}

const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENDED = '^{}\\[~]|€\f';

/** Segments of a text: GSM-7 if its characters allow it, else UTF-16. */
function countSegments(text: string): number {
  const isPlain = [...text].every((sign) => BASIC.includes(sign) || EXTENDED.includes(sign));
  const [single, each] = isPlain ? [160, 153] : [70, 67];
  const units = isPlain
    ? [...text].reduce((sum, sign) => sum + (EXTENDED.includes(sign) ? 2 : 1), 0)
    : text.length;
  return units <= single ? 1 : Math.ceil(units / each);
}

/** The product's reply to a webhook; status 0 without one. */
export type WebhookReply = { status: number; text: string };

const WEBHOOK_TIMEOUT_MS = 15_000;

/** Twilio's signature of a form for the configured URL. */
export function signatureOf(authToken: string, url: string, form: Record<string, string>): string {
  const fields = Object.keys(form).toSorted();
  const text = url + fields.map((name) => name + form[name]).join('');
  return createHmac('sha1', authToken).update(text).digest('base64');
}

/** Calls the product's webhook. `base`: the product's real origin, if it differs from the URL's. */
export async function callWebhook(
  { authToken }: World,
  { url, base, form }: { url: string; base: string | undefined; form: Record<string, string> },
): Promise<WebhookReply> {
  const { pathname, search, origin } = new URL(url);
  try {
    const response = await fetch(`${base ?? origin}${pathname}${search}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        'user-agent': 'TwilioProxy/1.1',
        'i-twilio-idempotency-token': randomUUID(),
        'x-twilio-signature': signatureOf(authToken, url, form),
      },
      body: new URLSearchParams(form).toString(),
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: '' };
  }
}

export function inboundForm({ accountSid, url }: World, message: TwilioMessage) {
  const { sid, from, to, body, media } = message;
  const root = `${url}/2010-04-01/Accounts/${accountSid}/Messages/${sid}/Media`;
  const media_ = media.flatMap((medium, index) => [
    [`MediaUrl${index}`, `${root}/${medium.sid}`],
    [`MediaContentType${index}`, medium.contentType],
  ]);
  return {
    ToCountry: countryOf(to),
    ToState: '',
    SmsMessageSid: sid,
    NumMedia: String(media.length),
    ToCity: '',
    FromZip: '',
    SmsSid: sid,
    FromState: '',
    SmsStatus: 'received',
    FromCity: '',
    Body: body,
    FromCountry: countryOf(from),
    To: to,
    ToZip: '',
    NumSegments: String(countSegments(body)),
    MessageSid: sid,
    AccountSid: accountSid,
    From: from,
    ApiVersion: '2010-04-01',
    ...(Object.fromEntries(media_) as Record<string, string>),
  };
}

/** Form of a status update. */
export function statusForm({ accountSid }: World, message: TwilioMessage): Record<string, string> {
  const { sid, from, to, status, errorCode } = message;
  return {
    ...(errorCode !== null && { ErrorCode: String(errorCode) }),
    ...(['delivered', 'undelivered'].includes(status) && { RawDlrDoneDate: '2611211200' }),
    SmsSid: sid,
    SmsStatus: status,
    MessageStatus: status,
    To: to,
    MessageSid: sid,
    AccountSid: accountSid,
    From: from,
    ApiVersion: '2010-04-01',
  };
}

/** Reply texts in the product's TwiML. */
export function repliesIn(twiml: string): string[] {
  const found = twiml.matchAll(/<Message[^>]*>(?:\s*<Body>)?([^<]*)(?:<\/Body>\s*)?<\/Message>/g);
  return [...found].map(([, text = '']) => unescaped(text.trim())).filter(Boolean);
}

function unescaped(xml: string) {
  const signs: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return xml.replaceAll(/&(\w+);/g, (whole, name: string) => signs[name] ?? whole);
}

function countryOf(number: string) {
  return number.startsWith('+44') ? 'GB' : 'US';
}
