// Sends texts, exactly once for each click.

import {
  type NewText,
  type TextMessage,
  textWebhookRoutes,
} from '@matterdesk/contract/messages.ts';
import { type ActorContext, type Context, hook, write } from '../../../context.ts';
import type { Actor } from '../../../core/actor.ts';
import type { IdempotencyKey } from '../../../core/idempotency-key.ts';
import { poll } from '../../../core/polling.ts';
import { invalidField, Refusal } from '../../../core/refusal.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { ProviderMessage } from '../../../integrations/twilio/client.ts';
import { toFailure, type TwilioFailure } from '../../../integrations/twilio/failure.ts';
import { requireOwnNumber } from '../numbers/service.ts';
import * as rules from '../rules.ts';
import { bindMessage, changeMessage, noteRefusal } from '../service.ingest.ts';
import { callbackUrl, requireTwilio, toRefusal } from '../service.twilio.ts';
import { isStopped } from '../store.numbers.ts';
import * as store from '../store.ts';

/** The time in which the first of two parallel requests has its outcome. */
const OUTCOME_TIMEOUT_MS = 15_000;

/** Reports each sent text, after it was sent. */
export const textSent = hook<[unit: Unit, actor: Actor, text: { to: string; body: string }]>();

/**
 * @throws Refusal notPermitted for another's number, recipientStopped after STOP, Twilio's own refusals;
 * outcomeUnknown when it may have been sent
 */
export async function sendText(
  context: ActorContext,
  input: NewText,
  once?: IdempotencyKey,
): Promise<{ message: TextMessage }> {
  await requireOwnNumber(context, input.from);
  if (input.to === input.from) throw invalidField('to', 'This is your own number');
  let isFirst = false;
  const begun = await write(
    context,
    async (unit) => {
      isFirst = true;
      return { id: await beginText(unit, context.actor, input) };
    },
    once,
  );
  if (isFirst) return { message: await deliverText(context, begun.id, input) };
  return { message: await requireTextOutcome(context, begun.id) };
}

async function beginText(
  unit: Unit,
  actor: Actor,
  { from, to, message }: NewText,
): Promise<string> {
  const pair = { ownerId: actor.id, other: to };
  await store.lockConversation(unit.trx, pair);
  if (await isStopped(unit.trx, from, to)) throw new Refusal('recipientStopped');
  const id = await store.insertText(unit.trx, {
    owner_id: actor.id,
    own_number: from,
    other_number: to,
    is_inbound: false,
    body: message,
    status: 'sending',
    sent_at: rules.currentSecond(),
  });
  if (id === undefined) throw new Refusal('unexpected');
  await store.refreshConversation(unit.trx, pair);
  await unit.record({ action: 'created', entity: 'text', entityId: id });
  return id;
}

async function deliverText(
  context: ActorContext,
  id: string,
  { from, to, message }: NewText,
): Promise<TextMessage> {
  const { log } = context;
  const twilio = requireTwilio(context);
  const path = `${textWebhookRoutes.receiveStatus.path}?message=${id}`;
  const statusCallback = callbackUrl(context, path);
  let sent: ProviderMessage;
  try {
    sent = await twilio.sendText({ from, to, body: message, statusCallback });
  } catch (error) {
    const failure = toFailure(error);
    log.warn({ text: id, kind: failure.kind, code: failure.code }, 'text not sent');
    const explanation = rules.explain(failure);
    const text = await failText(context, id, failure);
    if (text.status !== 'unknown' && text.status !== 'failed') return text;
    throw failure.kind === 'slow'
      ? new Refusal('outcomeUnknown', rules.UNDECIDED, { cause: error })
      : toRefusal(explanation, error);
  }
  const text = await bindMessage(context, context.actor, { id, sent });
  const report = (unit: Unit) => textSent.run(context, unit, context.actor, { to, body: message });
  // The text was sent, even if a listener fails.
  await write(context, report).catch((err: unknown) =>
    log.error({ err, text: id }, 'text not noted in its intake'),
  );
  return text;
}

/** Refused texts fail; texts that may have been sent stay unknown until Twilio confirms them. */
async function failText(
  context: ActorContext,
  id: string,
  failure: TwilioFailure,
): Promise<TextMessage> {
  const explanation = rules.explain(failure);
  const text = await changeMessage(context, context.actor, {
    id,
    decide: (row) => {
      // A webhook may have bound it while the call failed.
      if (row.sid !== null) return undefined;
      if (failure.isUncertain) return { status: 'unknown' };
      return {
        status: 'failed',
        error_code: failure.code,
        error_message: explanation.message,
        refused_as: explanation.code,
        refusal: explanation.message,
      };
    },
  });
  await noteRefusal(context, id, failure.code);
  return text;
}

/** Waits for the outcome of the first request with the same key. */
async function requireTextOutcome(context: Context, id: string): Promise<TextMessage> {
  const row = await poll(OUTCOME_TIMEOUT_MS, async () => {
    const found = await store.findText(context.db, id);
    if (!found) throw new Refusal('unexpected');
    const isSettled = found.refused_as !== null || found.status !== 'sending' || found.sid !== null;
    return isSettled ? found : undefined;
  });
  if (row?.refused_as) throw new Refusal(row.refused_as, row.refusal ?? undefined);
  if (!row || row.status === 'unknown') throw new Refusal('outcomeUnknown', rules.UNDECIDED);
  return store.toText(row);
}
