import { type Context, perContext } from '../../context.ts';
import { Refusal } from '../../core/refusal.ts';
import { TwilioClient } from '../../integrations/twilio/client.ts';
import type { Explanation } from './rules.failures.ts';

/** Undefined when Twilio is not configured. */
export const twilioOf = perContext(
  ({ config: { twilio } }): TwilioClient | undefined => twilio && new TwilioClient(twilio),
);

/** Origin for callbacks, and whether an emulator replaces Twilio. */
export function reachOf({ config: { publicUrl, twilio } }: Context) {
  return { publicUrl, isEmulated: twilio?.baseUrl !== undefined };
}

export function refusal({ code, message }: Explanation, cause: unknown): Refusal {
  return new Refusal(code, message, {
    cause,
    ...(code === 'tooManyAttempts' && { retryAfter: 60 }),
  });
}
