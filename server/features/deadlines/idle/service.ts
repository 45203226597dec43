import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import type { IdleCase } from '@matterdesk/contract/deadlines.ts';
import type { Actor } from '../../../core/actor.ts';
import type { Database } from '../../../db/schema.ts';
import type { Writer } from '../../../db/unit-of-work.ts';
import { cutPage, describeTotal, readCursor, type PageQuery } from '../../../http/paging.ts';
import * as store from './store.ts';

const SINCE = /^(?:-infinity|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;
const SERIAL = /^\d{1,18}$/;
const PAGE = 50;
/** Cases of one transaction. */
const PIECE = 1000;
const WHY = 'every case says what lies ahead';
const NEVER = '-infinity';

/** Matters that no one has to do anything about, which is how matters are forgotten. */
export class IdleCases {
  readonly #db: Database;
  readonly #writer: Writer;

  constructor(db: Database, writer: Writer) {
    this.#db = db;
    this.#writer = writer;
  }

  /** Active cases with nothing ahead, those that have waited the longest first. */
  async list(actor: Actor, { limit = PAGE, cursor }: PageQuery) {
    const db = this.#db.as(actor);
    const after = cursor ? readCursor(cursor, [SINCE, SERIAL]) : undefined;
    const [rows, total] = await Promise.all([
      store.listIdleCases(db, { limit: limit + 1, after }),
      store.countIdleCases(db, TOTAL_CAP + 1),
    ]);
    const keyOf = ({ since, serial }: store.IdleRow) => [since?.toISOString() ?? NEVER, serial];
    const { page, nextCursor } = cutPage(rows, limit, keyOf);
    return { cases: page.map(toIdleCase), nextCursor, ...describeTotal(total) };
  }

  /** Up to the cap of totals. */
  count(person: { id: string }): Promise<number> {
    return store.countIdleCases(this.#db.as(person), TOTAL_CAP);
  }

  /** For cases of a time when this was not kept, in pieces, each of which stays if the next one fails. */
  async fill({ signal }: { signal: AbortSignal }): Promise<void> {
    let last: string | null = '0';
    while (last !== null) {
      signal.throwIfAborted();
      last = await this.#fillPiece(last);
    }
  }

  #fillPiece(after: string): Promise<string | null> {
    return this.#writer.runAsSystem(null, WHY, ({ trx }) =>
      store.fillPiece(trx, { after, limit: PIECE }),
    );
  }
}

function toIdleCase(row: store.IdleRow): IdleCase {
  const { id, case_name: caseName, case_no: caseNo, since, assigned } = row;
  return { id, caseName, caseNo, since: since?.toISOString() ?? null, assigned };
}
