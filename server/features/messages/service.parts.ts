import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { TwilioClient } from '../../integrations/twilio/client.ts';
import type { Log } from '../../log.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Explanation } from './rules.failures.ts';

/** What the services of texts share. `twilio` is undefined while it is not configured. */
export type Texting = {
  db: Database;
  writer: Writer;
  twilio: TwilioClient | undefined;
  /** Where Twilio calls back: an origin, and whether an emulator stands in for Twilio. */
  reach: { publicUrl: string; isEmulated: boolean };
  log: Log;
};

export function refusal({ code, message }: Explanation, cause: unknown): Refusal {
  return new Refusal(code, message, {
    cause,
    ...(code === 'tooManyAttempts' && { retryAfter: 60 }),
  });
}
