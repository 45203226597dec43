// Notices of each user, and their settings.

import type {
  Notice,
  NoticeChange,
  CalendarSettings,
  CalendarSettingsPatch,
} from '@matterdesk/contract/notices.ts';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import { type ActorContext, type Context, asActor, hook, write } from '../../context.ts';
import type { Actor } from '../../core/actor.ts';
import type { IdempotencyKey } from '../../core/idempotency-key.ts';
import { isId } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import type { Transaction } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { cutPage, describeTotal, readCursor, type PageQuery, SERIAL } from '../../http/paging.ts';
import * as store from './store.ts';

const PAGE = 50;

export type { Draft } from './store.ts';

/** A user saw a notice for the first time; in the transaction. */
export const noticeSeen = hook<[unit: Unit, actor: Actor, row: store.NoticeRow]>();

export async function listNotices(context: ActorContext, { limit = PAGE, cursor }: PageQuery) {
  const [after] = cursor ? readCursor(cursor, [SERIAL]) : [];
  const db = asActor(context);
  const [rows, { total, unseen }] = await Promise.all([
    store.listNotices(db, { userId: context.actor.id, limit: limit + 1, after }),
    store.countNotices(db, context.actor.id, TOTAL_CAP + 1),
  ]);
  const { page, nextCursor } = cutPage(rows, limit, ({ serial }) => [serial]);
  const counts = { unseen: Math.min(unseen, TOTAL_CAP), ...describeTotal(total) };
  return { notices: page.map(store.toNotice), nextCursor, ...counts };
}

/** @throws Refusal notFound, also for another user's notice */
export async function changeNotice(
  context: ActorContext,
  id: string,
  { change, once }: { change: NoticeChange; once: IdempotencyKey | undefined },
): Promise<Notice> {
  return write(
    context,
    async (unit) => {
      const row = await lockNotice(unit.trx, context.actor, id);
      if (change.snooze !== undefined) await store.snooze(unit.trx, id, change.snooze);
      else await seeNotice(context, unit, { row, seen: change.seen ?? true });
      return store.toNotice(await lockNotice(unit.trx, context.actor, id));
    },
    once && { ...once, requireVisible: (trx) => lockNotice(trx, context.actor, id) },
  );
}

async function lockNotice(trx: Transaction, actor: Actor, id: string): Promise<store.NoticeRow> {
  const row = isId(id) ? await store.lockNotice(trx, { id, userId: actor.id }) : undefined;
  if (!row) throw notFound('Notice');
  return row;
}

async function seeNotice(
  context: ActorContext,
  unit: Unit,
  { row, seen }: { row: store.NoticeRow; seen: boolean },
): Promise<void> {
  await store.markSeen(unit.trx, row.id, seen);
  if (!seen || row.seen_at) return;
  await noticeSeen.run(context, unit, context.actor, row);
}

/** Raises notices in the caller's transaction, each once and for those who may see it. @returns the new ones */
export async function raiseNotices(
  context: Context,
  unit: Unit,
  drafts: store.Draft[],
): Promise<store.NoticeRow[]> {
  const raised = await store.insertNotices(unit.trx, drafts);
  publishNotices(unit, raised);
  await queueNoticeMails(
    context,
    unit,
    raised.filter((row) => row.mail_state === 'waiting'),
  );
  return raised;
}

/** Queues mails, which commit with their notices. */
async function queueNoticeMails(
  context: Context,
  unit: Unit,
  rows: store.NoticeRow[],
): Promise<void> {
  await context.queue.add(
    unit,
    'notice',
    rows.map(({ id }) => id),
  );
}

/** Lets the warnings of a deadline that is done wait for no one. */
export async function settleNotices({ trx }: Unit, deadlineId: string): Promise<void> {
  await store.settleNotices(trx, deadlineId);
}

export function publishNotices(unit: Unit, rows: store.NoticeRow[]): void {
  for (const row of rows)
    unit.emit('notice.raised', store.toNotice(row), { audience: { userIds: [row.user_id] } });
}

export async function readNoticeSettings(
  context: ActorContext,
): Promise<{ settings: CalendarSettings }> {
  return { settings: await store.readSettings(context.db, context.actor.id) };
}

export async function changeNoticeSettings(
  context: ActorContext,
  patch: CalendarSettingsPatch,
): Promise<{ settings: CalendarSettings }> {
  const settings = await write(context, ({ trx }) =>
    store.changeSettings(trx, context.actor.id, patch),
  );
  return { settings };
}
