// Keeps the names and addresses of everyone with whom users exchange mails, for conflict checks. The mails themselves
// stay at Google.

import pLimit from 'p-limit';
import { fold } from '../../../db/search.ts';
import { toGoogleFailure, unlessMissing } from '../../../integrations/google/failure.ts';
import type { Mailbox, MailPage } from '../../../integrations/google/mailbox.ts';
import type { NamedAddress } from '../../../integrations/mime/summary.ts';
import { namesOfAddress, saveNames } from '../../conflicts/names/service.ts';
import type { GrantRow } from '../store.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';
import type { Context } from '../../../context.ts';
import { forgetMailbox, openMailbox } from '../service.access.ts';
type Running = { signal: AbortSignal };

/** Seconds until a mailbox is read again. */
const WAIT = 300;
/** Mailboxes of a round, and at once. */
const [MOST, AT_ONCE] = [50, 2];
/** Mails of a page, pages of one mailbox in a round, and mails that are asked for at once. */
const [PAGE, PAGES, HEADS_AT_ONCE] = [100, 5, 5];
const WHY = 'conflict checks search the correspondents of all mailboxes';

/** Reads on in the mailboxes that are due; what was read stays if the process ends. */
export async function readCorrespondents(context: Context, { signal }: Running): Promise<void> {
  const due = await store.takeDue(context.db, { wait: WAIT, limit: MOST });
  const queue = pLimit(AT_ONCE);
  await Promise.all(due.map((grant) => queue(() => readGrant(context, grant, signal))));
}

async function readGrant(context: Context, grant: GrantRow, signal: AbortSignal): Promise<void> {
  const { db, log } = context;
  try {
    await walkMailbox(context, grant, { mailbox: await openMailbox(context, grant), signal });
  } catch (error) {
    const { reason } = toGoogleFailure(error);
    if (reason === 'revoked') return forgetMailbox(context, grant);
    log.warn({ reason }, 'cannot read the correspondents of a mailbox');
    // Google keeps the token of a page for a while only.
    if (reason === 'refused') await store.restartWalk(db, grant);
  }
}

async function walkMailbox(
  context: Context,
  grant: GrantRow,
  { mailbox, signal }: { mailbox: Mailbox; signal: AbortSignal },
): Promise<void> {
  let walk: rules.Walk = rules.continueWalk(grant, new Date());
  for (let page = 1; page <= PAGES && walk.walk_started !== null; page += 1) {
    signal.throwIfAborted();
    const found = await mailbox.list({
      limit: Math.min(PAGE, walk.walk_left),
      search: rules.queryOf(walk),
      after: walk.walk_cursor ?? undefined,
    });
    const addresses = await readAddresses(mailbox, found);
    walk = rules.advance(walk, found);
    if (!(await keepCorrespondents(context, grant, { walk, found: addresses }))) return;
  }
}

/** @returns false when the mailbox was disconnected meanwhile */
function keepCorrespondents(
  context: Context,
  grant: GrantRow,
  { walk, found }: { walk: rules.Walk; found: NamedAddress[] },
): Promise<boolean> {
  return context.writer.runAsSystem(null, WHY, async ({ trx }) => {
    if (!(await store.noteWalk(trx, grant, walk))) return false;
    const colleagues = await store.listOwn(
      trx,
      found.map(({ email }) => email),
    );
    const others = found.filter(
      ({ email }) => fold(email) !== grant.email_key && !colleagues.has(fold(email)),
    );
    const names = others.map((one) => namesOfAddress(grant.user_id, one));
    // Mentions raise no alert.
    await saveNames(trx, names, true);
    return true;
  });
}

/** Of mails that were sent or came; a draft has no recipients yet. */
async function readAddresses(mailbox: Mailbox, { ids }: MailPage): Promise<NamedAddress[]> {
  const { correspondentsOf } = await import('../../../integrations/mime/summary.ts');
  const queue = pLimit(HEADS_AT_ONCE);
  const heads = await Promise.all(
    ids.map((id) => queue(() => unlessMissing(mailbox.readHead(id)))),
  );
  const exchanged = heads.filter((head) => head && !head.labels.includes('DRAFT'));
  return rules.withoutRepeats(exchanged.flatMap((head) => (head ? correspondentsOf(head) : [])));
}
