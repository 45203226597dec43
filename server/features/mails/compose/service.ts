// Sends each mail exactly once, and stores drafts at Google.

import { setTimeout as pause } from 'node:timers/promises';
import { NO_RECIPIENT, type OutgoingMail } from '@matterdesk/contract/mails.ts';
import { type ActorContext, type Context, hook, write } from '../../../context.ts';
import type { Actor } from '../../../core/actor.ts';
import type { Once } from '../../../core/once.ts';
import { invalidField, notFound, Refusal } from '../../../core/refusal.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { toRefusal as toReply } from '../../../http/error-reply.ts';
import { GoogleFailure } from '../../../integrations/google/failure.ts';
import type { Mailbox, OutgoingBytes } from '../../../integrations/google/mailbox.ts';
import { isMailId } from '../rules.ts';
import {
  findGrant,
  forgetMailbox,
  openMailbox,
  requireGrant,
  requireSameGrant,
  useMailbox,
  type Opened,
} from '../service.access.ts';
import { composeMail, type Outgoing } from './service.message.ts';
import * as store from './store.ts';

/** Milliseconds between two polls for the outcome of a parallel request, and their number. */
const POLL_INTERVAL = 200;
const POLLS = 150;
const UNKNOWN = 'This email may have been sent. Check Sent before you send it again.';

/** Reports each sent mail within the transaction that records it; `emails` are its visible recipients. */
export const mailSent =
  hook<[unit: Unit, actor: Actor, mail: { emails: string[]; subject: string }]>();

/** Google may have accepted the mail, but its reply was lost. */
class LostReply extends Error {}

/**
 * A row is stored before calling Google, and the outcome after; a repeat returns the first outcome.
 * @throws Refusal outcomeUnknown when it may have been sent
 */
export async function sendMail(context: ActorContext, input: Outgoing, once?: Once): Promise<void> {
  const recipients = [
    ...(input.to === '' ? [] : [input.to]),
    ...(input.cc ?? []),
    ...(input.bcc ?? []),
  ];
  if (recipients.length === 0) throw invalidField('to', NO_RECIPIENT);
  // Checked first, since a claimed idempotency key would repeat the refusal.
  await requireGrant(context);
  let isFirst = false;
  const { id } = await write(
    context,
    async (unit) => {
      isFirst = true;
      return { id: await store.insertOutgoing(unit.trx, context.actor.id) };
    },
    once,
  );
  if (isFirst || (await store.claimRetry(context.db, id))) await deliverMail(context, id, input);
  else await requireSendOutcome(context, id);
}

async function deliverMail(context: ActorContext, id: string, input: Outgoing): Promise<void> {
  try {
    await useMailbox(context, async (opened) => {
      const mail = await composeMail(context, opened, input);
      await requireSameGrant(context, opened.grant);
      await transmit(opened.mailbox, mail, input.draftId);
    });
  } catch (error) {
    throw await failSending(context, id, error);
  }
  await write(context, async (unit) => {
    await store.settleOutgoing(unit.trx, id, { state: 'sent' });
    await unit.record({ action: 'sent', entity: 'mail', entityId: id });
    const emails = [input.to, ...(input.cc ?? [])].filter(Boolean);
    await mailSent.run(context, unit, context.actor, { emails, subject: input.subject });
  });
}

/** Stores permanent refusals; temporary failures can be retried under the same key. */
async function failSending(context: Context, id: string, error: unknown): Promise<unknown> {
  const { db } = context;
  if (error instanceof LostReply) {
    await store.settleOutgoing(db, id, { state: 'unknown' });
    return new Refusal('outcomeUnknown', UNKNOWN);
  }
  const { code, message, status } = toReply(error);
  const isFinal = status < 500 && status !== 429 && status !== 409;
  await store.settleOutgoing(
    db,
    id,
    isFinal ? { state: 'refused', refused_as: code, refusal: message } : { state: 'postponed' },
  );
  return error;
}

/** Waits for the outcome of the first request with the same key. */
async function requireSendOutcome(context: Context, id: string): Promise<void> {
  for (let poll = 0; poll < POLLS; poll += 1) {
    const row = await store.findOutgoing(context.db, id);
    if (row?.state === 'sent') return;
    if (row?.state === 'refused')
      throw new Refusal(row.refused_as ?? 'unexpected', row.refusal ?? undefined);
    if (row?.state !== 'sending') break;
    await pause(POLL_INTERVAL);
  }
  throw new Refusal('outcomeUnknown', UNKNOWN);
}

/** @returns the draft's id */
export async function keepDraft(
  context: ActorContext,
  input: OutgoingMail,
): Promise<{ draftId: string }> {
  return useMailbox(context, async (opened) => {
    const { draftId: _, ...written } = input;
    const mail = await composeMail(context, opened, written);
    return { draftId: await opened.mailbox.createDraft(mail) };
  });
}

/** @throws Refusal notFound */
export function changeDraft(
  context: ActorContext,
  draftId: string,
  input: OutgoingMail,
): Promise<{ draftId: string }> {
  return useDraft(context, draftId, async (opened) => {
    const written = { ...input, draftId };
    const mail = await composeMail(context, opened, written);
    await opened.mailbox.changeDraft(draftId, mail);
    return { draftId };
  });
}

/** @throws Refusal notFound */
export function deleteDraft(context: ActorContext, draftId: string): Promise<void> {
  return useDraft(context, draftId, ({ mailbox }) => mailbox.deleteDraft(draftId));
}

async function useDraft<T>(
  context: ActorContext,
  draftId: string,
  work: (opened: Opened) => Promise<T>,
) {
  if (!isMailId(draftId)) throw notFound('Draft');
  return useMailbox(context, async (opened) => {
    try {
      return await work(opened);
    } catch (error) {
      if (isNotFound(error)) throw notFound('Draft');
      throw error;
    }
  });
}

/** @throws LostReply when the mail may have been sent */
async function transmit(mailbox: Mailbox, mail: OutgoingBytes, draftId: string | undefined) {
  try {
    if (draftId === undefined || !(await isSentAsDraft(mailbox, mail, draftId)))
      await mailbox.send(mail);
  } catch (error) {
    throw error instanceof GoogleFailure && error.isUnsure ? new LostReply() : error;
  }
}

/** False when the draft was deleted; the mail is then sent without it. */
async function isSentAsDraft(mailbox: Mailbox, mail: OutgoingBytes, draftId: string) {
  if (!isMailId(draftId)) return false;
  try {
    await mailbox.sendDraft(draftId, mail);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof GoogleFailure && error.reason === 'notFound';
}

/** A mail from the product to a user. `id` is its Message-ID. */
export type OwnLetter = { id: string; name: string; subject: string; text: string };

/**
 * Sends a user a mail from their own Google account, where the system has no mail of its own.
 * @returns false without an account, or when Google no longer grants it
 * @throws GoogleFailure with `isUnsure` when it may have been sent
 */
export async function sendToSelf(
  context: Context,
  userId: string,
  { id, name, subject, text }: OwnLetter,
): Promise<boolean> {
  const grant = await findGrant(context, userId);
  if (!grant) return false;
  const { compose } = await import('../../../integrations/mime/compose.ts');
  const to = { from: { name, email: grant.email }, to: [grant.email], cc: [], bcc: [] };
  const plain = { inReplyTo: undefined, references: [], enclosures: [], calendar: undefined };
  const open = compose({ ...to, ...plain, messageId: id, subject, text });
  try {
    const mailbox = await openMailbox(context, grant);
    await mailbox.send({ size: text.length, open, threadId: undefined });
    return true;
  } catch (error) {
    if (!(error instanceof GoogleFailure) || error.reason !== 'revoked') throw error;
    await forgetMailbox(context, grant);
    return false;
  }
}
