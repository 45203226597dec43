import { sql } from 'kysely';
import { insertMany } from '../../../db/statements.ts';
import type { Transaction } from '../../../db/schema.ts';

type Unlimited = { id: string; SOL: string; assignedUsers: { id: string }[] };

/** Cases without a limitation, locked: another process takes others, and no SOL changes meanwhile. */
export async function listUnlimited(trx: Transaction, limit: number): Promise<Unlimited[]> {
  const { rows } = await sql<{ id: string; sol: string; owner: string | null }>`
    select c.id, c.sol, (select a.user_id from case_assignments a join users u on u.id = a.user_id
        where a.case_id = c.id and u.active and not exists (select from case_access s
          where s.case_id = c.id and s.user_id = a.user_id and s.kind = 'screened')
        order by a.position limit 1) as owner
    from cases c
    where not exists (select from deadlines d where d.case_id = c.id and d.kind = 'limitation')
    order by c.serial limit ${limit} for no key update of c skip locked`.execute(trx);
  return rows.map(({ id, sol, owner }) => ({
    id,
    SOL: sol,
    assignedUsers: owner === null ? [] : [{ id: owner }],
  }));
}

type Imported = { id: string; case_id: string; date: string; time: null };

/** Inserts limitations of cases that have none, with their first entries. */
export async function insertImported(trx: Transaction, rows: Imported[]): Promise<void> {
  await insertMany(trx, 'deadlines', rows);
  const entries = rows.map(({ id, case_id, date, time }) => ({
    deadline_id: id,
    case_id,
    by_id: null,
    action: 'imported',
    from_state: null,
    to_state: { date, time },
    reason: '',
  }));
  await insertMany(trx, 'deadline_history', entries);
}
