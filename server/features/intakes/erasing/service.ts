// Erases what the firm needs no longer.
import { forgetWords } from '../../../db/names.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { forgetAlerts } from '../../conflicts/alerts/service.subjects.ts';
import { saveNames } from '../../conflicts/names/service.ts';
import { about } from '../rules.ts';
import { announceIntake, lockIntake, requireIntake } from '../service.keeping.ts';
import { findSettings } from '../store.settings.ts';
import * as store from './store.ts';
import { type ActorContext, type Context, write } from '../../../context.ts';
import { removeIntakeFile } from '../service.files.ts';
const WHY = 'what was declined long ago is erased for everyone';

/** For admins, as the route says. @throws Refusal notFound */
export async function eraseIntake(context: ActorContext, id: string): Promise<void> {
  await write(context, async (unit) => {
    const row = await lockIntake(unit.trx, id);
    await eraseWithin(context, unit, row.id);
  });
  await forgetErased(context);
}

/** What was erased stays in files and in the dictionary of names until these are written anew. */
async function forgetErased(context: Context): Promise<void> {
  const { db, writer } = context;
  await writer.runAsSystem(null, WHY, ({ trx }) => forgetWords(trx));
  await store.rewriteTables(db);
}

async function eraseWithin(context: Context, unit: Unit, id: string): Promise<void> {
  const row = await requireIntake(unit.trx, id);
  await removeIntakeFile(context, unit.trx, { id });
  await store.eraseIntake(unit.trx, row);
  await unit.record({ ...about(id), action: 'erased' });
  if (!row.is_spam) await announceIntake(unit, 'intake.updated', await requireIntake(unit.trx, id));
}

/** Erases what was declined `keepMonths` ago, and removes old spam. */
export async function eraseDueIntakes(context: Context): Promise<void> {
  const { db, writer } = context;
  const { keepMonths } = await findSettings(db);
  let erased = 0;
  for (;;) {
    const count = await writer.runAsSystem(null, WHY, async (unit) => {
      const due = await store.takeDue(unit.trx, keepMonths);
      for (const { id, isSpam } of due)
        if (isSpam) await removeFilesOf(context, unit, id);
        else await eraseWithin(context, unit, id);
      return due.length;
    });
    if (count === 0) break;
    erased += count;
  }
  if (erased > 0) await forgetErased(context);
}

async function removeFilesOf(context: Context, unit: Unit, id: string): Promise<void> {
  await removeIntakeFile(context, unit.trx, { id });
  await store.deleteIntake(unit.trx, id);
  await saveNames(unit.trx, [{ source: 'intakes', id, names: [] }]);
  await forgetAlerts(unit.trx, id);
  await unit.record({ ...about(id), action: 'deleted' });
}
