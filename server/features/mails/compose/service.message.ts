// Builds the MIME message of a mail: its thread, attachments and forwarded original.

import { MAX_MAIL_BYTES, type OutgoingMail } from '@matterdesk/contract/mails.ts';
import type { ActorContext } from '../../../context.ts';
import { invalidField, Refusal } from '../../../core/refusal.ts';
import { GoogleFailure } from '../../../integrations/google/failure.ts';
import type { OutgoingBytes } from '../../../integrations/google/mailbox.ts';
import type { CalendarPart, Enclosure } from '../../../integrations/mime/compose.ts';
import { readCurrentUser } from '../../accounts/service.ts';
import { addressOf, readFileContent } from '../../files/service.ts';
import { openMailAttachment, readOriginalMail, readSubject } from '../read/service.ts';
import { fileName, isMailId } from '../rules.ts';
import type { Opened } from '../service.access.ts';
import * as rules from './rules.ts';
import { findUpload } from './service.uploads.ts';

type Source = { name: string; size: number; read: () => Promise<NodeJS.ReadableStream> };
type Wanted = NonNullable<OutgoingMail['attachments']>[number];

/** Bytes on the wire per byte of content: Base64 with line ends. */
const ENCODED = 1.37;

/** A user's mail, which may carry an invitation. */
export type Outgoing = OutgoingMail & { calendar?: CalendarPart };

/** @throws Refusal invalidInput for unknown mails, files and uploads; tooLarge */
export async function composeMail(
  context: ActorContext,
  opened: Opened,
  input: Outgoing,
): Promise<OutgoingBytes> {
  const [me, { threadId, ...thread }, forwarded] = await Promise.all([
    readCurrentUser(context),
    findThread(opened, input),
    readForwarded(context, opened, input.forwardOf),
  ]);
  const enclosures = await findAttachments(context, opened, { input, forwarded });
  const { compose } = await import('../../../integrations/mime/compose.ts');
  const html = await formatted(input);
  const open = compose({
    ...thread,
    from: { name: `${me.firstName} ${me.lastName}`, email: opened.grant.email },
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
  return { size: content * ENCODED, open, threadId };
}

/** The HTML part; undefined when nothing is left of it. */
async function formatted({ html }: OutgoingMail): Promise<string | undefined> {
  if (html === undefined || html === '') return undefined;
  const { asDocument, cleanFormatting } = await import('../../../integrations/mime/formatting.ts');
  const cleaned = await cleanFormatting(html);
  return cleaned === '' ? undefined : asDocument(cleaned);
}

/** The thread of the mail replied to, or of the draft. */
async function findThread({ mailbox }: Opened, input: OutgoingMail): Promise<rules.Thread> {
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
  opened: Opened,
  mailId?: string,
): Promise<Enclosure[]> {
  if (mailId === undefined) return [];
  const read = async () => {
    const { size, read: open } = await readOriginalMail(context, opened, mailId);
    const { subject, arrivedAt } = await readSubject(context, opened, mailId);
    const name = fileName(subject, new Date(arrivedAt).toISOString());
    return [{ name, size, open: () => open(), isMessage: true }];
  };
  const found = isMailId(mailId) ? await ifFound(read()) : undefined;
  if (!found) throw invalidField('forwardOf', 'Mail not found');
  return found;
}

/** @throws Refusal invalidInput for an unknown attachment; tooLarge */
async function findAttachments(
  context: ActorContext,
  opened: Opened,
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
  if (whole > MAX_MAIL_BYTES)
    throw new Refusal('tooLarge', `An email can have up to ${MAX_MAIL_BYTES / 1_048_576} MB`);
  return enclosures;
}

async function findAttachment(
  context: ActorContext,
  opened: Opened,
  { attachment, path }: { attachment: Wanted; path: string },
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
  opened: Opened,
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
