import { type Context, perContext } from '../../context.ts';
import { Refusal } from '../../core/refusal.ts';
import { TwilioClient } from '../../integrations/twilio/client.ts';
import * as rules from './rules.ts';

/** Undefined when Twilio is not configured. */
export const twilioOf = perContext(
  ({ config: { twilio } }): TwilioClient | undefined => twilio && new TwilioClient(twilio),
);

/** @throws Refusal notConfigured */
export function requireTwilio(context: Context): TwilioClient {
  const twilio = twilioOf(context);
  if (!twilio) throw new Refusal('notConfigured');
  return twilio;
}

/** The URL that Twilio calls for a path; undefined when it cannot reach this server. */
export function callbackUrl({ config }: Context, path: string): string | undefined {
  const { publicUrl, twilio } = config;
  return rules.callbackUrl({ publicUrl, isEmulated: twilio?.baseUrl !== undefined }, path);
}

export function toRefusal({ code, message }: rules.Explanation, cause: unknown): Refusal {
  return new Refusal(code, message, { cause });
}
