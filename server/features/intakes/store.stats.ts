import { sql } from 'kysely';
import type { IntakeStat, StatGroup } from '@matterdesk/contract/intake-routes.ts';
import type { Scoped } from '../../db/schema.ts';

const LONGEST = 500;

const keys: Record<StatGroup, ReturnType<typeof sql<string | null>>> = {
  source: sql`i.source`,
  type: sql`i.type`,
  owner: sql`i.owner_id::text`,
  form: sql`f.name`,
  month: sql`to_char(i.received_at at time zone z.zone, 'YYYY-MM')`,
};

type Asked = { from: string; to: string; by: StatGroup; timeZone: string };

/** What came in between two days of the firm, by months in order, else the most frequent first. */
export async function listStats(
  db: Scoped,
  { from, to, by, timeZone }: Asked,
): Promise<IntakeStat[]> {
  const { rows } = await sql<IntakeStat>`
    select ${keys[by]} as key, count(*)::int as received,
      count(i.first_response_at)::int as contacted,
      (count(*) filter (where i.stage = 'accepted'))::int as accepted,
      (count(*) filter (where i.stage = 'declined'))::int as declined,
      (count(*) filter (where i.stage = 'referred'))::int as referred,
      (count(*) filter (where i.stage = 'accepted'))::float8 / count(*) as conversion,
      percentile_cont(0.5) within group (
        order by extract(epoch from i.first_response_at - i.received_at)::float8 / 60) as "medianResponse",
      (count(*) filter (where i.first_response_at <= i.response_due_at))::float8
        / nullif(count(*) filter (where i.first_response_at is not null
          or i.response_due_at < statement_timestamp()), 0) as "withinTarget"
    from intakes i left join intake_forms f on f.id = i.form_id,
      (select ${timeZone}::text as zone) z
    where not i.is_spam
      and (i.received_at at time zone z.zone)::date between ${from}::date and ${to}::date
    group by 1
    order by ${by === 'month' ? sql`1` : sql`count(*) desc, 1`} limit ${LONGEST}`.execute(db);
  return rows;
}
