import { sql, type Insertable, type Updateable } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Intake, IntakeCounts, IntakeStage } from '@matterdesk/contract/intakes.ts';
import type { IntakesTable, IntakeState } from '../../db/schema-intakes.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { holdsWords } from '../../db/search.ts';

export type IntakeRow = IntakeState;
export type ShownRow = IntakeRow & {
  owner_first_name: string | null;
  owner_last_name: string | null;
  form_name: string | null;
  contact_kind: string | null;
  contact_name: string | null;
  check: Intake['check'];
};

const columns = [
  ...(['id', 'number', 'stage', 'type', 'name', 'contact_id', 'phone_number'] as const),
  ...(['phone_digits', 'email', 'address', 'parties', 'description', 'doi', 'sol'] as const),
  ...(['source', 'form_id', 'owner_id', 'entered_by', 'next_step', 'due_at'] as const),
  ...(['response_due_at', 'consult_at', 'received_at', 'first_response_at'] as const),
  ...(['closed_at', 'reason', 'reason_note', 'referred_to', 'case_id'] as const),
  ...(['text_consent', 'is_spam', 'erased_at', 'access', 'is_walled'] as const),
  ...(['access_updated_at', 'created_at', 'updated_at'] as const),
] as const;
const shownColumns = columns.map((column) => `intakes.${column}` as const);

function shown(db: Scoped) {
  return db
    .selectFrom('intakes')
    .leftJoin('users as o', 'o.id', 'intakes.owner_id')
    .leftJoin('intake_forms as f', 'f.id', 'intakes.form_id')
    .select(shownColumns)
    .select(['o.first_name as owner_first_name', 'o.last_name as owner_last_name'])
    .leftJoin('contacts as k', 'k.id', 'intakes.contact_id')
    .select('f.name as form_name')
    .select(['k.kind as contact_kind', 'k.name as contact_name'])
    .select(sql<Intake['check']>`check_of_intake(intakes.id)`.as('check'));
}

export function toIntake(row: ShownRow): Intake {
  const isErased = row.erased_at !== null;
  const known = <T>(value: T): T | null => (isErased ? null : value);
  return {
    id: row.id,
    number: Number(row.number),
    stage: row.stage,
    type: row.type,
    name: row.name,
    contact: toContact(row),
    phoneNumber: row.phone_number,
    email: row.email,
    address: row.address,
    parties: row.parties,
    description: known(row.description),
    DOI: row.doi,
    SOL: row.sol,
    source: row.source,
    form: row.form_id === null ? null : { id: row.form_id, name: row.form_name ?? '' },
    owner: toOwner(row),
    nextStep: known(row.next_step),
    dueAt: stampOf(row.due_at),
    responseDueAt: row.response_due_at.toISOString(),
    consultAt: stampOf(row.consult_at),
    receivedAt: row.received_at.toISOString(),
    firstResponseAt: stampOf(row.first_response_at),
    declined: row.reason && {
      reason: row.reason,
      note: known(row.reason_note),
      referredTo: row.referred_to,
    },
    check: row.check,
    caseId: row.case_id,
    textConsent: row.text_consent,
    isSpam: row.is_spam,
    ...(row.erased_at && { erasedAt: row.erased_at.toISOString() }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function toContact({ contact_id: id, contact_kind: kind, contact_name: name }: ShownRow) {
  return id !== null && kind !== null && name !== null ? { id, kind, name } : null;
}

function stampOf(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}

function toOwner(row: ShownRow): Person | null {
  const { owner_id: id, owner_first_name: firstName, owner_last_name: lastName } = row;
  return id && firstName !== null && lastName !== null ? { id, firstName, lastName } : null;
}

export function findIntake(db: Scoped, id: string): Promise<ShownRow | undefined> {
  return shown(db).where('intakes.id', '=', id).executeTakeFirst();
}

export function lockIntake(trx: Transaction, id: string): Promise<IntakeRow | undefined> {
  return trx
    .selectFrom('intakes')
    .select(columns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function findAnswers(db: Scoped, id: string) {
  const row = await db
    .selectFrom('intakes')
    .select('answers')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.answers ?? [];
}

export type IntakeFilter = {
  stage?: IntakeStage[] | undefined;
  owner?: string | undefined;
  type?: string | undefined;
  isSpam: boolean;
  search?: string | undefined;
};

const due = sql<Date>`coalesce(intakes.due_at, 'infinity')`;

function matching(db: Scoped, filter: IntakeFilter) {
  const { stage, owner, type, isSpam, search } = filter;
  return shown(db)
    .where('intakes.is_spam', '=', isSpam)
    .$if(stage !== undefined, (query) =>
      query.where('intakes.stage', '=', sql<IntakeStage>`any(${stage}::text[])`),
    )
    .$if(owner !== undefined, (query) => query.where(sql`intakes.owner_id::text`, '=', owner))
    .$if(type !== undefined, (query) => query.where(sql`intakes.type`, '=', type))
    .$if(search !== undefined, (query) =>
      query.where(
        sql<boolean>`(${holdsWords(search ?? '', sql.ref('intakes.search_text'))} or intakes.number::text = ${search})`,
      ),
    );
}

/** The soonest due first, then the newest. @param page.after a due time, `infinity` without one, and a number */
export function listIntakes(
  db: Scoped,
  filter: IntakeFilter,
  { limit, after }: { limit: number; after: string[] },
): Promise<ShownRow[]> {
  const [dueAt, number] = after;
  return matching(db, filter)
    .$if(number !== undefined, (query) =>
      query.where(
        sql<boolean>`(${due} > ${dueAt}::timestamptz or (${due} = ${dueAt}::timestamptz and intakes.number < ${number}::bigint))`,
      ),
    )
    .orderBy(due)
    .orderBy('intakes.number', 'desc')
    .limit(limit)
    .execute();
}

/** Counts up to `cap`. */
export async function countIntakes(db: Scoped, filter: IntakeFilter, cap: number): Promise<number> {
  const { counted } = await db
    .selectFrom(matching(db, filter).limit(cap).as('m'))
    .select(sql<number>`count(*)::int`.as('counted'))
    .executeTakeFirstOrThrow();
  return counted;
}

/** All intakes that the reader sees, by stage, spam apart, and those that wait for a first response too long. */
export async function countStages(db: Scoped): Promise<IntakeCounts & { overdue: number }> {
  const stage = (name: IntakeStage) =>
    sql<number>`(count(*) filter (where stage = ${sql.lit(name)} and not is_spam))::int`.as(name);
  return db
    .selectFrom('intakes')
    .select([
      ...(['new', 'contacted', 'conflictCheck', 'consultScheduled'] as const).map(stage),
      ...(['accepted', 'declined', 'referred'] as const).map(stage),
      sql<number>`(count(*) filter (where is_spam))::int`.as('spam'),
      sql<number>`(count(*) filter (where not is_spam and closed_at is null and first_response_at is null
        and response_due_at < statement_timestamp()))::int`.as('overdue'),
    ])
    .executeTakeFirstOrThrow();
}

export type NewIntakeRow = Insertable<IntakesTable>;

export async function insertIntake(trx: Transaction, row: NewIntakeRow): Promise<string> {
  const { id } = await trx
    .insertInto('intakes')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Updates a locked row. */
export async function updateIntake(
  trx: Transaction,
  id: string,
  change: Updateable<IntakesTable>,
): Promise<void> {
  await trx
    .updateTable('intakes')
    .set({
      ...change,
      updated_at: sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .execute();
}
