import type { Twilio } from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient.js';
import type { TwilioConfig } from '../../config.ts';

/** Longest wait in milliseconds between tries after 429, and the number of tries. */
const LONGEST_PAUSE = 2000;
const RETRIES = 4;

export type Sdk = Twilio;

/** Imported on demand, since Twilio's library costs a second and 30 MB. */
export async function openSdk(config: TwilioConfig): Promise<Sdk> {
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
      timeout: config.patience,
      // Only after 429, which means that nothing was done, so that no text is sent twice.
      autoRetry: true,
      maxRetryDelay: LONGEST_PAUSE,
      maxRetries: RETRIES,
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
