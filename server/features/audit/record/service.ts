import type { Entry, RecordFilters } from '@matterdesk/contract/audit.ts';
import { DEFAULT_PAGE } from '@matterdesk/contract/paging.ts';
import type { Actor } from '../../../core/actor.ts';
import type { Database } from '../../../db/schema.ts';
import type { Writer } from '../../../db/unit-of-work.ts';
import { cutPage, describeTotal, readTimeCursor, type PageQuery } from '../../../http/paging.ts';
import { findSealedUpTo } from '../seals/store.ts';
import type { Reading, Recorder, Refused } from '../../../http/bind.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

const BATCH = 500;

/** The audit log for admins, and the entries of requests that write nothing else. */
export class RecordService implements Recorder {
  readonly columns: string[] = [...rules.COLUMNS];
  readonly #db: Database;
  readonly #writer: Writer;

  constructor(db: Database, writer: Writer) {
    this.#db = db;
    this.#writer = writer;
  }

  async list(actor: Actor, { limit, cursor, ...filters }: RecordFilters & PageQuery) {
    const after = cursor ? readTimeCursor(cursor) : undefined;
    const size = limit ?? DEFAULT_PAGE;
    const db = this.#db.as(actor);
    const [rows, total, sealedUpTo] = await Promise.all([
      store.listEntries(db, filters, { limit: size + 1, after }),
      store.countEntries(db, filters),
      findSealedUpTo(this.#db),
    ]);
    const { page, nextCursor } = cutPage(rows, size, placeOf);
    const names = await store.findNames(db, page);
    const entries = page.map((row) => store.toEntry(row, names));
    return { entries, ...describeTotal(total), nextCursor, sealedUpTo: sealedUpTo.toISOString() };
  }

  /** Newest first. */
  async *export(actor: Actor, filters: RecordFilters): AsyncGenerator<string[]> {
    const db = this.#db.as(actor);
    let after: string[] | undefined;
    for (;;) {
      const rows = await store.listEntries(db, filters, { limit: BATCH, after });
      const names = await store.findNames(db, rows);
      yield* rows.map((row): Entry => store.toEntry(row, names)).map(rules.cellsOf);
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return;
      after = placeOf(last);
    }
  }

  async note(actor: Actor, reading: Reading): Promise<void> {
    await this.#writer.run(actor, (unit) => unit.record(reading));
  }

  async noteRefused({ actor, route, params, json }: Refused): Promise<void> {
    const { method, path, summary } = route;
    const caseId = rules.caseIdOf(path, { ...(json as object | undefined), ...(params as object) });
    const entry = { action: 'refused', entity: 'request', entityId: actor.requestId } as const;
    const after = { method, path, summary };
    await this.#writer.run(actor, (unit) =>
      unit.record({ ...entry, ...(caseId && { caseId }), after }),
    );
  }
}

function placeOf({ at, id }: store.Row): string[] {
  return [at.toISOString(), id];
}
