import { sql } from 'kysely';
import type { DeadlineState } from '../../db/schema-deadlines.ts';
import type { Scoped } from '../../db/schema.ts';
import { containing, everyWord } from '../../db/search.ts';

/** What a calendar asks for: days of the reader and their instants, and filters. */
export type Wanted = {
  from: string;
  to: string;
  begins: Date;
  ends: Date;
  people: string[] | undefined;
  caseId: string | undefined;
  search: string | undefined;
  limit: number;
};

export type DeadlineItem = Pick<
  DeadlineState,
  | ('id' | 'title' | 'kind' | 'hard' | 'status' | 'case_id' | 'owner_id' | 'second_id')
  | ('date' | 'time' | 'time_zone' | 'floor_date' | 'pending' | 'effective_date' | 'due_at')
>;

/** Days for which vacated deadlines are shown. */
const VACATED_DAYS = 30;

/** Deadlines whose ruling date may fall on the days, soonest first: on another day in the court's zone too. */
export async function listItems(db: Scoped, wanted: Wanted): Promise<DeadlineItem[]> {
  const { from, to, begins, ends, people, caseId, search, limit } = wanted;
  const conditions = [
    sql`(status <> 'vacated' or updated_at > statement_timestamp() - make_interval(days => ${VACATED_DAYS}))`,
    ...(people
      ? [sql`(owner_id = any(${people}::uuid[]) or second_id = any(${people}::uuid[]))`]
      : []),
    ...(caseId === undefined ? [] : [sql`case_id = ${caseId}`]),
    ...(search === undefined
      ? []
      : [
          everyWord(
            search,
            (word) => sql`(lower(title) like ${containing(word)} or case_id = any(array(
              select c.id from cases c where c.search_text like ${containing(word)})))`,
          ),
        ]),
  ];
  const { rows } = await sql<DeadlineItem>`
    select id, title, kind, hard, status, case_id, owner_id, second_id,
      date, time, time_zone, floor_date, pending, effective_date, due_at
    from deadlines
    where effective_date between ${from}::date - 1 and ${to}::date + 1
      and (effective_date between ${from}::date and ${to}::date or (due_at > ${begins} and due_at < ${ends}))
      and ${sql.join(conditions, sql` and `)}
    order by effective_date, id limit ${limit}`.execute(db);
  return rows;
}
