import { randomUUID } from 'node:crypto';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Actor } from '../../../core/actor.ts';
import { mapInSlices } from '../../../core/slices.ts';
import type { Unit, Writer } from '../../../db/unit-of-work.ts';
import type { FirmService } from '../../firm/service.ts';
import * as rules from '../rules.ts';
import { proposeChain } from '../chains/service.opening.ts';
import * as deadlines from '../store.ts';
import { reportMove, type Notices } from './service.news.ts';
import * as store from './store.ts';

/** What a limitation mirrors of its case. */
export type LimitedCase = { id: string; SOL: string; assignedUsers: Pick<Person, 'id'>[] };

/** Cases of one transaction of the migration. */
const PIECE = 5000;
const WHY = 'every case has its limitation';

/** The limitation of each case, which follows its SOL. */
export class LimitationService {
  readonly #writer: Writer;
  readonly #firm: Pick<FirmService, 'read'>;
  readonly #notices: Notices;

  constructor(writer: Writer, firm: Pick<FirmService, 'read'>, notices: Notices) {
    this.#writer = writer;
    this.#firm = firm;
    this.#notices = notices;
  }

  /** For a new case, in its transaction; the event of the case is that of its limitation too. */
  async open(unit: Unit, actor: Actor, matter: LimitedCase): Promise<void> {
    const { timeZone } = await this.#firm.read();
    const owner = matter.assignedUsers[0]?.id ?? actor.id;
    const by = { owner_id: owner, author_id: actor.id, dated_by: actor.id };
    const row = { ...toRow(matter, timeZone), ...by, id: randomUUID() };
    await deadlines.addDeadline(unit.trx, row);
    const entry = { by: actor.id, action: 'created', to: rules.momentOf(row) };
    await deadlines.insertEntry(unit.trx, row, entry);
  }

  /** For a locked case whose SOL has changed; the earlier date rules until someone verifies the new one. */
  async follow(
    unit: Unit,
    actor: Actor,
    { before, after }: { before: LimitedCase; after: LimitedCase },
  ): Promise<void> {
    const row =
      (await deadlines.lockLimitation(unit.trx, before.id)) ?? (await this.#import(unit, before));
    if (!row || row.date === after.SOL) return;
    const change = rules.followed(row, after.SOL, actor.id);
    const derived = rules.derived({ ...row, ...change });
    const moved = await deadlines.updateDeadline(unit.trx, row.id, { ...change, ...derived });
    const [from, to] = [rules.momentOf(row), rules.momentOf(moved)];
    const reason = 'The SOL of the case changed';
    await deadlines.insertEntry(unit.trx, row, { by: actor.id, action: 'moved', from, to, reason });
    unit.emit('deadline.updated', deadlines.toDeadline(moved));
    await reportMove(unit, this.#notices, { before: row, after: moved, by: actor.id });
    await proposeChain(unit, { before: row, after: moved, by: actor.id });
  }

  async #import(unit: Unit, matter: LimitedCase) {
    await this.importAll(unit, [matter]);
    return deadlines.lockLimitation(unit.trx, matter.id);
  }

  /** For cases that came from elsewhere: silent until someone verifies the date. */
  async importAll(unit: Unit, matters: LimitedCase[]): Promise<void> {
    const { timeZone } = await this.#firm.read();
    const rows = await mapInSlices(matters, (matter) => ({
      ...toRow(matter, timeZone),
      id: randomUUID(),
      owner_id: matter.assignedUsers[0]?.id ?? null,
      imported: true,
    }));
    await store.insertImported(unit.trx, rows);
  }

  /** Gives each case without a limitation its own, in pieces, each of which stays if the next one fails. */
  async importMissing({ signal }: { signal: AbortSignal }): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const found = await this.#writer.runAsSystem(null, WHY, async (unit) => {
        const cases = await store.listUnlimited(unit.trx, PIECE);
        if (cases.length > 0) await this.importAll(unit, cases);
        return cases.length;
      });
      if (found < PIECE) return;
    }
  }
}

function toRow({ id, SOL: date }: LimitedCase, time_zone: string) {
  const dated = { date, time: null, time_zone, floor_date: null, pending: null };
  const kind = 'limitation' as const;
  return {
    ...dated,
    ...rules.derived(dated),
    ...rules.undated,
    case_id: id,
    title: 'Statute of limitations',
    kind,
    hard: true,
    working_date: null,
    owner_id: null,
    second_id: null,
    author_id: null,
    dated_by: null,
    basis: null,
    source: null,
    warn_days: rules.warnDaysOf({ kind, hard: true }),
  };
}
