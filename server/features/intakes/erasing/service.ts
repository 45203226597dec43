import type { Actor } from '../../../core/actor.ts';
import { forgetWords } from '../../../db/names.ts';
import type { Database } from '../../../db/schema.ts';
import type { Unit, Writer } from '../../../db/unit-of-work.ts';
import { forgetAlerts } from '../../conflicts/alerts/service.subjects.ts';
import { saveNames } from '../../conflicts/names/service.ts';
import { about } from '../rules.ts';
import type { IntakeFiles } from '../service.files.ts';
import { announceIntake, lockIntake, requireIntake } from '../service.keeping.ts';
import { findSettings } from '../store.settings.ts';
import * as store from './store.ts';

type Parts = { db: Database; writer: Writer; files: IntakeFiles };
const WHY = 'what was declined long ago is erased for everyone';

/** Erases what the firm needs no longer. */
export class ErasingService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** For admins, as the route says. @throws Refusal notFound */
  async eraseIntake(actor: Actor, id: string): Promise<void> {
    const { writer } = this.#parts;
    await writer.run(actor, async (unit) => {
      const row = await lockIntake(unit.trx, id);
      await this.#erase(unit, row.id);
    });
    await this.#forget();
  }

  /** What was erased stays in files and in the dictionary of names until these are written anew. */
  async #forget(): Promise<void> {
    const { db, writer } = this.#parts;
    await writer.runAsSystem(null, WHY, ({ trx }) => forgetWords(trx));
    await store.rewriteTables(db);
  }

  async #erase(unit: Unit, id: string): Promise<void> {
    const row = await requireIntake(unit.trx, id);
    await this.#parts.files.remove(unit.trx, { id });
    await store.eraseIntake(unit.trx, row);
    await unit.record({ ...about(id), action: 'erased' });
    if (!row.is_spam)
      await announceIntake(unit, 'intake.updated', await requireIntake(unit.trx, id));
  }

  /** Erases what was declined `keepMonths` ago, and removes old spam. */
  async eraseDue(): Promise<void> {
    const { db, writer } = this.#parts;
    const { keepMonths } = await findSettings(db);
    let erased = 0;
    for (;;) {
      const count = await writer.runAsSystem(null, WHY, async (unit) => {
        const due = await store.takeDue(unit.trx, keepMonths);
        for (const { id, isSpam } of due)
          if (isSpam) await this.#remove(unit, id);
          else await this.#erase(unit, id);
        return due.length;
      });
      if (count === 0) break;
      erased += count;
    }
    if (erased > 0) await this.#forget();
  }

  async #remove(unit: Unit, id: string): Promise<void> {
    await this.#parts.files.remove(unit.trx, { id });
    await store.deleteIntake(unit.trx, id);
    await saveNames(unit.trx, [{ source: 'intakes', id, names: [] }]);
    await forgetAlerts(unit.trx, id);
    await unit.record({ ...about(id), action: 'deleted' });
  }
}
