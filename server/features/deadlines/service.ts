import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import type {
  Deadline,
  DeadlinePatch,
  DeadlineWithHistory,
  NewDeadline,
} from '@matterdesk/contract/deadlines.ts';
import type { Actor } from '../../core/actor.ts';
import { ID, isId } from '../../core/ids.ts';
import type { Once } from '../../core/once.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import type { Counting } from '../../db/schema-deadlines.ts';
import type { Database, Scoped } from '../../db/schema.ts';
import type { Unit, Writer } from '../../db/unit-of-work.ts';
import { cutPage, describeTotal, readCursor, type PageQuery } from '../../http/paging.ts';
import type { AccountService } from '../accounts/service.ts';
import type { CaseService } from '../cases/service.ts';
import { may, type Act } from './rules.permission.ts';
import * as rules from './rules.ts';
import { about, conflict, type Keeping } from './service.keeping.ts';
import * as list from './store.list.ts';
import * as store from './store.ts';
import { countCalls, type Calls } from './store.waiting.ts';

export type { Act };

type Row = store.DeadlineRow;
type Person = { id: string; permissions: { editCalendar: boolean } };
type Parts = {
  db: Database;
  writer: Writer;
  accounts: AccountService;
  cases: CaseService;
  keeping: Keeping;
};

/** The rule behind a date. */
type CountedBy = { basis: NonNullable<Deadline['basis']>; counting: Counting };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const PAGE = 50;

/** Deadlines: listed, read, added and changed; what takes four eyes is in `service.changes.ts`. */
export class DeadlineService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** One page by the date that rules, with the counts of the sections. */
  async listDeadlines(actor: Actor, query: list.DeadlineFilter & PageQuery) {
    const { limit = PAGE, cursor, ...filter } = query;
    const after = cursor ? readCursor(cursor, [DAY, ID]) : undefined;
    const { reader, db } = await this.#readerOf(actor);
    const listing = { filter, reader, limit: limit + 1, after };
    const cap = TOTAL_CAP + 1;
    const [rows, total, counts] = await Promise.all([
      list.listDeadlines(db, listing),
      list.countDeadlines(db, { filter, reader, cap }),
      list.countSections(db, reader, TOTAL_CAP),
    ]);
    const keyOf = (row: Row) => [row.effective_date, row.id];
    const { page, nextCursor } = cutPage(rows, limit, keyOf);
    return { deadlines: page.map(store.toDeadline), nextCursor, ...describeTotal(total), counts };
  }

  /** What waits for a person, and that together with what is overdue of theirs. */
  async countCalls(person: Person): Promise<Calls> {
    const { reader, db } = await this.#readerOf(person);
    return countCalls(db, reader, TOTAL_CAP);
  }

  async #readerOf(actor: Person) {
    const db = this.#parts.db.as(actor);
    const isDual = await this.#parts.keeping.isDual(db);
    return { db, reader: { id: actor.id, editsCalendar: actor.permissions.editCalendar, isDual } };
  }

  /** Notes that the reader has seen it. @throws Refusal notFound */
  async readDeadline(actor: Actor, id: string): Promise<DeadlineWithHistory> {
    const db = this.#parts.db.as(actor);
    const row = await this.require(db, id);
    if (!(await store.hasSeen(db, id, actor.id)))
      await this.#parts.writer.run(actor, async (unit) => {
        const locked = await this.#parts.keeping.lock(unit, id);
        await store.insertEntry(unit.trx, locked, { by: actor.id, action: 'seen' });
      });
    return { ...store.toDeadline(row), history: await store.listHistory(db, id) };
  }

  /** @throws Refusal notFound */
  async require(db: Scoped, id: string): Promise<Row> {
    const row = isId(id) ? await store.findDeadline(db, id) : undefined;
    if (!row) throw notFound('Deadline');
    return row;
  }

  /** Before the body is validated, so that a refusal says nothing about it. @throws Refusal notPermitted */
  async requirePermission(
    actor: Actor,
    { id, act, json }: { id: string; act: Act; json: unknown },
  ): Promise<void> {
    const db = this.#parts.db.as(actor);
    const row = isId(id) ? await store.findDeadline(db, id) : undefined;
    if (!row) return;
    const members = json && typeof json === 'object' ? Object.keys(json) : [];
    const isDual = await this.#parts.keeping.isDual(db);
    if (!may[act](actor, row, { isDual, members })) throw new Refusal('notPermitted');
  }

  /** @throws Refusal invalidInput for unknown people or cases, conflict for a second limitation */
  async addDeadline(actor: Actor, input: NewDeadline, once?: Once): Promise<Deadline> {
    return this.#parts.writer.run(
      actor,
      (unit) => this.add(unit, actor, { input }),
      once && { ...once, again: (trx, { id }) => this.require(trx, id) },
    );
  }

  /** Adds a deadline in someone else's transaction; a counted one says how. */
  async add(
    unit: Unit,
    actor: Actor,
    { input, counted }: { input: NewDeadline; counted?: CountedBy },
  ): Promise<Deadline> {
    const { keeping } = this.#parts;
    await this.#requireKind(unit, input);
    const isDual = await keeping.isDual(unit.trx);
    await this.#requirePeople(unit, { ...input, isDual });
    const time_zone = input.timeZone ?? (await keeping.firm.read()).timeZone;
    const row = await store.insertDeadline(
      unit.trx,
      toRow(actor, { ...input, time_zone, counted }),
    );
    const alone = input.hard && !isDual ? { withoutSecond: true } : {};
    const to = { ...rules.momentOf(row), ...alone };
    await store.insertEntry(unit.trx, row, { by: actor.id, action: 'created', to });
    const added = store.toDeadline(row);
    await unit.record({ ...about(row), action: 'created', after: added });
    unit.emit('deadline.created', added);
    return added;
  }

  /** @throws Refusal invalidInput for an unknown matter */
  async requireCase(unit: Unit, caseId: string | null): Promise<void> {
    if (caseId === null || !(await this.#parts.cases.exists(unit.trx, caseId)))
      throw invalidField('case', 'Please select any case');
  }

  async #requireKind(unit: Unit, { case: caseId = null, kind, hard }: NewDeadline): Promise<void> {
    const isLimitation = kind === 'limitation';
    if (isLimitation || caseId !== null) await this.requireCase(unit, caseId);
    if (isLimitation && !hard) throw invalidField('hard', 'A limitation is always hard');
    // Every case has one from its opening.
    if (isLimitation) throw conflict('This case has its limitation already');
  }

  /** Owner and second are active, and two people. */
  async #requirePeople(unit: Unit, asked: AskedPeople): Promise<void> {
    const { owner, second, hard, isDual, already = [] } = asked;
    const { accounts } = this.#parts;
    if (owner !== null)
      await accounts.requireAssignable(unit.trx, { ids: [owner], path: 'owner', already });
    if (second !== null)
      await accounts.requireAssignable(unit.trx, { ids: [second], path: 'second', already });
    else if (hard && isDual) throw invalidField('second', 'Please select a second person');
    if (second !== null && second === owner)
      throw invalidField('second', 'The second person must not be the owner');
  }

  /**
   * Changes what is not the date, and corrects a hard date that is not verified.
   * @throws Refusal notFound, notPermitted, invalidInput, conflict
   */
  async changeDeadline(actor: Actor, id: string, patch: DeadlinePatch): Promise<Deadline> {
    const { reason, date, time, ...others } = patch;
    const after = await this.#parts.writer.run(actor, async (unit) => {
      const asked = { id, act: 'change' as const, members: Object.keys(patch) };
      const { before } = await this.#parts.keeping.lockFor(unit, actor, asked);
      const isOther = Object.keys(others).length > 0;
      const isCorrection = date !== undefined || time !== undefined;
      if (!isOther && !isCorrection) throw new Refusal('invalidInput', 'Nothing to change');
      const change = isOther ? await this.#otherChange(unit, before, others) : {};
      const entries: store.NewEntry[] = [];
      if (isOther) entries.push({ by: actor.id, action: 'changed', ...compare(before, change) });
      if (!isCorrection) return this.#parts.keeping.keep(unit, before, { change, entries });
      requireCorrectable(before);
      const to = { date: date ?? before.date, time: time === undefined ? before.time : time };
      const from = rules.momentOf(before);
      entries.push({ by: actor.id, action: 'corrected', from, to, reason });
      const corrected = { ...change, ...rules.undated, ...to, dated_by: actor.id };
      return this.#parts.keeping.keep(unit, before, { change: corrected, entries });
    });
    return store.toDeadline(after);
  }

  async #otherChange(
    unit: Unit,
    before: Row,
    patch: Omit<DeadlinePatch, 'reason' | 'date' | 'time'>,
  ): Promise<Partial<rules.State>> {
    const owner = patch.owner ?? before.owner_id;
    const second = patch.second === undefined ? before.second_id : patch.second;
    if (patch.owner !== undefined || patch.second !== undefined) {
      const already = [before.owner_id, before.second_id].filter((id) => id !== null);
      // A missing second stays missing while only the owner changes.
      const isDual = patch.second !== undefined && (await this.#parts.keeping.isDual(unit.trx));
      await this.#requirePeople(unit, { owner, second, hard: before.hard, isDual, already });
    }
    if (patch.warnDays && before.hard && before.warn_days.some((n) => !patch.warnDays?.includes(n)))
      throw conflict('Warnings of a hard deadline can only be added');
    return {
      ...(patch.title !== undefined && { title: patch.title }),
      ...(patch.note !== undefined && { note: patch.note }),
      ...(patch.workingDate !== undefined && { working_date: patch.workingDate }),
      ...(patch.source !== undefined && { source: patch.source }),
      ...(patch.warnDays && { warn_days: rules.sortedDays(patch.warnDays) }),
      ...(patch.second !== undefined && { second_id: second }),
      ...(owner !== before.owner_id && {
        owner_id: owner,
        acknowledged_by: null,
        acknowledged_at: null,
      }),
    };
  }
}

type AskedPeople = {
  owner: string | null;
  second: string | null;
  hard: boolean;
  isDual: boolean;
  already?: string[];
};

function requireCorrectable({ hard, verified_at: verifiedAt, status }: Row): void {
  if (status !== 'open') throw conflict('This deadline is not open');
  if (!hard || verifiedAt) throw conflict('Move this date with a change');
}

/** The changed columns before and after. */
function compare(before: Row, change: Partial<rules.State>) {
  const names = Object.keys(change) as (keyof rules.State)[];
  return { from: Object.fromEntries(names.map((name) => [name, before[name]])), to: change };
}

function toRow(
  actor: Actor,
  input: NewDeadline & { time_zone: string; counted: CountedBy | undefined },
) {
  const { title, kind, hard, date, time, note, time_zone, counted } = input;
  const dated = { date, time, time_zone, floor_date: null, pending: null };
  const least = hard || !input.warnDays ? rules.warnDaysOf({ kind, hard }) : [];
  return {
    title,
    kind,
    hard,
    note,
    ...dated,
    ...rules.derived(dated),
    ...rules.undated,
    case_id: input.case ?? null,
    working_date: input.workingDate,
    owner_id: input.owner,
    second_id: input.second,
    author_id: actor.id,
    dated_by: actor.id,
    ...(counted ? toColumns(counted) : { basis: null }),
    source: input.source && JSON.stringify(input.source),
    warn_days: rules.sortedDays([...least, ...(input.warnDays ?? [])]),
  };
}

function toColumns({ basis, counting }: CountedBy) {
  return {
    basis: JSON.stringify(basis),
    counting: JSON.stringify(counting),
    trigger_event_id: basis.trigger.event,
    trigger_deadline_id: basis.trigger.deadline,
  };
}
