import type { Actor } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import { notFound, Refusal } from '../../core/refusal.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { AccountService } from '../accounts/service.ts';
import type { CaseService } from '../cases/service.ts';
import type { FirmService } from '../firm/service.ts';
import type { NoticeService } from '../notices/service.ts';
import { proposeChain } from './chains/service.opening.ts';
import { reportMove } from './limitations/service.news.ts';
import { may, type Act } from './rules.permission.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

const SAME_HAND =
  'Ask another person: one of you set the other’s password with a link, so you count as one';

type Row = store.DeadlineRow;
type Kept = {
  change: Partial<rules.State>;
  entries: store.NewEntry[];
  /** By a proposal, which moves what counts from it as well. */
  isProposed?: boolean;
};

type Parts = {
  firm: Pick<FirmService, 'read'>;
  cases: CaseService;
  accounts: Pick<AccountService, 'listOneselves'>;
  notices: NoticeService;
};

/** What every write of a deadline needs: its lock, its history, its audit entry, its event and its mirror. */
export class Keeping {
  readonly firm: Pick<FirmService, 'read'>;
  readonly #cases: CaseService;
  readonly #accounts: Pick<AccountService, 'listOneselves'>;
  readonly #notices: NoticeService;

  constructor({ firm, cases, accounts, notices }: Parts) {
    this.firm = firm;
    this.#cases = cases;
    this.#accounts = accounts;
    this.#notices = notices;
  }

  /** Whether a second person must agree: not where the firm has turned it off, or one person is left. */
  async isDual(db: Scoped): Promise<boolean> {
    const { dualControl } = await this.firm.read();
    return dualControl && (await store.countActivePeople(db)) > 1;
  }

  /** Ids that count as the actor: the maker of a link that set a password may act as its user. */
  listOneselves(db: Scoped, actorId: string): Promise<string[]> {
    return this.#accounts.listOneselves(db, actorId);
  }

  /** @throws Refusal notPermitted when no second person acts where there must be one */
  async requireSecond(unit: Unit, actor: Actor, first: string | null): Promise<void> {
    if (first === actor.id) throw new Refusal('notPermitted');
    if (first !== null && (await this.listOneselves(unit.trx, actor.id)).includes(first))
      throw new Refusal('notPermitted', SAME_HAND);
  }

  /** @throws Refusal notFound */
  async lock(unit: Unit, id: string): Promise<Row> {
    const row = isId(id) ? await store.lockDeadline(unit.trx, id) : undefined;
    if (!row) throw notFound('Deadline');
    return row;
  }

  /**
   * Locks a deadline about which the actor may do something.
   * @param members of the request
   * @throws Refusal notFound, notPermitted
   */
  async lockFor(
    unit: Unit,
    actor: Actor,
    { id, act, members = [] }: { id: string; act: Act; members?: string[] },
  ): Promise<{ before: Row; isDual: boolean }> {
    const before = await this.lock(unit, id);
    const isDual = await this.isDual(unit.trx);
    if (!may[act](actor, before, { isDual, members })) throw new Refusal('notPermitted');
    return { before, isDual };
  }

  /** Writes a change with its entries. */
  async keep(unit: Unit, before: Row, { change, entries, isProposed = false }: Kept): Promise<Row> {
    const derived = rules.derived({ ...before, ...change });
    const after = await store.updateDeadline(unit.trx, before.id, { ...change, ...derived });
    for (const entry of entries) await store.insertEntry(unit.trx, before, entry);
    const states = { before: store.toDeadline(before), after: store.toDeadline(after) };
    await unit.record({ ...about(after), action: entries.at(-1)?.action ?? 'updated', ...states });
    unit.emit('deadline.updated', states.after);
    if (after.kind === 'limitation' && after.case_id !== null && after.date !== before.date)
      await this.#cases.followLimitation(unit, after.case_id, after.date);
    const by = entries.at(-1)?.by ?? null;
    await reportMove(unit, this.#notices, { before, after, by });
    if (!isProposed) await proposeChain(unit, { before, after, by });
    return after;
  }
}

export function about({ id, case_id: caseId }: Row) {
  return { entity: 'deadline', entityId: id, ...(caseId !== null && { caseId }) } as const;
}

export function conflict(message: string): Refusal {
  return new Refusal('conflict', message);
}
