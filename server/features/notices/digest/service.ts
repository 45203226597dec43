// The daily digest of each user.

import type { Digest } from '@matterdesk/contract/dashboard.ts';
import { type Context, slot } from '../../../context.ts';
import { addDays, startOfDay } from '../../../core/dates.ts';
import { NIL_ID } from '../../../core/ids.ts';
import type { JobRun } from '../../../jobs/queue.ts';
import { readFirm } from '../../firm/service.ts';
import { type Draft, raiseNotices } from '../service.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

const WHY = 'each person receives a digest of what they see';
/** Users per transaction. */
const BATCH = 100;

type Reader = store.Recipient;

/** Counts of other features for a user. */
type Sources = {
  /** Deadlines that wait for the user, and these with their overdue deadlines. */
  countWaitingDeadlines: (
    context: Context,
    reader: Reader,
  ) => Promise<{ waiting: number; calls: number }>;
  countIdleCases: (context: Context, reader: Reader) => Promise<number>;
};

export const digestSources = slot<Sources>();

/** @param day of the firm's calendar, `YYYY-MM-DD` */
export async function readDigest(
  context: Context,
  reader: Reader,
  day: string,
): Promise<{ digest: Digest; calls: number }> {
  const { db } = context;
  const sources = digestSources.of(context);
  const { timeZone } = await readFirm(context);
  const begins = startOfDay(day, timeZone);
  const ends = startOfDay(addDays(day, 1), timeZone);
  const [counts, { waiting, calls }, noNextDate] = await Promise.all([
    store.countDay(db.as(reader), reader.id, { day, begins, ends }),
    sources.countWaitingDeadlines(context, reader),
    sources.countIdleCases(context, reader),
  ]);
  return { digest: { ...counts, waiting, noNextDate }, calls };
}

/**
 * Raises the digests of a day when they are due.
 * @param signal ends it between two transactions; the next call continues
 */
export async function raiseDigests(context: Context, { signal }: JobRun): Promise<void> {
  const { db, writer } = context;
  const due = rules.dueDigest(await store.readClock(db), await readFirm(context));
  if (!due || (await store.isWritten(db, due.day))) return;
  const missed = await store.wasOff(db, due.at);
  let people: Reader[] = [];
  do {
    signal.throwIfAborted();
    people = await store.listRecipients(db, people.at(-1)?.id ?? NIL_ID, BATCH);
    await raiseDigestNotices(context, people, { ...due, missed });
  } while (people.length === BATCH);
  await writer.runAsSystem(null, WHY, ({ trx }) => store.finishDay(trx, due.day));
}

/** Raises the digests of some users. A repeated call skips those that were raised. */
async function raiseDigestNotices(
  context: Context,
  people: Reader[],
  due: rules.DigestDay & { missed: boolean },
): Promise<void> {
  const drafts: Draft[] = [];
  for (const person of people) {
    const { digest } = await readDigest(context, person, due.day);
    if (due.isWorkday || rules.isAnythingDue(digest)) drafts.push(draftOf(person, digest, due));
  }
  const { writer } = context;
  await writer.runAsSystem(null, WHY, (unit) => raiseNotices(context, unit, drafts));
}

function draftOf(
  { id }: Reader,
  digest: Digest,
  { day, at, missed }: rules.DigestDay & { missed: boolean },
): Draft {
  return {
    user_id: id,
    case_id: null,
    event_id: null,
    deadline_id: null,
    type: 'digest',
    subject: `digest ${day}`,
    title: rules.titleOf(digest),
    body: rules.bodyOf(digest),
    at,
    missed,
  };
}
