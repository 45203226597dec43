import type { StatGroup } from '@matterdesk/contract/intake-stats.ts';
import type { Actor } from '../../core/actor.ts';
import type { Database } from '../../db/schema.ts';
import type { FirmService } from '../firm/service.ts';
import { listStats } from './store.stats.ts';

/** How much came in, how soon it was answered, and how it ended. */
export class StatsService {
  readonly #db: Database;
  readonly #firm: FirmService;

  constructor(db: Database, firm: FirmService) {
    this.#db = db;
    this.#firm = firm;
  }

  /** Of the intakes that the caller may see; days are the firm's. */
  async read(actor: Actor, asked: { from: string; to: string; by: StatGroup }) {
    const { timeZone } = await this.#firm.read();
    return { rows: await listStats(this.#db.as(actor), { ...asked, timeZone }) };
  }
}
