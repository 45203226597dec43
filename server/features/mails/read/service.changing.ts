// Changes of mails at Google, and their threads.

import type { MailChange, MailSummary } from '@matterdesk/contract/mails.ts';
import { notFound } from '../../../core/refusal.ts';
import type { Mailbox } from '../../../integrations/google/mailbox.ts';
import * as rules from '../rules.ts';
import { type ActorContext, write } from '../../../context.ts';
import { useMailbox } from '../service.access.ts';

/** The user's other windows are told that the inbox has changed. @throws Refusal notFound */
export async function changeMail(
  context: ActorContext,
  mailId: string,
  change: MailChange,
): Promise<MailSummary> {
  if (!rules.isMailId(mailId)) throw notFound('Mail');
  const { summarize } = await import('../../../integrations/mime/summary.ts');
  const changed = await useMailbox(context, async ({ mailbox }) => {
    await apply(mailbox, mailId, change);
    return summarize(await mailbox.readHead(mailId));
  });
  await write(context, async (unit) => {
    await unit.record({ entity: 'mail', entityId: mailId, action: 'updated', after: change });
    const audience = { userIds: [context.actor.id] };
    unit.emit('mail.received', { section: 'inbox', ids: [] }, { audience });
  });
  return changed;
}

/** Oldest first. @throws Refusal notFound */
export async function readThread(context: ActorContext, threadId: string): Promise<MailSummary[]> {
  if (!rules.isMailId(threadId)) throw notFound('Thread');
  const { summarize } = await import('../../../integrations/mime/summary.ts');
  return useMailbox(context, async ({ mailbox }) => {
    const heads = await mailbox.readThread(threadId);
    return heads
      .filter(({ labels }) => !labels.includes('DRAFT') && !labels.includes('TRASH'))
      .toSorted((one, other) => one.arrivedAt - other.arrivedAt)
      .map(summarize);
  });
}

function apply(mailbox: Mailbox, id: string, change: MailChange) {
  if ('trashed' in change) return mailbox.setTrashed(id, change.trashed);
  if ('archived' in change) return mailbox.label(id, { name: 'INBOX', isSet: !change.archived });
  return mailbox.label(id, { name: 'UNREAD', isSet: change.unread });
}
