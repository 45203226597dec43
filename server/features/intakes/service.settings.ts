import type { IntakeSettings } from '@matterdesk/contract/intake-settings.ts';
import type { Actor } from '../../core/actor.ts';
import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import * as store from './store.settings.ts';

/** How the firm handles intakes. */
export class IntakeSettingsService {
  readonly #db: Database;
  readonly #writer: Writer;

  constructor(db: Database, writer: Writer) {
    this.#db = db;
    this.#writer = writer;
  }

  async read() {
    return { settings: await store.findSettings(this.#db) };
  }

  /** For admins, as the route says. */
  async change(actor: Actor, settings: IntakeSettings) {
    return this.#writer.run(actor, async (unit) => {
      const before = await store.findSettings(unit.trx);
      await store.updateSettings(unit.trx, settings);
      const entry = {
        action: 'settingsChanged',
        entity: 'intakeSettings',
        entityId: null,
      } as const;
      await unit.record({ ...entry, before, after: settings });
      return { settings };
    });
  }
}
