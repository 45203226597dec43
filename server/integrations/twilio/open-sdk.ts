import type { Twilio } from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient.js';
import type { TwilioConfig } from '../../config.ts';

/** Milliseconds between two tries after 429, at most, and how many there are. */
const LONGEST_PAUSE = 2000;
const RETRIES = 4;

export type Sdk = Twilio;

/** Reads Twilio's library, which takes a second and 30 MB: only where somebody texts. */
export async function openSdk(config: TwilioConfig): Promise<Sdk> {
  const { default: twilio } = await import('twilio');
  class MappedClient extends twilio.RequestClient {
    override request<Data>(options: RequestClient.RequestOptions<Data>) {
      return super.request({ ...options, uri: addressOf(options.uri, config.baseUrl) });
    }
  }
  return twilio(config.accountSid, config.authToken, {
    // Nothing else that lies about in a shell decides where requests go.
    env: {},
    httpClient: new MappedClient({
      timeout: config.patience,
      // After 429 alone, which says that nothing was done: so a text is not sent twice by it.
      autoRetry: true,
      maxRetryDelay: LONGEST_PAUSE,
      maxRetries: RETRIES,
    }),
  });
}

/**
 * Where a request goes: to Twilio's hosts as they are, or each of them to the emulator's.
 * @throws for any other host, so that no credentials leave for it
 */
export function addressOf(uri: string, baseUrl: string | undefined): string {
  const url = new URL(uri);
  if (baseUrl) {
    const base = new URL(baseUrl);
    return `${base.origin}${base.pathname.replace(/\/+$/, '')}${url.pathname}${url.search}`;
  }
  if (url.protocol !== 'https:' || !/(^|\.)twilio\.com$/.test(url.hostname))
    throw new Error('not an address of Twilio');
  return url.href;
}
