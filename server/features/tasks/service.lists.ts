import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import type { ListedTask } from '@matterdesk/contract/task-lists.ts';
import type { Actor } from '../../core/actor.ts';
import { ID } from '../../core/ids.ts';
import type { Database } from '../../db/schema.ts';
import { cutPage, describeTotal, INSTANT, readCursor, type PageQuery } from '../../http/paging.ts';
import { daysOf } from './rules.ts';
import * as store from './store.lists.ts';
import { toTask } from './store.ts';

const PAGE = 50;

type Query = store.TaskFilter & PageQuery & { timeZone?: string | undefined };
type Firm = { read: () => Promise<{ timeZone: string }> };

/** Tasks across cases. */
export class TaskLists {
  readonly #db: Database;
  readonly #firm: Firm;

  constructor(db: Database, firm: Firm) {
    this.#db = db;
    this.#firm = firm;
  }

  /** One page by the end, with the counts of what is due when. */
  async listTasks(actor: Actor, { limit = PAGE, cursor, timeZone, ...asked }: Query) {
    const db = this.#db.as(actor);
    const after = cursor ? readCursor(cursor, [INSTANT, ID]) : undefined;
    const filter = { ...asked, ...(asked.assignedTo === 'me' && { assignedTo: actor.id }) };
    const days = daysOf(new Date(), timeZone ?? (await this.#firm.read()).timeZone);
    const [rows, { total, ...counts }] = await Promise.all([
      store.listTasks(db, { filter, days, limit: limit + 1, after }),
      store.countTasks(db, { filter, days, cap: TOTAL_CAP + 1 }),
    ]);
    const keyOf = (row: store.ListedRow) => [row.end_time.toISOString(), row.id];
    const { page, nextCursor } = cutPage(rows, limit, keyOf);
    return { tasks: page.map(toListed), counts: cap(counts), nextCursor, ...describeTotal(total) };
  }
}

function cap<Counts extends Record<string, number>>(counts: Counts): Counts {
  const capped = Object.entries(counts).map(([due, n]) => [due, Math.min(n, TOTAL_CAP)]);
  return Object.fromEntries(capped) as Counts;
}

function toListed(row: store.ListedRow): ListedTask {
  return { ...toTask(row), caseName: row.case_name, caseNo: row.case_no };
}
