// Registrations: reads from Twilio whether the firm's numbers are registered with US carriers.

import type { Context } from '../../../context.ts';
import type { TwilioClient } from '../../../integrations/twilio/client.ts';
import { toFailure } from '../../../integrations/twilio/failure.ts';
import { twilioOf } from '../service.twilio.ts';
import * as store from '../store.numbers.ts';
import * as rules from './rules.ts';

/** Seconds between requests to Twilio, since approvals take days. */
const INTERVAL_SECONDS = 900;

/** Refreshes outdated registrations. @param isDue refreshes all */
export async function refreshRegistrations(
  context: Context,
  { isDue }: { isDue: boolean },
): Promise<void> {
  const rows = await store.listUnreadRegistrations(context.db, isDue ? 0 : INTERVAL_SECONDS);
  await readRegistrations(context, rows);
}

/** Reads a number's first registration at once, so that its owner sees the actual state. */
export async function ensureRegistration(
  context: Context,
  row: store.NumberRow,
): Promise<store.NumberRow> {
  if (row.registration_asked_at !== null || !rules.needsRegistration(row.phone_number)) return row;
  await readRegistrations(context, [row]);
  return (await store.findPurchase(context.db, row.id)) ?? row;
}

/** Registrations stay unchanged when Twilio fails. */
async function readRegistrations(
  context: Context,
  rows: readonly store.NumberRow[],
): Promise<void> {
  const { db, log } = context;
  const twilio = twilioOf(context);
  if (!twilio || rows.length === 0) return;
  // Noted first, so that an account without permission is asked no more often.
  await store.noteRegistrationRead(
    db,
    rows.map(({ id }) => id),
  );
  try {
    const services = new Services(twilio);
    for (const row of rows)
      await store.updateRegistration(db, row.id, await findRegistration(services, row));
  } catch (error) {
    const { kind, code } = toFailure(error);
    log.warn({ kind, code }, 'registration of numbers not read');
  }
}

function findRegistration(services: Services, { phone_number: phoneNumber, sid }: store.NumberRow) {
  return rules.isTollFree(phoneNumber)
    ? services.verificationOf(sid ?? '')
    : services.campaignOf(sid ?? '');
}

/** Messaging services with their numbers, read once per refresh. */
class Services {
  readonly #twilio: TwilioClient;
  #serviceOf: Promise<Map<string, string>> | undefined;

  constructor(twilio: TwilioClient) {
    this.#twilio = twilio;
  }

  async verificationOf(numberSid: string): Promise<rules.Registration> {
    return rules.registrationByVerifications(await this.#twilio.listVerifications(numberSid));
  }

  async campaignOf(numberSid: string): Promise<rules.Registration> {
    this.#serviceOf ??= this.#readServices();
    const service = (await this.#serviceOf).get(numberSid);
    return rules.registrationByCampaigns(
      service === undefined ? [] : await this.#twilio.listCampaigns(service),
    );
  }

  async #readServices(): Promise<Map<string, string>> {
    const serviceOf = new Map<string, string>();
    for (const service of await this.#twilio.listServices())
      for (const number of await this.#twilio.listServiceNumbers(service))
        serviceOf.set(number, service);
    return serviceOf;
  }
}
