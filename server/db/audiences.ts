import { sql } from 'kysely';
import type { Executor } from './schema.ts';
import { amongIds } from './statements.ts';

/** Recipients of a walled case's events: its people alone, or everyone but the screened. */
export type CaseAudience = { userIds: string[] } | { except: string[] };

/** The audience of each of these cases that is walled. */
export async function findAudiences(
  db: Executor,
  caseIds: string[],
): Promise<Map<string, CaseAudience>> {
  const { rows } = await sql<{ id: string; access: string; people: string[] }>`
    select c.id, c.access, array(
      select s.user_id from base.case_sight s
      where s.case_id = c.id and s.sees = (c.access = 'restricted')
        and (s.until is null or s.until > statement_timestamp())) as people
    from base.cases c where c.id = ${amongIds(caseIds)} and c.is_walled`.execute(db);
  return new Map(
    rows.map(({ id, access, people }) => [
      id,
      access === 'restricted' ? { userIds: people } : { except: people },
    ]),
  );
}

/** The part of an audience that receives the events of a case, too. @param wall undefined for a case without one */
export function intersectAudiences(
  wall: CaseAudience | undefined,
  among: CaseAudience,
): CaseAudience {
  if (!wall) return among;
  if ('userIds' in wall) return { userIds: wall.userIds.filter((id) => isIn(among, id)) };
  if ('userIds' in among) return { userIds: among.userIds.filter((id) => isIn(wall, id)) };
  return { except: [...wall.except, ...among.except] };
}

function isIn(audience: CaseAudience, id: string): boolean {
  return 'userIds' in audience ? audience.userIds.includes(id) : !audience.except.includes(id);
}

/** Ids of all who edit the calendar. */
export async function listCalendarEditors(db: Executor): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users
    where active and (role = 'admin' or permissions->>'editCalendar' = 'true')`.execute(db);
  return rows.map(({ id }) => id);
}

/** Derives who sees a case from its mode and its people. */
export async function refreshCaseSight(trx: Executor, caseId: string): Promise<void> {
  await sql`select base.work_out_sight(array[${caseId}::uuid])`.execute(trx);
}

/** An intake whose access names anyone is read through those names. */
export async function refreshIntakeWall(trx: Executor, intakeId: string): Promise<void> {
  await sql`
    update base.intakes i set is_walled = access = 'restricted'
      or exists (select from base.intake_access a where a.intake_id = i.id)
    where id = ${intakeId}`.execute(trx);
}

/** The people who see each contact, all of whose matters are walled; none for one that everyone sees. */
export async function findContactAudiences(
  db: Executor,
  contactIds: string[],
): Promise<Map<string, { userIds: string[] }>> {
  const { rows } = await sql<{ id: string; people: string[] }>`
    select k.id, array(
      select u.id from users u where u.active and exists (
        select from base.parties p join base.cases c on c.id = p.case_id
        left join base.case_sight s on s.case_id = c.id and s.user_id = u.id
          and (s.until is null or s.until > statement_timestamp())
        where p.contact_id = k.id
          and case when not c.is_walled then true when c.access = 'open' then s.sees is null
            else coalesce(s.sees, false) end)) as people
    from base.contacts k where k.id = ${amongIds(contactIds)} and k.is_walled`.execute(db);
  return new Map(rows.map(({ id, people }) => [id, { userIds: people }]));
}

type SourceReaders<Said> = { id: string; people: string[]; said: Said[] };

/** Users grouped by the walled details of each contact that they see; none where no walled matter has any. */
export async function findSourceReaders<Said>(
  db: Executor,
  contactIds: string[],
): Promise<Map<string, SourceReaders<Said>[]>> {
  const { rows } = await sql<SourceReaders<Said>>`
    select id, array_agg(user_id) as people, said from (
      select k.id, u.id as user_id, (
        select jsonb_agg(jsonb_build_object('otherNames', s.other_names, 'emails', s.emails,
          'phoneNumbers', s.phone_numbers, 'address', s.address, 'organisation', s.organisation) order by s.serial)
        from base.contact_sources s join base.cases c on c.id = s.case_id
        left join base.case_sight g on g.case_id = c.id and g.user_id = u.id
          and (g.until is null or g.until > statement_timestamp())
        where s.contact_id = k.id and s.is_walled
          and case when c.access = 'open' then g.sees is null else coalesce(g.sees, false) end) as said
      from (select distinct s.contact_id as id from base.contact_sources s
        where s.contact_id = ${amongIds(contactIds)} and s.is_walled) k
      join users u on u.active) readers
    where said is not null group by id, said`.execute(db);
  return Map.groupBy(rows, ({ id }) => id);
}

/** Copies the wall of an intake, with its history, to the case that it becomes. */
export async function moveWall(
  trx: Executor,
  { intakeId, caseId }: { intakeId: string; caseId: string },
): Promise<void> {
  await sql`
    insert into base.case_access (case_id, user_id, kind, reason, by_id, at, until)
    select ${caseId}, user_id, kind, reason, by_id, at, until from base.intake_access
    where intake_id = ${intakeId}`.execute(trx);
  await sql`
    insert into base.access_history (case_id, copied_from)
    select ${caseId}, id from base.intake_access_history
    where intake_id = ${intakeId} order by id`.execute(trx);
  await sql`
    update base.cases c set access = i.access, is_walled = i.access = 'restricted' or exists (
      select from base.intake_access a where a.intake_id = i.id and a.kind = 'screened')
    from base.intakes i where i.id = ${intakeId} and c.id = ${caseId}`.execute(trx);
  await refreshCaseSight(trx, caseId);
}
