import { sql, type Kysely } from 'kysely';

/**
 * A password that was set by someone else's link: who made the link is known, restricted matters pause until someone with
 * access lets the person in again, and whom it concerns is notified (decision 51).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await rememberMakers(db);
  await allowPauses(db);
  await pauseCases(db);
  await pauseIntakes(db);
  await widenNotices(db);
}

async function rememberMakers(db: Kysely<unknown>) {
  await sql`alter table password_links add column made_by uuid references users (id)`.execute(db);
  await sql`
    alter table users
      add column password_by uuid references users (id),
      add column password_by_at timestamptz(3)`.execute(db);
}

async function allowPauses(db: Kysely<unknown>) {
  for (const table of ['case_access', 'intake_access']) {
    const name = sql.id(`${table}_kind_check`);
    await sql`
      alter table base.${sql.id(table)} drop constraint ${name},
        add constraint ${name} check (kind in ('added', 'screened', 'opened', 'paused'))`.execute(
      db,
    );
    await sql`
      create index ${sql.id(`${table}_of_user`)} on base.${sql.id(table)} (user_id)`.execute(db);
  }
  await sql`create index intakes_of_owner on base.intakes (owner_id)`.execute(db);
  for (const table of ['access_history', 'intake_access_history']) {
    const name = sql.id(`${table}_action_check`);
    await sql`
      alter table base.${sql.id(table)} drop constraint ${name}, add constraint ${name}
        check (action in ('opened', 'restricted', 'changed', 'glassOpened', 'paused'))`.execute(db);
  }
}

/** As before, but a paused person is not let in by an assignment or an addition. */
async function pauseCases(db: Kysely<unknown>) {
  await sql`
    create or replace function base.work_out_sight(ids uuid[]) returns void language sql as $$
      delete from base.case_sight where case_id = any(ids);
      insert into base.case_sight (user_id, case_id, sees, until)
      select a.user_id, a.case_id, false, null
        from base.case_access a join base.cases c on c.id = a.case_id
        where a.case_id = any(ids) and a.kind = 'screened' and c.access = 'open'
      union all
      select i.user_id, i.case_id, true,
          case when bool_or(i.until is null) then null else max(i.until) end
        from (
          select n.user_id, n.case_id, null::timestamptz as until
            from (
              select user_id, case_id from base.case_assignments where case_id = any(ids)
              union all
              select user_id, case_id from base.case_access
                where case_id = any(ids) and kind = 'added'
            ) n where not exists (
              select from base.case_access p
              where p.case_id = n.case_id and p.user_id = n.user_id and p.kind = 'paused')
          union all
          select user_id, case_id, until from base.case_access
            where case_id = any(ids) and kind = 'opened'
        ) i join base.cases c on c.id = i.case_id
        where c.is_walled and c.access = 'restricted' and not exists (
          select from base.case_access s
          where s.case_id = i.case_id and s.user_id = i.user_id and s.kind = 'screened')
        group by i.user_id, i.case_id;
      -- Remembered totals of searches end.
      insert into case_counts (status_type, cases, changes) values ('Active', 0, 1), ('Archive', 0, 1)
    $$`.execute(db);
}

async function pauseIntakes(db: Kysely<unknown>) {
  const columns = await columnsOf(db, 'intakes');
  await sql`
    create or replace view intakes as select ${columns} from base.intakes t
      where (select base.actor()) is not null and (
        (select base.actor()) = '00000000-0000-0000-0000-000000000000'
        or ${seenBy(sql`(select base.actor())`, sql`(select base.handles_intakes())`)})`.execute(
    db,
  );
  // The rule of the view, for any user.
  await sql`
    create function base.sees_intake(who uuid, what uuid) returns boolean language sql stable as $$
      select what is null or exists (select from base.intakes t where t.id = what and ${seenBy(
        sql`who`,
        sql`exists (select from users u where u.id = who
          and (u.role = 'admin' or (u.permissions->>'handleIntakes')::boolean))`,
      )})
    $$`.execute(db);
}

/** The people of a restricted intake see it unless they are paused; an opening counts for its time. */
function seenBy(who: ReturnType<typeof sql>, handles: ReturnType<typeof sql>) {
  const named = (kind: string) => sql`exists (
    select from base.intake_access a
    where a.intake_id = t.id and a.user_id = ${who} and a.kind = ${sql.lit(kind)})`;
  return sql`(
    (t.access = 'open' and (t.owner_id = ${who} or t.entered_by = ${who} or ${handles})
      or t.is_walled and (t.owner_id = ${who} or ${named('added')})
        and not (t.access = 'restricted' and ${named('paused')})
      or t.is_walled and exists (
        select from base.intake_access a where a.intake_id = t.id and a.user_id = ${who}
          and a.kind = 'opened' and a.until > statement_timestamp()))
    and not (t.is_walled and ${named('screened')}))`;
}

/** Notices about an intake stay behind its wall, as those about a case do. */
async function widenNotices(db: Kysely<unknown>) {
  await sql`
    alter table base.notices add column intake_id uuid, drop constraint notices_type_check,
      add constraint notices_type_check check (type in ('reminder', 'warning', 'escalation', 'change',
        'proposal', 'digest', 'access', 'account'))`.execute(db);
  await sql`
    create index notices_of_intake on base.notices (intake_id) where intake_id is not null`.execute(
    db,
  );
  await sql`
    create or replace view notices as select ${await columnsOf(db, 'notices', ['intake_id'])} from base.notices t
      where (select base.actor()) is not null
        and (t.case_id is null or exists (select from cases c where c.id = t.case_id))
        and (t.intake_id is null or exists (select from intakes i where i.id = t.intake_id))
      with local check option`.execute(db);
}

/** The columns of a view in their order, and new ones. */
async function columnsOf(db: Kysely<unknown>, view: string, added: string[] = []) {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${view}::regclass and attnum > 0 order by attnum`.execute(db);
  return sql.join([...rows.map(({ name }) => name), ...added].map((name) => sql.ref(`t.${name}`)));
}
