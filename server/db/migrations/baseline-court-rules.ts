import { sql, type RawBuilder } from 'kysely';
import { federalHolidays } from './federal-holidays.ts';

const [FIRST_YEAR, LAST_YEAR] = [2000, 2045];
const years = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, n) => FIRST_YEAR + n);
const holidays = years.flatMap(federalHolidays).map((day) => ({ ...day, forwardOnly: false }));
const after = { hard: true, unit: 'days', direction: 'after', roll: null, service: 0 };
const federalRules = [
  {
    name: 'Answer to a complaint',
    trigger: 'Summons and complaint served',
    steps: [
      {
        ...after,
        title: 'Answer or motion under Rule 12(b)',
        kind: 'response',
        count: 21,
        authority: 'FRCP 12(a)(1)(A)(i)',
      },
    ],
  },
  {
    name: 'Answer after waiver of service',
    trigger: 'Request for waiver sent',
    steps: [
      { ...after, title: 'Answer', kind: 'response', count: 60, authority: 'FRCP 12(a)(1)(A)(ii)' },
    ],
  },
  {
    name: 'Answer to a counterclaim or crossclaim',
    trigger: 'Counterclaim or crossclaim served',
    steps: [
      { ...after, title: 'Answer', kind: 'response', count: 21, authority: 'FRCP 12(a)(1)(B)' },
    ],
  },
  {
    name: 'Responses to written discovery',
    trigger: 'Interrogatories or requests served',
    steps: [
      {
        ...after,
        title: 'Answers and objections',
        kind: 'discovery',
        count: 30,
        authority: 'FRCP 33(b)(2), 34(b)(2)(A), 36(a)(3)',
      },
    ],
  },
  {
    name: 'After judgment',
    trigger: 'Judgment entered',
    steps: [
      {
        ...after,
        title: 'Motion for a new trial or to amend the judgment',
        kind: 'filing',
        count: 28,
        authority: 'FRCP 50(b), 59(b), 59(e)',
      },
      {
        ...after,
        title: 'Notice of appeal',
        kind: 'appeal',
        count: 30,
        authority: 'FRAP 4(a)(1)(A)',
      },
    ],
  },
];

/** Jurisdictions with their holidays, and rules by which deadlines are counted; the federal ones ship, unreviewed. */
export const courtRules: RawBuilder<unknown>[] = [
  sql`
    create table jurisdictions (
      id uuid primary key default gen_random_uuid(),
      name text not null,
      time_zone text not null,
      -- ISO days of the week.
      weekend int[] not null,
      -- Read and written as a whole.
      holidays jsonb not null,
      updated_at timestamptz(3) not null default clock_timestamp()
    )`,
  sql`
    create table rules (
      id uuid not null default gen_random_uuid(),
      version int not null,
      is_latest boolean not null default true,
      name text not null,
      jurisdiction_id uuid not null references jurisdictions (id),
      trigger text not null,
      steps jsonb not null,
      reviewed boolean not null default false,
      reviewed_by uuid references users (id),
      updated_at timestamptz(3) not null default clock_timestamp(),
      primary key (id, version)
    )`,
  sql`create unique index rules_latest on rules (id) where is_latest`,
  sql`
    insert into jurisdictions (name, time_zone, weekend, holidays)
    values ('Federal', 'America/New_York', '{6,7}', ${JSON.stringify(holidays)}::jsonb)`,
  ...federalRules.map(
    ({ name, trigger, steps }) => sql`
      insert into rules (version, name, jurisdiction_id, trigger, steps)
      values (1, ${name}, (select id from jurisdictions), ${trigger}, ${JSON.stringify(steps)}::jsonb)`,
  ),
];
