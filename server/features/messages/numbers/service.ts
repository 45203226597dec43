// Phone numbers: offers, purchase, and the user's own.

import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import { type NumberOffer, textWebhookRoutes } from '@matterdesk/contract/messages.ts';
import { type ActorContext, type Context, write } from '../../../context.ts';
import type { Actor } from '../../../core/actor.ts';
import type { IdempotencyKey } from '../../../core/idempotency-key.ts';
import { poll } from '../../../core/polling.ts';
import { Refusal } from '../../../core/refusal.ts';
import { fold } from '../../../db/search.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { Price } from '../../../integrations/twilio/client.ts';
import { toFailure } from '../../../integrations/twilio/failure.ts';
import { emitOwner, readCurrentUser } from '../../accounts/service.ts';
import * as rules from '../rules.ts';
import { callbackUrl, requireTwilio, toRefusal, twilioOf } from '../service.twilio.ts';
import * as store from '../store.numbers.ts';
import { noticeOf } from './rules.ts';
import { ensureRegistration } from './service.registrations.ts';

type Purchase = { id: string; phoneNumber: string; userId: string };

/** The time in which the first of two parallel requests has its outcome. */
const OUTCOME_TIMEOUT_MS = 15_000;
const UNSETTLED = 'The purchase isn’t confirmed yet. Check again in a few minutes.';

/** The user's own number. @throws Refusal notPermitted for any other, and without a number */
export async function requireOwnNumber(
  context: ActorContext,
  phoneNumber: string,
): Promise<string> {
  const row = await store.findNumberOf(context.db, context.actor.id);
  if (row?.state !== 'owned' || row.phone_number !== phoneNumber) throw new Refusal('notPermitted');
  return row.phone_number;
}

export async function readNumber(context: ActorContext) {
  const found = await store.findNumberOf(context.db, context.actor.id);
  if (found?.state !== 'owned') return { phoneNumber: null, registration: null, notice: null };
  const row = await ensureRegistration(context, found);
  return {
    phoneNumber: row.phone_number,
    registration: row.registration,
    notice: noticeOf(row),
  };
}

export async function listNumberOffers(
  context: ActorContext,
  { country = 'US', areaCode }: { country?: string | undefined; areaCode?: string | undefined },
): Promise<{ numbers: NumberOffer[] }> {
  const code = areaCode === undefined ? undefined : Number(areaCode);
  try {
    const [found, monthlyPrice] = await Promise.all([
      requireTwilio(context).listOffers(country, code),
      priceIn(context, country),
    ]);
    return {
      numbers: found.map((offer) => ({ ...offer, ...(monthlyPrice && { monthlyPrice }) })),
    };
  } catch (error) {
    const failure = toFailure(error);
    // Unknown country, or Twilio sells no numbers there.
    if (failure.code === 20404) return { numbers: [] };
    throw toRefusal(rules.explain(failure), error);
  }
}

/** A key may lack the permission to read prices. */
function priceIn(context: Context, country: string): Promise<Price | null> {
  return requireTwilio(context)
    .readPrice(country)
    .catch(() => null);
}

/** @throws Refusal notPermitted for another's address */
export function requireOwnEmail(actor: Actor, email: string): void {
  if (fold(email) !== fold(actor.email)) throw new Refusal('notPermitted');
}

/**
 * Buys a number. Its row is stored before calling Twilio, so that no crash loses a purchase.
 * @throws Refusal numberOwned, or numberTaken when someone else was faster
 */
export async function buyNumber(
  context: ActorContext,
  { phoneNumber, email }: { phoneNumber: string; email: string },
  once?: IdempotencyKey,
): Promise<{ data: CurrentUser }> {
  requireOwnEmail(context.actor, email);
  let isFirst = false;
  const begun = await write(
    context,
    async (unit) => {
      isFirst = true;
      return { id: await beginPurchase(unit, context.actor, phoneNumber) };
    },
    once,
  );
  if (isFirst) await purchaseNumber(context, begun.id, phoneNumber);
  await requirePurchaseOutcome(context, begun.id);
  return { data: await readCurrentUser(context) };
}

async function beginPurchase(unit: Unit, actor: Actor, phoneNumber: string): Promise<string> {
  const id = await store.insertPurchase(unit.trx, actor.id, phoneNumber);
  if (id !== undefined) return id;
  const own = await store.findNumberOf(unit.trx, actor.id);
  if (!own) throw new Refusal('numberTaken');
  if (own.state === 'owned') throw new Refusal('numberOwned');
  throw new Refusal('conflict', UNSETTLED);
}

async function purchaseNumber(
  context: ActorContext,
  id: string,
  phoneNumber: string,
): Promise<void> {
  const { log } = context;
  try {
    const { sid } = await requireTwilio(context).buyNumber({
      phoneNumber,
      friendlyName: rules.friendlyNameOf(id),
      smsUrl: callbackUrl(context, textWebhookRoutes.receiveText.path),
    });
    await ownNumber(context, context.actor, { id, sid, phoneNumber, userId: context.actor.id });
  } catch (error) {
    const failure = toFailure(error);
    log.warn({ purchase: id, kind: failure.kind, code: failure.code }, 'number not bought');
    const explanation = rules.explain(failure);
    if (failure.isUncertain) {
      const isFound = await settleIfBought(context, {
        id,
        phoneNumber,
        userId: context.actor.id,
      }).catch(() => false);
      if (isFound) return;
      throw toRefusal({ ...explanation, message: UNSETTLED }, error);
    }
    await failPurchase(context, id, explanation);
  }
}

async function ownNumber(
  context: Context,
  actor: Actor | null,
  { id, sid, phoneNumber, userId }: Purchase & { sid: string },
): Promise<void> {
  await context.writer.run(actor, async (unit) => {
    if (!(await store.settlePurchase(unit.trx, id, { sid, state: 'owned' }))) return;
    await emitOwner(unit, userId);
    const after = { phoneNumber };
    await unit.record({ action: 'bought', entity: 'phoneNumber', entityId: id, after });
  });
}

async function failPurchase(
  context: Context,
  id: string,
  { code, message }: rules.Explanation,
): Promise<void> {
  await context.writer.run(null, async (unit) => {
    const change = { state: 'failed', refused_as: code, refusal: message } as const;
    if (!(await store.settlePurchase(unit.trx, id, change))) return;
    const after = { refusedAs: code };
    await unit.record({ action: 'notBought', entity: 'phoneNumber', entityId: id, after });
  });
}

/** Waits for the outcome of the first request with the same key. */
async function requirePurchaseOutcome(context: Context, id: string): Promise<void> {
  const settled = await poll(OUTCOME_TIMEOUT_MS, async () => {
    const row = await store.findPurchase(context.db, id);
    return row?.state === 'buying' ? undefined : { row };
  });
  if (!settled) throw new Refusal('outcomeUnknown', UNSETTLED);
  const { row } = settled;
  if (row?.state !== 'owned')
    throw new Refusal(row?.refused_as ?? 'unexpected', row?.refusal ?? undefined);
}

/** Asks Twilio about a purchase, and settles it if it was made. */
async function settleIfBought(context: Context, purchase: Purchase): Promise<boolean> {
  const found = await requireTwilio(context).findNumber(purchase.phoneNumber);
  if (found?.friendlyName !== rules.friendlyNameOf(purchase.id)) return false;
  await ownNumber(context, null, { ...purchase, sid: found.sid });
  return true;
}

/** Asks Twilio about purchases with unknown outcomes. @param age seconds */
export async function reconcilePurchases(context: Context, age: number): Promise<void> {
  const { db } = context;
  const twilio = twilioOf(context);
  if (!twilio) return;
  for (const row of await store.listPurchases(db, age)) {
    const { id, phone_number: phoneNumber } = row;
    if (await settleIfBought(context, { id, phoneNumber, userId: row.user_id })) continue;
    if (Date.now() - row.created_at.getTime() > rules.BUYING_LIFE_SECONDS * 1000)
      await failPurchase(context, id, {
        code: 'upstreamFailed',
        message: 'Twilio didn’t sell this number',
      });
  }
}
