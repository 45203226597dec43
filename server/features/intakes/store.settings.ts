import type { IntakeSettings } from '@matterdesk/contract/intake-routes.ts';
import type { Executor, Transaction } from '../../db/schema.ts';

export async function findSettings(db: Executor): Promise<IntakeSettings> {
  const row = await db.selectFrom('intake_settings').selectAll().executeTakeFirstOrThrow();
  const { response_minutes: responseMinutes, keep_months: keepMonths, sources, templates } = row;
  return { responseMinutes, keepMonths, sources, templates };
}

export async function updateSettings(trx: Transaction, settings: IntakeSettings): Promise<void> {
  await trx
    .updateTable('intake_settings')
    .set({
      response_minutes: settings.responseMinutes,
      keep_months: settings.keepMonths,
      sources: settings.sources,
      templates: JSON.stringify(settings.templates),
    })
    .execute();
}
