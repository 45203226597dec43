import { createHmac, randomUUID } from 'node:crypto';
import { countSegments } from './twilio-segments.ts';
import type { TwilioMessage, World } from './twilio-world.ts';

/** The product's reply to a webhook; status 0 without one. */
export type WebhookReply = { status: number; text: string };

const PATIENCE = 15_000;

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
      signal: AbortSignal.timeout(PATIENCE),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: '' };
  }
}

/** Form of an inbound message. */
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
