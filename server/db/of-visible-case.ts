// Details shown to anyone who sees the case: walls of their own would be checked again for each row.

import { sql } from 'kysely';
import { COUNTED_FILES_MAX, type Person } from '@matterdesk/contract/cases.ts';
import { personJson } from './statements.ts';

export type Assigned = Person & { email: string };
export type Filed = { name: string; folder: string };

/** Only in a statement whose `cases` is the view of the same name. */
export const assigned = sql<Assigned[]>`coalesce((
  select json_agg(json_build_object('id', u.id, 'firstName', u.first_name,
    'lastName', u.last_name, 'email', u.email) order by a.position)
  from base.case_assignments a join users u on u.id = a.user_id where a.case_id = cases.id), '[]')`;

/** The same without what is no one else's business. Only in a statement whose `cases` is the view of the same name. */
export const assignedPeople = sql<Person[]>`coalesce((
  select json_agg(${personJson('u')}
    order by a.position)
  from base.case_assignments a join users u on u.id = a.user_id where a.case_id = cases.id), '[]')`;

/** The newest five, or null for none. Only in a statement whose `cases` is the view of the same name. */
export const someNewestFiles = sql<Filed[] | null>`(
  select json_agg(json_build_object('name', n.name, 'folder', n.folder) order by n.created_at desc, n.id desc)
  from (select f.id, f.created_at, f.name, d.name as folder
    from base.files f join base.folders d on d.id = f.folder_id
    where f.case_id = cases.id and f.deleted_at is null
    order by f.created_at desc, f.id desc limit 5) n)`;

/** The same, and none rather than null. */
export const newestFiles = sql<Filed[]>`coalesce(${someNewestFiles}, '[]')`;

/** All files, as far as they are counted. Only in a statement whose `cases` is the view of the same name. */
export const fileCount = sql<number>`(
  select count(*)::int from (select from base.files f
    where f.case_id = cases.id and f.deleted_at is null limit ${sql.lit(COUNTED_FILES_MAX)}) counted)`;

/** Condition that a deadline `d` is of an active case or of none; a lookup for each row that meets the other conditions. */
export const isOfActive = sql<boolean>`(coalesce(
  (select c.status_type from base.cases c where c.id = d.case_id), 'Active') = 'Active')`;

/** Condition that the limitation of a case `a.case_id` is open and ahead. */
export const isLimitationAhead = sql<boolean>`exists (select from base.deadlines l
  where l.case_id = a.case_id and l.kind = 'limitation' and l.status = 'open'
    and l.due_at > statement_timestamp())`;
