import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import type { Notice, NoticeChange } from '@matterdesk/contract/notices.ts';
import type { Actor } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import type { Once } from '../../core/once.ts';
import { notFound } from '../../core/refusal.ts';
import type { Database, Transaction } from '../../db/schema.ts';
import type { Unit, Writer } from '../../db/unit-of-work.ts';
import type { Queue } from '../../jobs/queue.ts';
import { cutPage, describeTotal, readCursor, type PageQuery } from '../../http/paging.ts';
import * as store from './store.ts';

const PAGE = 50;
const SERIAL = /^\d{1,18}$/;

export type { Draft } from './store.ts';

/** What else happens in the transaction in which a user sees a notice for the first time. */
type Seen = (unit: Unit, actor: Actor, row: store.NoticeRow) => Promise<void>;

/** Notices of each user. */
export class NoticeService {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #queue: Queue;
  readonly #seen: Seen[] = [];

  constructor(db: Database, writer: Writer, queue: Queue) {
    this.#db = db;
    this.#writer = writer;
    this.#queue = queue;
  }

  onSeen(seen: Seen): void {
    this.#seen.push(seen);
  }

  async listNotices(actor: Actor, { limit = PAGE, cursor }: PageQuery) {
    const [after] = cursor ? readCursor(cursor, [SERIAL]) : [];
    const db = this.#db.as(actor);
    const [rows, { total, unseen }] = await Promise.all([
      store.listNotices(db, { userId: actor.id, limit: limit + 1, after }),
      store.countNotices(db, actor.id, TOTAL_CAP + 1),
    ]);
    const { page, nextCursor } = cutPage(rows, limit, ({ serial }) => [serial]);
    const counts = { unseen: Math.min(unseen, TOTAL_CAP), ...describeTotal(total) };
    return { notices: page.map(store.toNotice), nextCursor, ...counts };
  }

  /** @throws Refusal notFound for what is not the caller's, too */
  async changeNotice(
    actor: Actor,
    id: string,
    { change, once }: { change: NoticeChange; once: Once | undefined },
  ): Promise<Notice> {
    return this.#writer.run(
      actor,
      async (unit) => {
        const row = await this.#lock(unit.trx, actor, id);
        if (change.snooze !== undefined) await store.putOff(unit.trx, id, change.snooze);
        else await this.#see(unit, actor, { row, seen: change.seen ?? true });
        return store.toNotice(await this.#lock(unit.trx, actor, id));
      },
      once && { ...once, again: (trx) => this.#lock(trx, actor, id) },
    );
  }

  async #lock(trx: Transaction, actor: Actor, id: string): Promise<store.NoticeRow> {
    const row = isId(id) ? await store.lockNotice(trx, { id, userId: actor.id }) : undefined;
    if (!row) throw notFound('Notice');
    return row;
  }

  async #see(
    unit: Unit,
    actor: Actor,
    { row, seen }: { row: store.NoticeRow; seen: boolean },
  ): Promise<void> {
    await store.markSeen(unit.trx, row.id, seen);
    if (!seen || row.seen_at) return;
    for (const follow of this.#seen) await follow(unit, actor, row);
  }

  /** Raises notices in the transaction of what they are about: each once, for those who may see it. @returns what is new */
  async raise(unit: Unit, drafts: store.Draft[]): Promise<store.NoticeRow[]> {
    const raised = await store.insertNotices(unit.trx, drafts);
    this.publish(unit, raised);
    await this.#mail(
      unit,
      raised.filter((row) => row.mail_state === 'waiting'),
    );
    return raised;
  }

  /** The mails commit with their notices. */
  async #mail(unit: Unit, rows: store.NoticeRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#queue.addAll(
      unit.trx,
      'notice',
      rows.map(({ id }) => id),
    );
    unit.afterCommit(() => this.#queue.wake());
  }

  publish(unit: Unit, rows: store.NoticeRow[]): void {
    for (const row of rows)
      unit.emit('notice.raised', store.toNotice(row), { audience: { userIds: [row.user_id] } });
  }
}
