import type pg from 'pg';
import { actionWords, entityWords, wholeActWords } from '@matterdesk/contract/audit-acts.ts';
import { fieldWords } from '@matterdesk/contract/audit-words.ts';
import { fieldsOf } from '../features/audit/rules.changes.ts';

type Audited = { entity: string; action: string; state: unknown };

/** Each entity's acts, and one value of each of its fields and kinds of value. */
const AUDITED = `
  select distinct on (entity, action, key, jsonb_typeof(value), members) entity, action,
    jsonb_strip_nulls(jsonb_build_object(coalesce(key, ''), value)) as state
  from (
    select entity, action, before as state from audit_log
    union all select entity, action, after from audit_log) as states
  left join lateral jsonb_each(case when jsonb_typeof(state) = 'object' then state end)
    as field (key, value) on true
  cross join lateral (select case when key = 'members' then value::text end as members) as listed`;

/** Acts and fields audited so far that readers get no words for; `contract/audit-words.ts` has to name them. */
export async function findUnknownWords(pool: pg.Pool): Promise<string[]> {
  // Some tests end with the database away.
  const found = await pool.query<Audited>(AUDITED).catch(() => undefined);
  return [...new Set(found?.rows.flatMap(unknownIn))];
}

function unknownIn({ entity, action, state }: Audited): string[] {
  const isKnown = entity in entityWords && (action in actionWords || action in wholeActWords);
  const fields = fieldsOf(entity, state).filter((field) => field !== '');
  return [
    ...(isKnown ? [] : [`${entity} ${action}`]),
    ...fields
      .filter((field) => fieldWords[entity]?.[field] === undefined)
      .map((field) => `${entity}.${field}`),
  ];
}
