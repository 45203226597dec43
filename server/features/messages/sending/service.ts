// Sending texts, exactly once for each click.

import { setTimeout as pause } from 'node:timers/promises';
import { messageRoutes, type NewText, type TextMessage } from '@matterdesk/contract/messages.ts';
import type { Once } from '../../../core/once.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { Actor } from '../../../core/actor.ts';
import { invalidField, Refusal } from '../../../core/refusal.ts';
import type { ProviderMessage } from '../../../integrations/twilio/client.ts';
import { toFailure, type TwilioFailure } from '../../../integrations/twilio/failure.ts';
import { noteOutreach } from '../../intakes/service.contacts.ts';
import * as rules from '../rules.ts';
import { explain, UNDECIDED } from '../rules.failures.ts';
import { refusal, reachOf, twilioOf } from '../service.parts.ts';
import { isStopped } from '../consents/store.ts';
import * as conversations from '../store.conversations.ts';
import * as store from '../store.ts';
import { type ActorContext, type Context, write } from '../../../context.ts';
import { requireOwnNumber } from '../numbers/service.ts';
import { applyMessageRefusal, bindMessage, changeMessage } from '../service.news.ts';

/** Milliseconds between two polls for the outcome of a parallel request, and their number. */
const POLL_INTERVAL = 200;
const POLLS = 75;

/**
 * @throws Refusal notPermitted for another's number, recipientStopped after STOP, Twilio's own refusals;
 * outcomeUnknown when it may have been sent
 */
export async function sendText(
  context: ActorContext,
  input: NewText,
  once?: Once,
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
  return { message: await outcomeOfText(context, begun.id) };
}

async function beginText(
  unit: Unit,
  actor: Actor,
  { from, to, message }: NewText,
): Promise<string> {
  const pair = { ownerId: actor.id, other: to };
  await conversations.lockConversation(unit.trx, pair);
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
  await conversations.refreshConversation(unit.trx, pair);
  await unit.record({ action: 'created', entity: 'text', entityId: id });
  return id;
}

async function deliverText(
  context: ActorContext,
  id: string,
  { from, to, message }: NewText,
): Promise<TextMessage> {
  const { log } = context;
  const twilio = twilioOf(context);
  const reach = reachOf(context);
  if (!twilio) throw new Refusal('notConfigured');
  const path = `${messageRoutes.receiveStatus.path}?message=${id}`;
  const statusCallback = rules.callbackUrl(reach, path);
  let sent: ProviderMessage;
  try {
    sent = await twilio.sendText({ from, to, body: message, statusCallback });
  } catch (error) {
    const failure = toFailure(error);
    log.warn({ text: id, kind: failure.kind, code: failure.code }, 'text not sent');
    const explanation = explain(failure);
    const text = await failText(context, id, failure);
    if (text.status !== 'unknown' && text.status !== 'failed') return text;
    throw failure.kind === 'slow'
      ? new Refusal('outcomeUnknown', UNDECIDED, { cause: error })
      : refusal(explanation, error);
  }
  const text = await bindMessage(context, context.actor, { id, sent });
  const contact = { numbers: [to], kind: 'message' as const, text: message };
  // What is noted about a text must not make it look unsent.
  await write(context, (unit) => noteOutreach(unit, context.actor, contact)).catch((err: unknown) =>
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
  const explanation = explain(failure);
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
  await applyMessageRefusal(context, id, failure.code);
  return text;
}

/** Waits for the outcome of the first request with the same key. */
async function outcomeOfText(context: Context, id: string): Promise<TextMessage> {
  for (let poll = 0; poll < POLLS; poll += 1) {
    const row = await store.findText(context.db, id);
    if (!row) throw new Refusal('unexpected');
    if (row.refused_as) throw new Refusal(row.refused_as, row.refusal ?? undefined);
    if (row.status === 'unknown') break;
    if (row.status !== 'sending' || row.sid !== null) return store.toText(row);
    await pause(POLL_INTERVAL);
  }
  throw new Refusal('outcomeUnknown', UNDECIDED);
}
