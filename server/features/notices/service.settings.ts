import type { CalendarSettings, CalendarSettingsPatch } from '@matterdesk/contract/notices.ts';
import type { Actor } from '../../core/actor.ts';
import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import * as store from './store.settings.ts';

/** What each user receives, and how. */
export class NoticeSettings {
  readonly #db: Database;
  readonly #writer: Writer;

  constructor(db: Database, writer: Writer) {
    this.#db = db;
    this.#writer = writer;
  }

  async read(actor: Actor): Promise<{ settings: CalendarSettings }> {
    return { settings: await store.readSettings(this.#db, actor.id) };
  }

  async change(
    actor: Actor,
    patch: CalendarSettingsPatch,
  ): Promise<{ settings: CalendarSettings }> {
    const settings = await this.#writer.run(actor, ({ trx }) =>
      store.changeSettings(trx, actor.id, patch),
    );
    return { settings };
  }
}
