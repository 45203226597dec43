import { type MailSection, mailSections } from '@matterdesk/contract/mail-sections.ts';
import pLimit, { type LimitFunction } from 'p-limit';
import type {
  Mailbox as MailboxReply,
  MailboxQuery,
  MailSummary,
} from '@matterdesk/contract/mails.ts';
import type { Actor } from '../../../core/actor.ts';
import { invalidField, Refusal } from '../../../core/refusal.ts';
import type { Mailbox } from '../../../integrations/google/mailbox.ts';
import { unlessMissing } from '../../../integrations/google/failure.ts';
import * as rules from '../rules.ts';
import type { ActorContext } from '../../../context.ts';
import { useMailbox, mailSealOf } from '../service.access.ts';
/** Limit of parallel requests to Google per user. */
const AT_ONCE = 10;
type Page = { section: MailSection; limit: number; search: string; after: string | undefined };

/** The first page of every section, or a page of one section with the others empty. */
export async function listMails(context: ActorContext, query: MailboxQuery): Promise<MailboxReply> {
  const pages = readQuery(context, query);
  const { summarize } = await import('../../../integrations/mime/summary.ts');
  return useMailbox(context, async ({ mailbox }) => {
    const queue = pLimit(AT_ONCE);
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
 * The user's newest mails with any of these addresses, newest first; none without a connected mailbox, or while
 * Google does not answer, because they are a part of something else.
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
      return (await readHeads(mailbox, ids, pLimit(AT_ONCE))).map(summarize);
    });
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}

function readQuery(
  context: ActorContext,
  { section, limit, cursor, search = '' }: MailboxQuery,
): Page[] {
  if (!section) {
    if (cursor !== undefined) throw invalidField('cursor', 'Cursor requires a section');
    const first = (one: MailSection) => limit ?? rules.FIRST_PAGE[one];
    return mailSections.map((one) => ({
      section: one,
      limit: first(one),
      search,
      after: undefined,
    }));
  }
  const page = { section, limit: limit ?? rules.FIRST_PAGE.inbox, search, after: undefined };
  return [
    { ...page, after: cursor === undefined ? undefined : readCursorPage(context, page, cursor) },
  ];
}

/** Wraps Google's opaque cursor, so that it is valid for this list only. */
function writeCursor(context: ActorContext, page: Page, next: string): string {
  return mailSealOf(context).close(next, cursorPurpose(context.actor, page)).toString('base64url');
}

function readCursorPage(context: ActorContext, page: Page, cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const opened = mailSealOf(context).open(bytes, cursorPurpose(context.actor, page));
  if (opened === undefined || bytes.toString('base64url') !== cursor)
    throw invalidField('cursor', 'Invalid cursor');
  return opened;
}

function cursorPurpose({ id }: Actor, { section, search }: Page) {
  return JSON.stringify(['mail cursor', id, section, search]);
}

type Reading = { mailbox: Mailbox; page: Page; queue: LimitFunction };

async function readPage({ mailbox, page, queue }: Reading) {
  const { section, limit, search, after } = page;
  const label = rules.LABELS[section];
  const [list, counted] = await Promise.all([
    queue(() => mailbox.list({ label, limit, search, after })),
    search === '' ? queue(() => mailbox.count(label)) : undefined,
  ]);
  const heads = await readHeads(mailbox, list.ids, queue);
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

/** Without mails deleted since they were listed. */
async function readHeads(mailbox: Mailbox, ids: string[], queue: LimitFunction) {
  const heads = await Promise.all(
    ids.map((id) => queue(() => unlessMissing(mailbox.readHead(id)))),
  );
  return heads.filter((head) => head !== undefined);
}

function emptyReply(): MailboxReply {
  return {
    data: { inbox: [], sent: [], drafts: [] },
    nextCursor: { inbox: null, sent: null, drafts: null },
    total: { inbox: null, sent: null, drafts: null },
    unread: { inbox: null, sent: null, drafts: null },
  };
}
