import { sql } from 'kysely';
import type { Scoped } from '../../../db/schema.ts';
import type { Waiting } from './rules.turns.ts';

/** Running jobs, once for each person who asked for their document. */
const active = sql`
  select job.id job, job.started_on since, trainings.requested_by person
  from jobs.job join trainings on trainings.document_id = (job.data->>'key')::uuid
  where job.name = 'train' and job.state = 'active'`;

/** The smallest waiting document of each person, and of the job that is about to begin. */
export async function listWaiting(db: Scoped, job: string): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    with active as (${active}),
      running as (
        select person, count(distinct job)::int n from active where job <> ${job} group by person)
    select distinct on (trainings.requested_by)
      trainings.requested_by person, documents.id document, job.id job, coalesce(running.n, 0) running
    from jobs.job
      join documents on documents.id = (job.data->>'key')::uuid
      join trainings on trainings.document_id = documents.id
      join files on files.id = trainings.file_id
      left join running on running.person = trainings.requested_by
    where job.name = 'train' and (job.id = ${job} or (job.state = 'created' and job.start_after <= now()))
    order by trainings.requested_by, files.size, job.created_on`.execute(db);
  return rows;
}

/** Whether someone waits without a running training while everyone who asked for this one has an older one besides. */
export async function isToYield(db: Scoped, job: string): Promise<boolean> {
  const { rows } = await sql<{ yields: boolean }>`
    with active as materialized (${active})
    select exists (select from active where job = ${job})
      and not exists (
        select from active own where own.job = ${job} and not exists (
          select from active older
            where older.person = own.person and (older.since, older.job) < (own.since, own.job)))
      and exists (
        select from jobs.job join trainings on trainings.document_id = (job.data->>'key')::uuid
          where job.name = 'train' and job.state = 'created' and job.start_after <= now()
            and trainings.requested_by not in (select person from active)) yields`.execute(db);
  return rows[0]?.yields === true;
}

type Exchange = { job: string; document: string; other: Waiting };

/**
 * Lets a job train the document of a waiting one, which gets the first one's document.
 * @returns false when the other began meanwhile
 */
export function exchangeDocuments(db: Scoped, { job, document, other }: Exchange) {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql`
      select from jobs.job where name = 'train' and id = ${other.job} and state = 'created'
        and data->>'key' = ${other.document} for update skip locked`.execute(trx);
    if (rows.length === 0) return false;
    await sql`
      update jobs.job set data = jsonb_build_object('key',
        case when id = ${job} then ${other.document}::text else ${document}::text end)
      where name = 'train' and id in (${job}, ${other.job})`.execute(trx);
    return true;
  });
}

/** Whether the document still belongs to a file that is not deleted. */
export async function isWanted(db: Scoped, documentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('trainings')
    .innerJoin('files', 'files.id', 'trainings.file_id')
    .select('files.id')
    .where('trainings.document_id', '=', documentId)
    .where('files.deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
