import { sql } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Scoped } from '../../db/schema.ts';
import type { ProvenEntry } from './rules.export.ts';
import { named, type DeadlineRow } from './store.ts';

/** Deadlines of a matter by date. */
export function listOfCase(db: Scoped, caseId: string, limit: number): Promise<DeadlineRow[]> {
  return named(db)
    .where('d.case_id', '=', caseId)
    .orderBy('d.date')
    .orderBy('d.id')
    .limit(limit)
    .execute();
}

type Row = {
  at: Date;
  by: Person | null;
  action: string;
  from_state: object | null;
  to_state: object | null;
  reason: string;
  hash: Buffer;
  is_sound: boolean;
};

/** The history of a deadline, oldest first, each hash made again from its entry and the one before. */
export async function listProven(db: Scoped, id: string, limit: number): Promise<ProvenEntry[]> {
  const { rows } = await sql<Row>`
    select h.at, h.action, h.from_state, h.to_state, h.reason, h.hash,
      (select jsonb_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name)
        from users u where u.id = h.by_id) as by,
      h.hash = base.hash_of_deadline_entry(row(h.id, h.deadline_id, h.case_id, h.at, h.by_id,
        h.action, h.from_state, h.to_state, h.reason, h.hash)::base.deadline_history,
        coalesce(lag(h.hash) over (order by h.id), '')) as is_sound
    from deadline_history h where h.deadline_id = ${id} order by h.id limit ${limit}`.execute(db);
  return rows.map(({ at, from_state: from, to_state: to, hash, is_sound: isSound, ...row }) => ({
    ...row,
    at: at.toISOString(),
    from,
    to,
    hash: hash.toString('hex'),
    isSound,
  }));
}
