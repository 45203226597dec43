// Correspondents: names and addresses from users' mailboxes, for conflict checks. The mails themselves stay at Google.

import pLimit from 'p-limit';
import type { Context } from '../../../context.ts';
import { fold } from '../../../db/search.ts';
import { toGoogleFailure } from '../../../integrations/google/failure.ts';
import type { Mailbox, MailPage } from '../../../integrations/google/mailbox.ts';
import type { NamedAddress } from '../../../integrations/mime/summary.ts';
import type { JobRun } from '../../../jobs/queue.ts';
import { namesOfAddress, saveNames } from '../../conflicts/names/service.ts';
import { forgetMailbox, openMailbox } from '../service.access.ts';
import { type Arrivals, arrivalsAmong, reportArrivals } from '../service.arrivals.ts';
import * as store from '../store.ts';
import * as rules from './rules.ts';

/** Seconds until a mailbox is read again. */
const WALK_PAUSE_SECONDS = 300;
/** Mailboxes per run, and in parallel. */
const [MAX_MAILBOXES, AT_ONCE] = [50, 2];
/** Mails per page, pages per mailbox and run, and parallel requests for mails. */
const [PAGE, PAGES, HEADS_AT_ONCE] = [100, 5, 5];
const WHY = 'conflict checks search the correspondents of all mailboxes';

/** Continues the walks that are due. Each page is saved, so that a restart continues there. */
export async function readCorrespondents(context: Context, { signal }: JobRun): Promise<void> {
  const due = await store.claimWalks(context.db, {
    wait: WALK_PAUSE_SECONDS,
    limit: MAX_MAILBOXES,
  });
  const queue = pLimit(AT_ONCE);
  await Promise.all(due.map((grant) => queue(() => readGrant(context, grant, signal))));
}

async function readGrant(
  context: Context,
  grant: store.GrantRow,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = context;
  try {
    await walkMailbox(context, grant, { mailbox: await openMailbox(context, grant), signal });
  } catch (error) {
    const { reason } = toGoogleFailure(error);
    if (reason === 'revoked') return forgetMailbox(context, grant);
    log.warn({ reason }, 'cannot read the correspondents of a mailbox');
    // Google's page tokens expire.
    if (reason === 'refused') await store.restartWalk(db, grant);
  }
}

async function walkMailbox(
  context: Context,
  grant: store.GrantRow,
  { mailbox, signal }: { mailbox: Mailbox; signal: AbortSignal },
): Promise<void> {
  let walk: rules.MailboxWalk = rules.continueWalk(grant, new Date());
  for (let page = 1; page <= PAGES && walk.walk_started !== null; page += 1) {
    signal.throwIfAborted();
    const found = await mailbox.list({
      limit: Math.min(PAGE, walk.walk_left),
      search: rules.queryOf(walk),
      after: walk.walk_cursor ?? undefined,
    });
    const page = await readAddresses(mailbox, found);
    walk = rules.afterPage(walk, found);
    if (!(await keepCorrespondents(context, grant, { walk, ...page }))) return;
  }
}

/** @returns false when the mailbox was disconnected meanwhile */
function keepCorrespondents(
  context: Context,
  grant: store.GrantRow,
  { walk, addresses, arrived }: { walk: rules.MailboxWalk } & ReadAddresses,
): Promise<boolean> {
  return context.writer.runAsSystem(null, WHY, async (unit) => {
    if (!(await store.noteWalk(unit.trx, grant, walk))) return false;
    const colleagues = await store.listColleagues(
      unit.trx,
      addresses.map(({ email }) => email),
    );
    const others = addresses.filter(
      ({ email }) => fold(email) !== grant.email_key && !colleagues.has(fold(email)),
    );
    const names = others.map((address) => namesOfAddress(grant.user_id, address));
    // Mentions raise no alert.
    await saveNames(unit.trx, names, true);
    await reportArrivals(context, unit, { userId: grant.user_id, mails: arrived });
    return true;
  });
}

type ReadAddresses = { addresses: NamedAddress[]; arrived: Arrivals };

/** Addresses in sent and received mails; a draft may still change its recipients. */
async function readAddresses(mailbox: Mailbox, { ids }: MailPage): Promise<ReadAddresses> {
  const { correspondentsOf } = await import('../../../integrations/mime/summary.ts');
  const heads = await mailbox.readHeads(ids, pLimit(HEADS_AT_ONCE));
  const exchanged = heads.filter(({ labels }) => !labels.includes('DRAFT'));
  const addresses = rules.distinctAddresses(exchanged.flatMap(correspondentsOf));
  return { addresses, arrived: await arrivalsAmong(heads, new Date()) };
}
