// Builds mails and sends each exactly once; stores drafts and signatures.

import { MAIL_BYTES_MAX, NO_RECIPIENT, type OutgoingMail } from '@matterdesk/contract/mails.ts';
import { type ActorContext, type Context, hook, write, asActor } from '../../../context.ts';
import { type Actor, fullName } from '../../../core/actor.ts';
import { nowAt } from '../../../core/dates.ts';
import type { IdempotencyKey } from '../../../core/idempotency-key.ts';
import { poll } from '../../../core/polling.ts';
import { invalidField, notFound, Refusal } from '../../../core/refusal.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { toRefusal as toReply } from '../../../http/error-reply.ts';
import { GoogleFailure } from '../../../integrations/google/failure.ts';
import type { Mailbox, OutgoingBytes } from '../../../integrations/google/mailbox.ts';
import type { CalendarPart, Enclosure } from '../../../integrations/mime/compose.ts';
import { readCurrentUser, requireActive } from '../../accounts/service.ts';
import { addressOf, readFileContent } from '../../files/service.ts';
import { readFirm } from '../../firm/service.ts';
import { openMailAttachment, readOriginalMail, readSubject } from '../read/service.ts';
import { isMailId, nameOfMail } from '../rules.ts';
import * as rules from '../rules.ts';
import {
  findGrant,
  forgetMailbox,
  type OpenedMailbox,
  openMailbox,
  requireGrant,
  requireSameGrant,
  useMailbox,
} from '../service.access.ts';
import { findUpload } from './service.uploads.ts';
import * as store from './store.ts';

/** The time in which the first of two parallel requests has its outcome. */
const OUTCOME_TIMEOUT_MS = 30_000;
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
export async function sendMail(
  context: ActorContext,
  input: Outgoing,
  once?: IdempotencyKey,
): Promise<void> {
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
  const settled = await poll(OUTCOME_TIMEOUT_MS, async () => {
    const row = await store.findOutgoing(context.db, id);
    return row?.state === 'sending' ? undefined : { row };
  });
  if (settled?.row?.state === 'sent') return;
  if (settled?.row?.state === 'refused')
    throw new Refusal(settled.row.refused_as ?? 'unexpected', settled.row.refusal ?? undefined);
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
  work: (opened: OpenedMailbox) => Promise<T>,
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
    if (draftId === undefined || !(await trySendingDraft(mailbox, mail, draftId)))
      await mailbox.send(mail);
  } catch (error) {
    throw error instanceof GoogleFailure && error.isUnsure ? new LostReply() : error;
  }
}

/** False when the draft was deleted; the mail is then sent without it. */
async function trySendingDraft(mailbox: Mailbox, mail: OutgoingBytes, draftId: string) {
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
type OwnMail = { id: string; name: string; subject: string; text: string };

/**
 * Sends a user a mail from their own Google account, where the system has no mail of its own.
 * @returns false without an account, or when Google no longer grants it
 * @throws GoogleFailure with `isUnsure` when it may have been sent
 */
export async function sendToSelf(
  context: Context,
  userId: string,
  { id, name, subject, text }: OwnMail,
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

// Builds the MIME message of a mail: its thread, attachments and forwarded original.

type Source = { name: string; size: number; read: () => Promise<NodeJS.ReadableStream> };
type RequestedAttachment = NonNullable<OutgoingMail['attachments']>[number];

/** Bytes on the wire per byte of content: Base64 with line ends. */
const ENCODING_FACTOR = 1.37;

/** A user's mail, which may carry an invitation. */
type Outgoing = OutgoingMail & { calendar?: CalendarPart };

/** @throws Refusal invalidInput for unknown mails, files and uploads; tooLarge */
async function composeMail(
  context: ActorContext,
  opened: OpenedMailbox,
  input: Outgoing,
): Promise<OutgoingBytes> {
  const [me, { threadId, ...thread }, forwarded] = await Promise.all([
    readCurrentUser(context),
    findThread(opened, input),
    readForwarded(context, opened, input.forwardOf),
  ]);
  const enclosures = await findAttachments(context, opened, { input, forwarded });
  const { compose } = await import('../../../integrations/mime/compose.ts');
  const html = await formatHtml(input);
  const open = compose({
    ...thread,
    from: { name: fullName(me), email: opened.grant.email },
    to: input.to === '' ? [] : [input.to],
    cc: input.cc ?? [],
    bcc: input.bcc ?? [],
    subject: input.subject,
    text: input.text,
    html,
    enclosures,
    calendar: input.calendar,
  });
  const written = input.text.length + (html?.length ?? 0);
  const content = enclosures.reduce((sum, { size }) => sum + size, written);
  return { size: content * ENCODING_FACTOR, open, threadId };
}

/** The HTML part; undefined when nothing is left of it. */
async function formatHtml({ html }: OutgoingMail): Promise<string | undefined> {
  if (html === undefined || html === '') return undefined;
  const { asDocument, cleanFormatting } = await import('../../../integrations/mime/formatting.ts');
  const cleaned = await cleanFormatting(html);
  return cleaned === '' ? undefined : asDocument(cleaned);
}

/** The thread of the mail replied to, or of the draft. */
async function findThread({ mailbox }: OpenedMailbox, input: OutgoingMail): Promise<rules.Thread> {
  const { inReplyTo, draftId } = input;
  if (inReplyTo !== undefined) {
    const head = isMailId(inReplyTo) && (await ifFound(mailbox.readHead(inReplyTo)));
    if (!head) throw invalidField('inReplyTo', 'Mail not found');
    return rules.threadOf(head);
  }
  const head =
    draftId !== undefined && isMailId(draftId) && (await ifFound(mailbox.readDraft(draftId)));
  return head ? rules.threadOfDraft(head) : rules.NO_THREAD;
}

/** The original, verbatim, since a mail can be evidence. */
async function readForwarded(
  context: ActorContext,
  opened: OpenedMailbox,
  mailId?: string,
): Promise<Enclosure[]> {
  if (mailId === undefined) return [];
  const read = async () => {
    const { size, read: open } = await readOriginalMail(context, opened, mailId);
    const { subject, arrivedAt } = await readSubject(context, opened, mailId);
    const { timeZone } = await readFirm(context);
    const name = nameOfMail(subject, nowAt(new Date(arrivedAt), timeZone).day);
    return [{ name, size, open: () => open(), isMessage: true }];
  };
  const found = isMailId(mailId) ? await ifFound(read()) : undefined;
  if (!found) throw invalidField('forwardOf', 'Mail not found');
  return found;
}

/** @throws Refusal invalidInput for an unknown attachment; tooLarge */
async function findAttachments(
  context: ActorContext,
  opened: OpenedMailbox,
  { input, forwarded }: { input: OutgoingMail; forwarded: Enclosure[] },
): Promise<Enclosure[]> {
  const wanted = input.attachments ?? [];
  const sources: Source[] = [];
  for (const [index, attachment] of wanted.entries())
    sources.push(
      await findAttachment(context, opened, { attachment, path: `attachments.${index}` }),
    );
  const enclosures = [
    ...sources.map(({ name, size, read }) => ({ name, size, open: read, isMessage: false })),
    ...forwarded,
  ];
  const text = Buffer.byteLength(input.text);
  const whole = enclosures.reduce((sum, { size }) => sum + size, text);
  if (whole > MAIL_BYTES_MAX)
    throw new Refusal('tooLarge', `An email can have up to ${MAIL_BYTES_MAX / 1_048_576} MB`);
  return enclosures;
}

async function findAttachment(
  context: ActorContext,
  opened: OpenedMailbox,
  { attachment, path }: { attachment: RequestedAttachment; path: string },
): Promise<Source> {
  if ('upload' in attachment) {
    const upload = await findUpload(context, attachment.upload);
    if (!upload) throw invalidField(`${path}.upload`, 'Upload not found');
    return upload;
  }
  const content = await openAttachmentUrl(context, opened, attachment.url);
  if (!content) throw invalidField(`${path}.url`, 'File not found');
  return content;
}

/** A case file, or an attachment of the user's own mail. */
async function openAttachmentUrl(
  context: ActorContext,
  opened: OpenedMailbox,
  url: string,
): Promise<Source | undefined> {
  const ofMail = attachmentOf(url);
  if (ofMail) return ifFound(openMailAttachment(context, opened, ofMail));
  const address = addressOf(url);
  return address && ifFound(readFileContent(context, address));
}

function attachmentOf(url: string) {
  const [, mailId, part] =
    /^\/api\/v1\/mails\/attachment\/([\w-]{1,100})\/([\w.]{1,100})\/[^/?#]+$/.exec(url) ?? [];
  return mailId !== undefined && part !== undefined ? { mailId, part } : undefined;
}

async function ifFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    const isUnknown =
      (error instanceof GoogleFailure && error.reason === 'notFound') ||
      (error instanceof Refusal && error.status === 404);
    if (isUnknown) return undefined;
    throw error;
  }
}

// The text below a user's mails.

export async function readSignature(context: ActorContext): Promise<{ signature: string }> {
  return { signature: await store.findSignature(asActor(context), context.actor.id) };
}

export async function changeSignature(
  context: ActorContext,
  signature: string,
): Promise<{ signature: string }> {
  return write(context, async ({ trx }) => {
    await requireActive(trx, context.actor);
    await store.putSignature(trx, context.actor.id, signature);
    return { signature };
  });
}
