// Lists and reads a user's mails, and changes them at Google.

import pLimit from 'p-limit';
import type { LimitFunction } from 'p-limit';
import { type MailSection, mailSections } from '@matterdesk/contract/mail-sections.ts';
import {
  attachmentUrl,
  type MailChange,
  type MailInvitation,
  type MailDetail,
  type MailSummary,
  type FiledMail,
  type ThreadMail,
  type Mailbox as MailboxReply,
  type MailboxQuery,
} from '@matterdesk/contract/mails.ts';
import {
  type ActorContext,
  type Context,
  asActor,
  perContext,
  slot,
  write,
} from '../../../context.ts';
import type { Actor } from '../../../core/actor.ts';
import { notFound, invalidField, Refusal } from '../../../core/refusal.ts';
import type { Content } from '../../../http/content.ts';
import type { Mailbox } from '../../../integrations/google/mailbox.ts';
import type { Clues, ReadMail } from '../../../integrations/mime/answers.ts';
import { cluesOf } from '../../../integrations/mime/clues.ts';
import { type HeldBytes, HeldCache } from '../../../integrations/mime/held-bytes.ts';
import { UnreadableMail, MailReader, type MailRequest } from '../../../integrations/mime/reader.ts';
import { findReferencedCase } from '../../cases/service.references.ts';
import { detectType } from '../../files/service.ts';
import { isMailId, LABELS } from '../rules.ts';
import { type OpenedMailbox, useMailbox, mailSecretBoxOf } from '../service.access.ts';
import { findThreadPlace, listFiled, listFiledOf } from './store.ts';

/** An invitation's text, with its sender's address. */
type SentInvitation = { text: string; sender: string };

/** Reads an invitation, for the calendar; null when there is nothing to accept. */
export const invitationReader =
  slot<(context: ActorContext, sent: SentInvitation) => Promise<MailInvitation | null>>();

/** A part of a mail, or the complete mail, whose bytes can be read again and again. */
type FoundPart = Pick<Content, 'name' | 'size' | 'read'>;
type TakenPart = { name: string; bytes: HeldBytes };
type Place = { mailId: string; part: string };

/** Limit of parallel downloads of complete mails. */
const MAX_DOWNLOADS = 4;
/** Part id of the complete mail when it cannot be parsed. */
const ORIGINAL = 'original';
const DAMAGED = 'This email is damaged and can’t be shown. The original is attached.';

/** Why a case is proposed for a mail. */
const REASONS = {
  number: (caseNo: string | null) => `Case number ${caseNo ?? ''} appears in it`,
  caseName: () => 'Its name appears in the subject',
  clientEmail: () => "The client's email address appears in it",
  counselEmail: () => "Opposing counsel's email address appears in it",
  clientName: () => "The client's name appears in it",
  counselName: () => "Opposing counsel's name appears in it",
} as const;

const queueOf = perContext(() => pLimit(MAX_DOWNLOADS));
const readerOf = perContext(({ config }) => new MailReader(config.dataDir));
const mailCacheOf = perContext(() => new HeldCache<{ bytes: HeldBytes }>());
const partCacheOf = perContext(() => new HeldCache<TakenPart>());

/** Empties the caches of mails. */
export function closeMailReading(context: Context): void {
  mailCacheOf(context).close();
  partCacheOf(context).close();
}

/** Also marks the mail as read at Google. @throws Refusal notFound */
export function readMail(context: ActorContext, mailId: string): Promise<MailDetail> {
  return useMail(context, mailId, async (opened) => {
    const { mailbox } = opened;
    const own = [context.actor.email, opened.grant.email].map((email) => email.toLowerCase());
    const { whole, mail, clues } = await readWhole(context, opened, { mailId, own });
    const sent = invitationIn(mail);
    const [draftId, proposedCase, invitation, filed] = await Promise.all([
      whole.labels.includes('DRAFT') ? mailbox.findDraft(mailId) : undefined,
      proposeCase(context, { mailId, threadId: whole.threadId, subject: mail.subject, clues }),
      sent && invitationReader.of(context)(context, sent),
      listFiled(asActor(context), { userId: context.actor.id, mailId }),
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

/** @param own the user's addresses, which are no hint at a case */
async function readWhole(
  context: Context,
  opened: OpenedMailbox,
  { mailId, own }: { mailId: string; own: string[] },
) {
  try {
    const { whole, mail, clues } = await openMail(context, opened, { mailId, wanted: 'mail', own });
    if (mail && clues) return { whole, mail, clues };
  } catch (error) {
    if (!(error instanceof UnreadableMail)) throw error;
  }
  const damaged = await readDamaged(opened.mailbox, mailId);
  return { ...damaged, clues: cluesOf(damaged.mail, own) };
}

/** Google's own summary, with the original attached. */
async function readDamaged(mailbox: Mailbox, mailId: string) {
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
async function openMail(
  context: Context,
  { mailbox, grant }: OpenedMailbox,
  {
    mailId,
    wanted,
    own = [],
  }: Pick<MailRequest, 'wanted'> & Partial<MailRequest> & { mailId: string },
) {
  const directory = context.config.dataDir;
  const { bytes: whole } = await mailCacheOf(context).take(
    `${grant.fingerprint} ${mailId}`,
    async () => ({
      bytes: await queueOf(context)(() => mailbox.readWhole(mailId, directory)),
    }),
  );
  try {
    return await readerOf(context).read({ whole, wanted, own });
  } finally {
    await whole.release();
  }
}

/** The original, verbatim. @throws Refusal notFound; UnreadableMail */
export function readOriginalMail(
  context: ActorContext,
  opened: OpenedMailbox,
  mailId: string,
): Promise<FoundPart> {
  return findPart(context, opened, { mailId, part: ORIGINAL });
}

/** Null for a mail without one. @throws Refusal notFound */
export function readMailInvitation(
  context: ActorContext,
  mailId: string,
): Promise<SentInvitation | null> {
  return useMail(context, mailId, async (opened) =>
    invitationIn((await readWhole(context, opened, { mailId, own: [] })).mail),
  );
}

export async function readSubject(context: Context, opened: OpenedMailbox, mailId: string) {
  const { whole, mail } = await readWhole(context, opened, { mailId, own: [] });
  return {
    threadId: whole.threadId,
    subject: mail.subject,
    date: mail.date,
    arrivedAt: whole.arrivedAt,
  };
}

/** Changes a mail at Google, and refreshes the user's other windows. @throws Refusal notFound */
export async function changeMail(
  context: ActorContext,
  mailId: string,
  change: MailChange,
): Promise<MailSummary> {
  if (!isMailId(mailId)) throw notFound('Mail');
  const { summarize } = await import('../../../integrations/mime/summary.ts');
  const changed = await useMailbox(context, async ({ mailbox }) => {
    await applyChange(mailbox, mailId, change);
    return summarize(await mailbox.readHead(mailId));
  });
  await write(context, async (unit) => {
    await unit.record({ entity: 'mail', entityId: mailId, action: 'updated', after: change });
    const audience = { userIds: [context.actor.id] };
    unit.emit('mail.received', { section: 'inbox', ids: [] }, { audience });
  });
  return changed;
}

function applyChange(mailbox: Mailbox, id: string, change: MailChange) {
  if ('trashed' in change) return mailbox.setTrashed(id, change.trashed);
  if ('archived' in change) return mailbox.label(id, { name: 'INBOX', isSet: !change.archived });
  return mailbox.label(id, { name: 'UNREAD', isSet: change.unread });
}

/** @throws Refusal notFound */
export function readMailAttachment(
  context: ActorContext,
  mailId: string,
  part: string,
): Promise<Content> {
  return useMail(context, mailId, (opened) =>
    openMailAttachment(context, opened, { mailId, part }),
  );
}

export async function openMailAttachment(
  context: ActorContext,
  opened: OpenedMailbox,
  place: Place,
): Promise<Content> {
  const found = await findPart(context, opened, place);
  const kind = await detectType(found);
  return { ...found, ...kind, about: { entity: 'mail', entityId: place.mailId } };
}

async function findPart(
  context: ActorContext,
  opened: OpenedMailbox,
  place: Place,
): Promise<FoundPart> {
  const { name, bytes } = await takePart(context, opened, place);
  await bytes.release();
  const read: FoundPart['read'] = (range) =>
    useMail(context, place.mailId, async (again) => {
      const taken = await takePart(context, again, place);
      const stream = taken.bytes.open(range);
      await taken.bytes.release();
      return stream;
    });
  return { name, size: bytes.size, read };
}

function takePart(
  context: Context,
  opened: OpenedMailbox,
  { mailId, part }: Place,
): Promise<TakenPart> {
  const isOriginal = part === ORIGINAL;
  return partCacheOf(context).take(`${opened.grant.fingerprint} ${mailId} ${part}`, async () => {
    const wanted = isOriginal ? 'raw' : { part };
    const { attachment, bytes } = await openMail(context, opened, { mailId, wanted });
    const name = isOriginal ? 'original.eml' : attachment?.name;
    if (name === undefined || !bytes) throw notFound('Attachment');
    return { name, bytes };
  });
}

type Letter = { mailId: string; threadId: string; subject: string; clues: Clues };

/** The case in which the thread is filed, before the one that the mail itself refers to. */
async function proposeCase(context: ActorContext, { mailId, threadId, subject, clues }: Letter) {
  const thread = { userId: context.actor.id, mailId, threadId };
  const place = await findThreadPlace(asActor(context), thread);
  if (place) return { ...place, reason: 'This thread is filed there' };
  const found = await findReferencedCase(context, { ...clues, subject });
  if (!found) return null;
  const { id, caseName, caseNo, by } = found;
  return { id, caseName, reason: REASONS[by](caseNo) };
}

function useMail<T>(
  context: ActorContext,
  mailId: string,
  work: (opened: OpenedMailbox) => Promise<T>,
): Promise<T> {
  if (!isMailId(mailId)) throw notFound('Mail');
  return useMailbox(context, work);
}

function invitationIn({ calendar, from }: ReadMail): SentInvitation | null {
  return calendar === null ? null : { text: calendar, sender: from?.email.toLowerCase() ?? '' };
}

/** A failure must not keep the user from reading the mail. */
async function markRead(mailbox: Mailbox, mailId: string): Promise<void> {
  await mailbox.label(mailId, { name: 'UNREAD', isSet: false }).catch(() => undefined);
}

// Lists mails: the sections of a mailbox, a thread, and mails with given addresses.

/** Limit of parallel requests to Google per user. */
const MAX_HEAD_READS = 10;
/** Mails per section on the first page. */
const FIRST_PAGE: Record<MailSection, number> = { inbox: 25, sent: 10, drafts: 10 };

type Page = { section: MailSection; limit: number; search: string; after: string | undefined };

/** The first page of every section, or a page of one section with the others empty. */
export async function listMails(context: ActorContext, query: MailboxQuery): Promise<MailboxReply> {
  const pages = readQuery(context, query);
  const { summarize } = await import('../../../integrations/mime/summary.ts');
  return useMailbox(context, async ({ mailbox }) => {
    const queue = pLimit(MAX_HEAD_READS);
    const found = await Promise.all(pages.map((page) => readPage({ mailbox, page, queue })));
    const reply = emptyReply();
    for (const { page, heads, next, total, unread } of found) {
      reply.data[page.section] = heads.map(summarize);
      reply.nextCursor[page.section] = next === undefined ? null : writeCursor(context, page, next);
      reply.total[page.section] = total;
      reply.unread[page.section] = unread;
    }
    return reply;
  });
}

/**
 * The user's mails with any of these addresses, newest first. None without a connected mailbox or while Google is
 * unavailable, so that the contact they belong to can still be shown.
 */
export async function listMailsWith(
  context: ActorContext,
  addresses: string[],
  limit: number,
): Promise<MailSummary[]> {
  if (addresses.length === 0) return [];
  const { summarize } = await import('../../../integrations/mime/summary.ts');
  const search = `{${addresses.map((address) => `from:${address} to:${address}`).join(' ')}}`;
  try {
    return await useMailbox(context, async ({ mailbox }) => {
      const { ids } = await mailbox.list({ limit, search });
      return (await mailbox.readHeads(ids, pLimit(MAX_HEAD_READS))).map(summarize);
    });
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}

/** Oldest first. @throws Refusal notFound */
export async function readThread(context: ActorContext, threadId: string): Promise<ThreadMail[]> {
  if (!isMailId(threadId)) throw notFound('Thread');
  const { summarize } = await import('../../../integrations/mime/summary.ts');
  return useMailbox(context, async ({ mailbox }) => {
    const heads = (await mailbox.readThread(threadId))
      .filter(({ labels }) => !labels.includes('DRAFT') && !labels.includes('TRASH'))
      .toSorted((a, b) => a.arrivedAt - b.arrivedAt);
    const ids = heads.map(({ id }) => id);
    const filed =
      ids.length > 0
        ? await listFiledOf(asActor(context), context.actor.id, ids)
        : new Map<string, FiledMail[]>();
    return heads.map(summarize).map((mail) => {
      const of = filed.get(mail.id);
      return of ? { ...mail, filed: of } : mail;
    });
  });
}

function readQuery(
  context: ActorContext,
  { section, limit, cursor, search = '' }: MailboxQuery,
): Page[] {
  if (!section) {
    if (cursor !== undefined) throw invalidField('cursor', 'Cursor requires a section');
    return mailSections.map((each) => ({
      section: each,
      limit: limit ?? FIRST_PAGE[each],
      search,
      after: undefined,
    }));
  }
  const page = { section, limit: limit ?? FIRST_PAGE.inbox, search, after: undefined };
  return [
    { ...page, after: cursor === undefined ? undefined : readCursorPage(context, page, cursor) },
  ];
}

/** Wraps Google's opaque cursor, so that it is valid for this list only. */
function writeCursor(context: ActorContext, page: Page, next: string): string {
  return mailSecretBoxOf(context)
    .encrypt(next, cursorPurpose(context.actor, page))
    .toString('base64url');
}

function readCursorPage(context: ActorContext, page: Page, cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const opened = mailSecretBoxOf(context).decrypt(bytes, cursorPurpose(context.actor, page));
  if (opened === undefined || bytes.toString('base64url') !== cursor)
    throw invalidField('cursor', 'Invalid cursor');
  return opened;
}

function cursorPurpose({ id }: Actor, { section, search }: Page) {
  return JSON.stringify(['mail cursor', id, section, search]);
}

type PageRead = { mailbox: Mailbox; page: Page; queue: LimitFunction };

async function readPage({ mailbox, page, queue }: PageRead) {
  const { section, limit, search, after } = page;
  const label = LABELS[section];
  const [list, counted] = await Promise.all([
    queue(() => mailbox.list({ label, limit, search, after })),
    search === '' ? queue(() => mailbox.count(label)) : undefined,
  ]);
  const heads = await mailbox.readHeads(list.ids, queue);
  const { next, estimate } = list;
  return {
    page,
    heads,
    next,
    total: counted?.total ?? estimate,
    // Gmail counts unread mails per folder, not per search.
    unread: counted?.unread ?? null,
  };
}

function emptyReply(): MailboxReply {
  return {
    data: { inbox: [], sent: [], drafts: [] },
    nextCursor: { inbox: null, sent: null, drafts: null },
    total: { inbox: null, sent: null, drafts: null },
    unread: { inbox: null, sent: null, drafts: null },
  };
}
