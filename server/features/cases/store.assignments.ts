import { sql } from 'kysely';
import { Compiled, type Slots } from '../../db/statements.ts';
import type { Transaction } from '../../db/schema.ts';

export async function assignUsers(trx: Transaction, caseId: string, userIds: string[]) {
  await trx.deleteFrom('case_assignments').where('case_id', '=', caseId).execute();
  await insertAssignments(trx, [{ caseId, userIds }]);
}

const assignment = new Compiled(
  (_db, value: Slots<{ rows: string }>) => sql`
    insert into case_assignments (case_id, user_id, position)
    select case_id, user_id, position
    from json_to_recordset(${value('rows')}) as row (case_id uuid, user_id uuid, position int)`,
);

/** Sent with the transaction's next statement. */
export async function insertAssignments(
  trx: Transaction,
  assignments: { caseId: string; userIds: string[] }[],
): Promise<void> {
  const rows = assignments.flatMap(({ caseId, userIds }) =>
    userIds.map((userId, position) => ({ case_id: caseId, user_id: userId, position })),
  );
  if (rows.length > 0) await assignment.later(trx, { rows: JSON.stringify(rows) });
}
