import { MAX_MAIL_BYTES, type OutgoingMail } from '@matterdesk/contract/mails.ts';
import type { Actor } from '../../../core/actor.ts';
import { invalidField, Refusal } from '../../../core/refusal.ts';
import { GoogleFailure } from '../../../integrations/google/failure.ts';
import type { OutgoingBytes } from '../../../integrations/google/outgoing.ts';
import type { CalendarPart, Enclosure } from '../../../integrations/mime/compose.ts';
import type { AccountService } from '../../accounts/service.ts';
import { addressOf, type FileService } from '../../files/service.ts';
import type { Opened } from '../service.access.ts';
import type { ReadingService } from '../read/service.ts';
import type { UploadService } from './service.uploads.ts';
import * as rules from './rules.ts';
import { fileName } from '../rules.names.ts';
import { isMailId } from '../rules.ts';

export type ComposingParts = {
  accounts: AccountService;
  files: FileService;
  reading: ReadingService;
  uploads: UploadService;
};

type Source = { name: string; size: number; read: () => Promise<NodeJS.ReadableStream> };
type Wanted = NonNullable<OutgoingMail['attachments']>[number];

/** Bytes of a mail for each byte of its content: Base64 with line ends. */
const ENCODED = 1.37;

/** A mail that a user wrote, or one that invites a guest. */
export type Outgoing = OutgoingMail & { calendar?: CalendarPart };

/** Builds the MIME message of a mail that a user wrote. */
export class ComposingService {
  readonly #parts: ComposingParts;

  constructor(parts: ComposingParts) {
    this.#parts = parts;
  }

  /** @throws Refusal invalidInput for unknown mails, files and uploads; tooLarge */
  async compose(actor: Actor, opened: Opened, input: Outgoing): Promise<OutgoingBytes> {
    const [me, { threadId, ...thread }, forwarded] = await Promise.all([
      this.#parts.accounts.readCurrentUser(actor),
      this.#findThread(opened, input),
      this.#readForwarded(actor, opened, input.forwardOf),
    ]);
    const enclosures = await this.#findAll(actor, opened, { input, forwarded });
    const { compose } = await import('../../../integrations/mime/compose.ts');
    const open = compose({
      ...thread,
      from: { name: `${me.firstName} ${me.lastName}`, email: opened.grant.email },
      to: input.to === '' ? [] : [input.to],
      cc: input.cc ?? [],
      bcc: input.bcc ?? [],
      subject: input.subject,
      text: input.text,
      enclosures,
      calendar: input.calendar,
    });
    const content = enclosures.reduce((sum, { size }) => sum + size, input.text.length);
    return { size: content * ENCODED, open, threadId };
  }

  /** The thread of the mail replied to, or of the draft. */
  async #findThread({ mailbox }: Opened, input: OutgoingMail): Promise<rules.Thread> {
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
  async #readForwarded(actor: Actor, opened: Opened, mailId?: string): Promise<Enclosure[]> {
    if (mailId === undefined) return [];
    const read = async () => {
      const { size, read: open } = await this.#parts.reading.readOriginal(actor, opened, mailId);
      const { subject, arrivedAt } = await this.#parts.reading.readSubject(opened, mailId);
      const name = fileName(subject, new Date(arrivedAt).toISOString());
      return [{ name, size, open: () => open(), isMessage: true }];
    };
    const found = isMailId(mailId) ? await ifFound(read()) : undefined;
    if (!found) throw invalidField('forwardOf', 'Mail not found');
    return found;
  }

  /** Checks the total size. */
  async #findAll(
    actor: Actor,
    opened: Opened,
    { input, forwarded }: { input: OutgoingMail; forwarded: Enclosure[] },
  ): Promise<Enclosure[]> {
    const wanted = input.attachments ?? [];
    const sources: Source[] = [];
    for (const [index, attachment] of wanted.entries())
      sources.push(await this.#find(actor, opened, { attachment, path: `attachments.${index}` }));
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

  async #find(
    actor: Actor,
    opened: Opened,
    { attachment, path }: { attachment: Wanted; path: string },
  ): Promise<Source> {
    if ('upload' in attachment) {
      const upload = await this.#parts.uploads.find(actor, attachment.upload);
      if (!upload) throw invalidField(`${path}.upload`, 'Upload not found');
      return upload;
    }
    const content = await this.#open(actor, opened, attachment.url);
    if (!content) throw invalidField(`${path}.url`, 'File not found');
    return content;
  }

  /** A case file, or an attachment of the user's own mail. */
  async #open(actor: Actor, opened: Opened, url: string): Promise<Source | undefined> {
    const { files, reading } = this.#parts;
    const ofMail = attachmentOf(url);
    if (ofMail) return ifFound(reading.openAttachment(actor, opened, ofMail));
    const address = addressOf(url);
    return address && ifFound(files.readContent(actor, address));
  }
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
