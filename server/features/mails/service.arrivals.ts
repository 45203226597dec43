// Mails that reached a mailbox, reported to the features built on this one.

import pLimit from 'p-limit';
import type { MailSummary } from '@matterdesk/contract/mails.ts';
import { type Context, hook } from '../../context.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Mailbox, MailboxChanges } from '../../integrations/google/mailbox.ts';
import type { MailHead } from '../../integrations/google/replies.ts';
import * as rules from './rules.ts';

export type Arrivals = Pick<
  MailSummary,
  'id' | 'threadId' | 'subject' | 'snippet' | 'from' | 'date'
>[];

/** Reports recent mails, perhaps the same one twice. The mails themselves stay at Google. */
export const mailsArrived = hook<[unit: Unit, arrived: { userId: string; mails: Arrivals }]>();

/** Parallel requests for mails, and mails per check at most; a walk of the mailbox finds the others. */
const [AT_ONCE, MOST] = [5, 100];

export async function readArrivals(mailbox: Mailbox, { added }: MailboxChanges): Promise<Arrivals> {
  const ids = added.filter(({ labels }) => rules.isReceived(labels)).map(({ id }) => id);
  const heads = await mailbox.readHeads(ids.slice(-MOST), pLimit(AT_ONCE));
  return arrivalsAmong(heads, new Date());
}

export async function arrivalsAmong(heads: MailHead[], now: Date): Promise<Arrivals> {
  const { summarize } = await import('../../integrations/mime/summary.ts');
  return heads
    .filter(({ labels, arrivedAt }) => rules.isReceived(labels) && rules.isRecent(arrivedAt, now))
    .map(summarize);
}

export async function reportArrivals(
  context: Context,
  unit: Unit,
  { userId, mails }: { userId: string; mails: Arrivals },
): Promise<void> {
  if (mails.length > 0) await mailsArrived.run(context, unit, { userId, mails });
}
