import pLimit from 'p-limit';
import { attachmentUrl } from '@matterdesk/contract/mail-attachments.ts';
import type { MailDetail } from '@matterdesk/contract/mails.ts';
import type { Actor } from '../../../core/actor.ts';
import type { Database } from '../../../db/schema.ts';
import type { Content } from '../../../http/content.ts';
import { notFound } from '../../../core/refusal.ts';
import type { Mailbox } from '../../../integrations/google/mailbox.ts';
import type { Clues, ReadMail } from '../../../integrations/mime/answers.ts';
import type { HeldBytes } from '../../../integrations/mime/held-bytes.ts';
import type { HeldCache } from '../../../integrations/mime/held-cache.ts';
import { UnreadableMail, type Errand, type MailReader } from '../../../integrations/mime/reader.ts';
import type { CaseClues } from '../../cases/service.clues.ts';
import type { FileService } from '../../files/service.ts';
import type { MailAccess, Opened } from '../service.access.ts';
import { cluesOf } from '../../../integrations/mime/clues.ts';
import { REASONS } from './rules.ts';
import { listFiled } from './service.filed.ts';
import * as rules from '../rules.ts';

/** An invitation as it is in a mail, with the address that sent it. */
export type SentInvitation = { text: string; sender: string };
/** What the calendar has to say about invitations. */
export type Invitations = {
  find: (actor: Actor, sent: SentInvitation) => Promise<MailDetail['invitation']>;
};

/** A part of a mail, or the complete mail, whose bytes can be read again and again. */
export type FoundPart = Pick<Content, 'name' | 'size' | 'read'>;
type TakenPart = { name: string; bytes: HeldBytes };
type Place = { mailId: string; part: string };

export type ReadingParts = {
  access: MailAccess;
  db: Database;
  wholes: HeldCache<{ bytes: HeldBytes }>;
  found: HeldCache<TakenPart>;
  /** For large mails that are being read. */
  directory: string;
  reader: MailReader;
  clues: CaseClues;
  files: FileService;
  invitations: Invitations;
};

/** Limit of parallel downloads of complete mails. */
const AT_ONCE = 4;
/** Part id of the complete mail when it cannot be parsed. */
const ORIGINAL = 'original';
const DAMAGED = 'This email is damaged and can’t be shown. The original is attached.';

export class ReadingService {
  readonly #parts: ReadingParts;
  readonly #queue = pLimit(AT_ONCE);

  constructor(parts: ReadingParts) {
    this.#parts = parts;
  }

  /** Ends what is kept of mails that were read. */
  async close(): Promise<void> {
    const { wholes, found } = this.#parts;
    await Promise.all([wholes.close(), found.close()]);
  }

  /** Also marks the mail as read at Google. @throws Refusal notFound */
  read(actor: Actor, mailId: string): Promise<MailDetail> {
    return this.#use(actor, mailId, async (opened) => {
      const { mailbox } = opened;
      const own = [actor.email, opened.grant.email].map((email) => email.toLowerCase());
      const { whole, mail, clues } = await this.#read(opened, mailId, own);
      const sent = invitationIn(mail);
      const [draftId, proposedCase, invitation, filed] = await Promise.all([
        whole.labels.includes('DRAFT') ? mailbox.findDraft(mailId) : undefined,
        this.#propose(actor, clues),
        sent && this.#parts.invitations.find(actor, sent),
        listFiled(this.#parts.db.as(actor), { userId: actor.id, mailId }),
        whole.labels.includes('UNREAD') ? markRead(mailbox, mailId) : undefined,
      ]);
      const [to = null, ...cc] = mail.recipients;
      const { subject, from, bcc, replyTo, text: message, html } = mail;
      return {
        id: mailId,
        subject,
        from,
        to,
        cc,
        ...(bcc.length > 0 && { bcc }),
        ...(replyTo.length > 0 && { replyTo }),
        date: mail.date ?? new Date(whole.arrivedAt).toISOString(),
        message,
        html,
        attachments: mail.attachments.map(({ part, isInline: inline, ...attachment }) => ({
          ...attachment,
          inline,
          url: attachmentUrl(mailId, part, attachment.name),
        })),
        draftId: draftId ?? null,
        proposedCase,
        invitation,
        filed,
      };
    });
  }

  /** @param own addresses that point to no case */
  async #read(opened: Opened, mailId: string, own: string[]) {
    try {
      const { whole, mail, clues } = await this.open(opened, mailId, { wanted: 'mail', own });
      if (mail && clues) return { whole, mail, clues };
    } catch (error) {
      if (!(error instanceof UnreadableMail)) throw error;
    }
    const damaged = await this.#readDamaged(opened.mailbox, mailId);
    return { ...damaged, clues: cluesOf(damaged.mail, own) };
  }

  /** Google's own summary, with the original attached. */
  async #readDamaged(mailbox: Mailbox, mailId: string) {
    const { summarize } = await import('../../../integrations/mime/summary.ts');
    const head = await mailbox.readHead(mailId);
    const { subject, from, to } = summarize(head);
    const attachment = {
      part: ORIGINAL,
      name: 'original.eml',
      size: head.size,
      mimeType: 'message/rfc822',
      isInline: false,
      contentId: null,
    };
    const mail: ReadMail = {
      subject,
      from: from.email === '' ? null : from,
      recipients: to.email === '' ? [] : [to],
      bcc: [],
      replyTo: [],
      date: null,
      text: DAMAGED,
      html: null,
      calendar: null,
      attachments: [attachment],
    };
    return { whole: head, mail };
  }

  /** Parses the complete mail, from the cache or from Google. */
  async open(
    { mailbox, grant }: Opened,
    mailId: string,
    { wanted, own = [] }: Pick<Errand, 'wanted'> & Partial<Errand>,
  ) {
    const { wholes, directory, reader } = this.#parts;
    const { bytes: whole } = await wholes.take(`${grant.fingerprint} ${mailId}`, async () => ({
      bytes: await this.#queue(() => mailbox.readWhole(mailId, directory)),
    }));
    try {
      return await reader.read({ whole, wanted, own });
    } finally {
      await whole.release();
    }
  }

  /** The original, verbatim. @throws Refusal notFound; UnreadableMail */
  readOriginal(actor: Actor, opened: Opened, mailId: string): Promise<FoundPart> {
    return this.#findPart(actor, opened, { mailId, part: ORIGINAL });
  }

  /** Null for a mail without one. @throws Refusal notFound */
  readInvitation(actor: Actor, mailId: string): Promise<SentInvitation | null> {
    return this.#use(actor, mailId, async (opened) =>
      invitationIn((await this.#read(opened, mailId, [])).mail),
    );
  }

  async readSubject(opened: Opened, mailId: string) {
    const { whole, mail } = await this.#read(opened, mailId, []);
    return { subject: mail.subject, date: mail.date, arrivedAt: whole.arrivedAt };
  }

  /** @throws Refusal notFound */
  readAttachment(actor: Actor, mailId: string, part: string): Promise<Content> {
    return this.#use(actor, mailId, (opened) =>
      this.openAttachment(actor, opened, { mailId, part }),
    );
  }

  async openAttachment(actor: Actor, opened: Opened, place: Place): Promise<Content> {
    const found = await this.#findPart(actor, opened, place);
    const kind = await this.#parts.files.judge(found);
    return { ...found, ...kind, about: { entity: 'mail', entityId: place.mailId } };
  }

  async #findPart(actor: Actor, opened: Opened, place: Place): Promise<FoundPart> {
    const { name, bytes } = await this.#takePart(opened, place);
    await bytes.release();
    const read: FoundPart['read'] = (range) =>
      this.#use(actor, place.mailId, async (again) => {
        const taken = await this.#takePart(again, place);
        const stream = taken.bytes.open(range);
        await taken.bytes.release();
        return stream;
      });
    return { name, size: bytes.size, read };
  }

  #takePart(opened: Opened, { mailId, part }: Place): Promise<TakenPart> {
    const isOriginal = part === ORIGINAL;
    return this.#parts.found.take(`${opened.grant.fingerprint} ${mailId} ${part}`, async () => {
      const wanted = isOriginal ? 'raw' : { part };
      const { attachment, bytes } = await this.open(opened, mailId, { wanted });
      const name = isOriginal ? 'original.eml' : attachment?.name;
      if (name === undefined || !bytes) throw notFound('Attachment');
      return { name, bytes };
    });
  }

  async #propose(actor: Actor, clues: Clues) {
    const found = await this.#parts.clues.find(actor, clues);
    if (!found) return null;
    const { id, caseName, caseNo, by } = found;
    return { id, caseName, reason: REASONS[by](caseNo) };
  }

  #use<T>(actor: Actor, mailId: string, work: (opened: Opened) => Promise<T>): Promise<T> {
    if (!rules.isMailId(mailId)) throw notFound('Mail');
    return this.#parts.access.use(actor, work);
  }
}

function invitationIn({ calendar, from }: ReadMail): SentInvitation | null {
  return calendar === null ? null : { text: calendar, sender: from?.email.toLowerCase() ?? '' };
}

/** A failure must not keep the user from reading the mail. */
async function markRead(mailbox: Mailbox, mailId: string): Promise<void> {
  await mailbox.label(mailId, { name: 'UNREAD', isSet: false }).catch(() => undefined);
}
