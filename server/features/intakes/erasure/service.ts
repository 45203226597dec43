// Erases declined intakes and spam after the firm's retention time.

import { type ActorContext, type Context, write } from '../../../context.ts';
import { forgetWords } from '../../../db/names.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { deleteAlertsOfIntake } from '../../conflicts/alerts/service.ts';
import { saveNames } from '../../conflicts/names/service.ts';
import { about } from '../rules.ts';
import { removeIntakeFiles } from '../service.files.ts';
import { emitIntake, lockIntake, requireIntake } from '../service.record.ts';
import { findSettings } from '../store.ts';
import * as store from './store.ts';

const WHY = 'expired intakes are erased for everyone';

/** The route admits administrators only. @throws Refusal notFound */
export async function eraseIntake(context: ActorContext, id: string): Promise<void> {
  await write(context, async (unit) => {
    await lockIntake(unit.trx, id);
    await erase(context, unit, id);
  });
  await rewriteErased(context);
}

/** Erases intakes declined `keepMonths` ago, and deletes old spam. */
export async function eraseDueIntakes(context: Context): Promise<void> {
  const { db, writer } = context;
  const { keepMonths } = await findSettings(db);
  let erased = 0;
  for (;;) {
    const count = await writer.runAsSystem(null, WHY, async (unit) => {
      const due = await store.takeDue(unit.trx, keepMonths);
      for (const { id, isSpam } of due)
        await (isSpam ? deleteSpam(context, unit, id) : erase(context, unit, id));
      return due.length;
    });
    if (count === 0) break;
    erased += count;
  }
  if (erased > 0) await rewriteErased(context);
}

async function erase(context: Context, unit: Unit, id: string): Promise<void> {
  const row = await requireIntake(unit.trx, id);
  await removeIntakeFiles(context, unit.trx, id);
  await store.eraseIntake(unit.trx, row);
  await unit.record({ ...about(id), action: 'erased' });
  if (!row.is_spam) await emitIntake(unit, 'intake.updated', await requireIntake(unit.trx, id));
}

async function deleteSpam(context: Context, unit: Unit, id: string): Promise<void> {
  await removeIntakeFiles(context, unit.trx, id);
  await store.deleteIntake(unit.trx, id);
  await saveNames(unit.trx, [{ source: 'intakes', id, names: [] }]);
  await deleteAlertsOfIntake(unit.trx, id);
  await unit.record({ ...about(id), action: 'deleted' });
}

/** Erased values stay in the tables' files and in the dictionary of names until these are rewritten. */
async function rewriteErased({ db, writer }: Context): Promise<void> {
  await writer.runAsSystem(null, WHY, ({ trx }) => forgetWords(trx));
  await store.rewriteTables(db);
}
