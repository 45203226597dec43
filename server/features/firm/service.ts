import type { Firm, FirmPatch } from '@matterdesk/contract/firm.ts';
import type { Actor } from '../../core/actor.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { Realtime } from '../../realtime/publisher.ts';
import * as store from './store.ts';

/** The settings of the firm. */
export class FirmService {
  readonly #db: Database;
  readonly #writer: Writer;
  #kept: Promise<Firm> | undefined;

  constructor(db: Database, writer: Writer, realtime: Realtime) {
    this.#db = db;
    this.#writer = writer;
    realtime.onFirmChanged(() => {
      this.#kept = undefined;
    });
  }

  /** From memory until another process, or this one, changes them; every request reads them. */
  read(): Promise<Firm> {
    this.#kept ??= this.#find();
    return this.#kept;
  }

  #find(): Promise<Firm> {
    const found: Promise<Firm> = store.findFirm(this.#db).catch((error: unknown) => {
      if (this.#kept === found) this.#kept = undefined;
      throw error;
    });
    return found;
  }

  /** @throws Refusal notPermitted */
  async change(actor: Actor, patch: FirmPatch): Promise<Firm> {
    if (actor.role !== 'admin') throw new Refusal('notPermitted');
    return this.#writer.run(actor, async (unit) => {
      const before = await store.lockFirm(unit.trx);
      const after = await store.updateFirm(unit.trx, patch);
      const entry = { action: 'settingsChanged', entity: 'firm', entityId: null } as const;
      await unit.record({ ...entry, before, after });
      unit.afterCommit((realtime) => {
        realtime.announceFirm();
        if (after.secondFactor !== before.secondFactor) realtime.readmit();
      });
      return after;
    });
  }
}
