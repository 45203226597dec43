import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { TwilioConfig } from '../../config.ts';
import { addressOf } from './client.ts';
import { TwilioFailure } from './failure.ts';

/** Milliseconds for a complete attachment. */
const DOWNLOAD_TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 3;
const SID = /^[A-Z]{2}[0-9a-f]{32}$/;
const TWILIO = 'https://api.twilio.com';

type Place = { messageSid: string; mediaSid: string };

/** Attachment id from a webhook's URL; undefined for any other URL. */
export function mediaSidOf(url: string): string | undefined {
  return /^https?:\/\/[^/]+\/(?:.*\/)?Media\/(ME[0-9a-f]{32})$/.exec(url)?.[1];
}

/**
 * Bytes of an attachment from Twilio's own origin. The URL is built from ids alone, so that no input
 * redirects the request, and the account's token stays there.
 * @throws TwilioFailure
 */
export async function openMedia(config: TwilioConfig, place: Place): Promise<Readable> {
  if (!SID.test(place.messageSid) || !SID.test(place.mediaSid)) throw refused(null);
  const { accountSid, authToken, baseUrl } = config;
  const path = `/2010-04-01/Accounts/${accountSid}/Messages/${place.messageSid}/Media/${place.mediaSid}`;
  let address = new URL(addressOf(`${TWILIO}${path}`, baseUrl));
  const home = address.origin;
  const basic = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const signal = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const headers = address.origin === home ? { authorization: basic } : {};
    const response = await fetch(address, { headers, redirect: 'manual', signal }).catch(
      unreachable,
    );
    if (response.ok && response.body)
      return Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
    await response.body?.cancel();
    const next = response.headers.get('location');
    if (!next || response.status < 300 || response.status >= 400) throw refused(response.status);
    if (!URL.canParse(next, address.href)) throw refused(null);
    address = new URL(next, address);
    if (address.origin !== home && !isTwilios(address, baseUrl)) throw refused(null);
  }
  throw refused(null);
}

/** Twilio's attachment host; an emulator serves everything itself. */
function isTwilios({ protocol, hostname }: URL, baseUrl: string | undefined) {
  if (baseUrl !== undefined) return false;
  return protocol === 'https:' && /\.(twilio|twiliocdn)\.com$/.test(hostname);
}

function refused(status: number | null) {
  const isPassing = status === 429 || (status !== null && status >= 500);
  const kind = isPassing ? 'down' : 'refused';
  return new TwilioFailure({ kind, code: null, words: '', isUncertain: false });
}

function unreachable(): never {
  throw new TwilioFailure({ kind: 'down', code: null, words: '', isUncertain: false });
}
