import type { CalendarSettings, CalendarSettingsPatch } from '@matterdesk/contract/notices.ts';
import type { Executor, Transaction } from '../../db/schema.ts';

/** Of those who changed nothing. */
const DEFAULTS: CalendarSettings = { digest: true, mail: false };

export async function readSettings(db: Executor, userId: string): Promise<CalendarSettings> {
  const found = await db
    .selectFrom('notice_settings')
    .select(['digest', 'mail'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return found ?? DEFAULTS;
}

export function changeSettings(
  trx: Transaction,
  userId: string,
  patch: CalendarSettingsPatch,
): Promise<CalendarSettings> {
  return trx
    .insertInto('notice_settings')
    .values({ ...DEFAULTS, ...patch, user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...patch, user_id: userId }))
    .returning(['digest', 'mail'])
    .executeTakeFirstOrThrow();
}
