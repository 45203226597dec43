import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { TwilioClient } from '../../integrations/twilio/client.ts';
import type { Log } from '../../log.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Explanation } from './rules.failures.ts';

/** Shared by the services of texts. `twilio` is undefined when not configured. */
export type Texting = {
  db: Database;
  writer: Writer;
  twilio: TwilioClient | undefined;
  /** Origin for callbacks, and whether an emulator replaces Twilio. */
  reach: { publicUrl: string; isEmulated: boolean };
  log: Log;
};

export function refusal({ code, message }: Explanation, cause: unknown): Refusal {
  return new Refusal(code, message, {
    cause,
    ...(code === 'tooManyAttempts' && { retryAfter: 60 }),
  });
}
