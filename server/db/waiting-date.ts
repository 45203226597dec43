// The date of a case's statute of limitations while a change of it waits for another person.

import { sql } from 'kysely';
import type { WaitingDate } from '@matterdesk/contract/cases.ts';
import { personJsonb } from './statements.ts';

/** The SOL in effect: the earlier date while a change waits. Written as in the indexes. */
export const solInEffect = sql<string>`coalesce(sol_in_effect, sol)`;
/** The same to sort by, with cases without a date after all others. */
export const solOrder = sql<string>`coalesce(sol_in_effect, sol, 'infinity'::date)`;

const person = (column: string) => sql`(
  select ${personJsonb('u')}
  from users u where u.id = ${sql.raw(column)} and u.active)`;
const proposer = `coalesce((w.pending->>'by')::uuid, w.dated_by)`;

/** The change that waits, or null. Only in a statement whose `cases` is the view of the same name. */
export const waitingSol = sql<WaitingDate | null>`(case when cases.sol_in_effect is not null then (
  select jsonb_build_object('date', cases.sol_in_effect,
    'proposed', coalesce(w.pending->>'date', w.date::text), 'by', ${person(proposer)},
    'decides', coalesce(
      ${person(`nullif(w.second_id, ${proposer})`)}, ${person(`nullif(w.owner_id, ${proposer})`)}))
  from base.deadlines w where w.case_id = cases.id and w.kind = 'limitation') end)`;
