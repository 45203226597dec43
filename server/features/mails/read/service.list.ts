// Lists mails: the sections of a mailbox, a thread, and mails with given addresses.

import pLimit, { type LimitFunction } from 'p-limit';
import { type MailSection, mailSections } from '@matterdesk/contract/mail-sections.ts';
import type {
  FiledMail,
  ThreadMail,
  Mailbox as MailboxReply,
  MailboxQuery,
  MailSummary,
} from '@matterdesk/contract/mails.ts';
import { type ActorContext, asActor } from '../../../context.ts';
import type { Actor } from '../../../core/actor.ts';
import { invalidField, notFound, Refusal } from '../../../core/refusal.ts';
import type { Mailbox } from '../../../integrations/google/mailbox.ts';
import { isMailId, LABELS } from '../rules.ts';
import { mailSecretBoxOf, useMailbox } from '../service.access.ts';
import { listFiledOf } from './store.ts';

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
  return mailSecretBoxOf(context).close(next, cursorPurpose(context.actor, page)).toString('base64url');
}

function readCursorPage(context: ActorContext, page: Page, cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const opened = mailSecretBoxOf(context).open(bytes, cursorPurpose(context.actor, page));
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
