import type { Activity, Case, CasePatch, NewCase } from '@matterdesk/contract/cases.ts';
import type { Once } from '../../db/idempotency.ts';
import { isDuplicate } from '../../db/connect.ts';
import type { Database, Executor } from '../../db/schema.ts';
import type { Unit, Writer } from '../../db/unit-of-work.ts';
import { allow, isId, type Actor } from '../../http/actor.ts';
import {
  cutPage,
  describeTotal,
  pageLimit,
  readCursor,
  type PageQuery,
} from '../../http/paging.ts';
import { notFound, Refusal } from '../../http/refusal.ts';
import type { AccountService } from '../accounts/service.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

const SERIAL = /^\d{1,19}$/;
/** Rows that are read, checked or written between two breaths of the event loop. */
const BATCH = 200;
const ACTIVITY_PAGE = 20;

export class CaseService {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #accounts: AccountService;

  constructor(db: Database, writer: Writer, accounts: AccountService) {
    this.#db = db;
    this.#writer = writer;
    this.#accounts = accounts;
  }

  /** One page, newest first. */
  async listCases(_actor: Actor, query: store.CaseFilter & PageQuery) {
    const limit = pageLimit(query) ?? BATCH;
    const [after] = query.cursor ? readCursor(query.cursor, [SERIAL]) : [];
    const matches = await store.countCases(this.#db, query);
    const rows = await store.listCases(this.#db, query, { limit: limit + 1, after, matches });
    const { page, nextCursor } = cutPage(rows, limit, (row) => [row.serial]);
    const now = new Date();
    return {
      cases: page.map((row) => store.toCase(row, now)),
      nextCursor,
      ...describeTotal(matches),
    };
  }

  /** The whole list, in batches. */
  async *listAll(actor: Actor, filter: store.CaseFilter): AsyncGenerator<Case[]> {
    const now = new Date();
    for await (const rows of this.streamCases(actor, filter))
      yield rows.map((row) => store.toCase(row, now));
  }

  /** The same with what only the database knows, such as addresses of the people assigned. */
  async *streamCases(_actor: Actor, filter: store.CaseFilter): AsyncGenerator<store.CaseRow[]> {
    const matches = await store.countCases(this.#db, filter);
    let after: string | undefined;
    for (;;) {
      const rows = await store.listCases(this.#db, filter, { limit: BATCH, after, matches });
      if (rows.length > 0) yield rows;
      if (rows.length < BATCH) return;
      after = rows.at(-1)?.serial;
    }
  }

  /** @throws Refusal notFound */
  async readCase(_actor: Actor, id: string): Promise<Case> {
    return store.toCase(await this.#find(this.#db, id));
  }

  async #find(db: Executor, id: string): Promise<store.CaseRow> {
    const row = isId(id) ? await store.findCase(db, id) : undefined;
    if (!row) throw notFound('Case');
    return row;
  }

  /** @throws Refusal notPermitted, invalidInput for unknown people, conflict for a taken case number */
  async openCase(actor: Actor, input: NewCase, once?: Once): Promise<Case> {
    allow(actor, 'createCases');
    return this.#writer.run(
      actor,
      async (unit) => {
        const userIds = await this.#assignable(unit, input.assignedUsers);
        const [id] = await store.insertCases(unit.trx, [rules.toRow(input, new Date())]);
        if (!id) throw caseNumberTaken();
        await store.insertAssignments(unit.trx, [{ caseId: id, userIds }]);
        const opened = store.toCase(await this.#find(unit.trx, id));
        await unit.record({ ...about(opened), action: 'created', after: opened });
        unit.tell('case.created', opened);
        return opened;
      },
      once,
    );
  }

  /** @throws Refusal notPermitted, notFound, invalidInput for unknown people, conflict */
  async changeCase(actor: Actor, id: string, patch: CasePatch): Promise<Case> {
    allow(actor, 'createCases');
    if (!isId(id)) throw notFound('Case');
    try {
      return await this.#writer.run(actor, (unit) => this.#change(unit, id, patch));
    } catch (error) {
      throw isDuplicate(error, 'cases_case_no_key_key') ? caseNumberTaken() : error;
    }
  }

  async #change(unit: Unit, id: string, patch: CasePatch): Promise<Case> {
    const row = await store.lockCase(unit.trx, id);
    if (!row) throw notFound('Case');
    const now = new Date();
    const before = store.toCase(row, now);
    if (patch.assignedUsers) {
      const already = row.assigned.map((person) => person.id);
      const userIds = await this.#assignable(unit, patch.assignedUsers, already);
      await store.assignUsers(unit.trx, id, userIds);
    }
    const days = rules.keepDaysOpen(row, patch, now);
    await store.updateCase(unit.trx, row, { ...rules.toColumns(patch), ...days });
    const after = store.toCase(await this.#find(unit.trx, id), now);
    const action = rules.nameOfChange(before, after);
    await unit.record({ ...about(after), action, before, after });
    unit.tell('case.updated', after);
    return after;
  }

  /** Duplicates fall out, the order stays. */
  async #assignable(unit: Unit, asked: string[], already: string[] = []): Promise<string[]> {
    const ids = [...new Set(asked)];
    await this.#accounts.requireAssignable(unit.trx, { ids, path: 'assignedUsers', already });
    return ids;
  }

  /** What happened to a case, newest first. @throws Refusal notFound */
  async readActivity(
    _actor: Actor,
    id: string,
    query: PageQuery,
  ): Promise<{ activity: Activity[]; nextCursor: string | null }> {
    await this.#find(this.#db, id);
    const limit = query.limit ?? ACTIVITY_PAGE;
    const [after] = query.cursor ? readCursor(query.cursor, [SERIAL]) : [];
    const rows = await store.listActivity(this.#db, id, { limit: limit + 1, after });
    const { page, nextCursor } = cutPage(rows, limit, (row) => [row.id]);
    return { activity: page.map(store.toActivity), nextCursor };
  }

  /** Active cases whose statute of limitations falls in the given days, and how many there are. */
  async limitationsBetween(_actor: Actor, days: { from: string; to: string; limit: number }) {
    const { from, to, limit } = days;
    const [rows, total] = await Promise.all([
      store.listLimitations(this.#db, from, to, limit),
      store.countLimitations(this.#db, from, to),
    ]);
    return { limitations: rows.map(toBrief), total };
  }

  /** The active cases opened last, and how many there are of each status type. */
  async summarize(_actor: Actor, limit: number) {
    const [recent, active, archived] = await Promise.all([
      store.listCases(this.#db, { statusType: 'Active' }, { limit }),
      store.countCases(this.#db, { statusType: 'Active' }),
      store.countCases(this.#db, { statusType: 'Archive' }),
    ]);
    return { recentCases: recent.map(toBrief), active, archived };
  }

  /** For what belongs to a case. */
  async exists(db: Executor, id: string): Promise<boolean> {
    return isId(id) && (await store.findCase(db, id)) !== undefined;
  }
}

export const CASE_NUMBER_TAKEN = { path: 'caseNo', message: 'Case No already exists' };

export function caseNumberTaken(): Refusal {
  return new Refusal('conflict', CASE_NUMBER_TAKEN.message, { errors: [CASE_NUMBER_TAKEN] });
}

/** What the audit log says of an entry about a case. */
export function about({ id }: { id: string }) {
  return { entity: 'case', entityId: id, caseId: id } as const;
}

function toBrief(row: {
  id: string;
  case_name: string;
  case_no: string;
  status: string;
  sol: string;
}) {
  const { id, case_name: caseName, case_no: caseNo, status, sol: SOL } = row;
  return { id, caseName, caseNo, status, SOL };
}
