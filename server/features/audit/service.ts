import type { Activity } from '@matterdesk/contract/cases.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { Database } from '../../db/schema.ts';
import type { Actor } from '../../core/actor.ts';
import { cutPage, readCursor, type PageQuery } from '../../http/paging.ts';
import { notFound } from '../../core/refusal.ts';
import type { CaseService } from '../cases/service.ts';
import { RecordService } from './record/service.ts';
import { SealService } from './seals/service.ts';
import * as store from './store.ts';

export function createAudit(db: Database, writer: Writer, cases: CaseService) {
  const audit = new AuditService(db, cases);
  return { audit, record: new RecordService(db, writer), seals: new SealService(db) };
}

const SERIAL = /^\d{1,18}$/;
const PAGE = 20;

/** Reads the audit log, to which every write adds. */
export class AuditService {
  readonly #db: Database;
  readonly #cases: CaseService;

  constructor(db: Database, cases: CaseService) {
    this.#db = db;
    this.#cases = cases;
  }

  /** Activity of a case and its tasks, newest first. @throws Refusal notFound */
  async readActivity(
    actor: Actor,
    caseId: string,
    query: PageQuery,
  ): Promise<{ activity: Activity[]; nextCursor: string | null }> {
    const [after] = query.cursor ? readCursor(query.cursor, [SERIAL]) : [];
    if (!(await this.#cases.exists(this.#db.as(actor), caseId))) throw notFound('Case');
    const limit = query.limit ?? PAGE;
    const rows = await store.listActivity(this.#db, caseId, { limit: limit + 1, after });
    const { page, nextCursor } = cutPage(rows, limit, (row) => [row.id]);
    return { activity: page.map(store.toActivity), nextCursor };
  }
}
