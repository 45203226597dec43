import { afterAll, beforeAll, beforeEach } from 'vitest';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { type Prepare, suite } from './app.ts';
import type { Client } from './client.ts';
import { registerUser, type SignedInPerson } from './factories.ts';
import { startTwilio, type Twilio } from './twilio.ts';

/** The origin that webhooks are signed for; the stand-in calls the application's real one. */
export const PUBLIC_URL = 'https://desk.firm.example';

export function textingEnv(twilio: Twilio): Record<string, string> {
  return { ...twilio.env, PUBLIC_URL };
}

/** A user with a number. */
export type PersonWithNumber = SignedInPerson & { phoneNumber: string };

let numbersBought = 0;

/** A new user with a new number. */
export async function registerWithNumber(app: Client): Promise<PersonWithNumber> {
  const person = await registerUser(app);
  numbersBought += 1;
  const phoneNumber = `+1${300 + numbersBought}5550110`;
  const { token, email } = person;
  const reply = await app.call(messageRoutes.buyNumber, { token, body: { phoneNumber, email } });
  if (reply.status !== 200) throw new Error(reply.text);
  return { ...person, phoneNumber };
}

/** `suite()` with a stand-in for Twilio, which starts each test without faults. */
export function textSuite<T extends Record<string, Prepare>>(prepare: T) {
  const twilio = {} as Twilio;
  beforeAll(async () => {
    Object.defineProperties(twilio, Object.getOwnPropertyDescriptors(await startTwilio()));
  });
  beforeEach(() => {
    twilio.faults.length = 0;
  });
  // The application, which closes first, has the address of the stand-in once that runs.
  afterAll(() => twilio.close());
  const reached: Prepare = async ({ url }) => ({ url: (twilio.webhookBase = url) });
  const options = {
    get env() {
      return textingEnv(twilio);
    },
  };
  return { ...suite({ reached, ...prepare }, options), twilio };
}
