// What a day brings to each person, once a day.

import type { Digest } from '@matterdesk/contract/dashboard.ts';
import type { Context } from '../../../context.ts';
import { addDays } from '../../../core/days.ts';
import { startOfDay } from '../../../core/zoned-time.ts';
import { countIdleCases } from '../../deadlines/service.idle.ts';
import { countWaitingDeadlines } from '../../deadlines/service.ts';
import { readFirm } from '../../firm/service.ts';
import { type Draft, raiseNotices } from '../service.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

const WHY = 'each person receives a digest of what they see';
/** People of one transaction. */
const BATCH = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

type Reader = store.Recipient;

/** @param day of the firm's calendar, `YYYY-MM-DD` */
export async function readDigest(
  context: Context,
  reader: Reader,
  day: string,
): Promise<{ digest: Digest; calls: number }> {
  const { db } = context;
  const { timeZone } = await readFirm(context);
  const begins = startOfDay(day, timeZone);
  const ends = startOfDay(addDays(day, 1), timeZone);
  const [counts, { waiting, calls }, noNextDate] = await Promise.all([
    store.countDay(db.as(reader), reader.id, { day, begins, ends }),
    countWaitingDeadlines(context, reader),
    countIdleCases(context, reader),
  ]);
  return { digest: { ...counts, waiting, noNextDate }, calls };
}

/** @param signal ends it between two transactions, after which the rest follows */
export async function raiseDigests(
  context: Context,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const { db, writer } = context;
  const due = rules.dueDigest(await store.readClock(db), await readFirm(context));
  if (!due || (await store.isWritten(db, due.day))) return;
  const missed = await store.wasOff(db, due.at);
  let people: Reader[] = [];
  do {
    signal.throwIfAborted();
    people = await store.listRecipients(db, people.at(-1)?.id ?? FIRST, BATCH);
    await raiseDigestNotices(context, people, { ...due, missed });
  } while (people.length === BATCH);
  await writer.runAsSystem(null, WHY, ({ trx }) => store.finishDay(trx, due.day));
}

/** A repeated one finds the notices that are raised already. */
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
