import { sql, type Insertable, type Updateable } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { IntakeSettings, IntakeStat, StatGroup } from '@matterdesk/contract/intake-routes.ts';
import type {
  Intake,
  IntakeCounts,
  IntakeEntry,
  IntakeEntryKind,
  IntakeStage,
} from '@matterdesk/contract/intakes.ts';
import type { IntakesTable, IntakeState } from '../../db/schema-intakes.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';
import { holdsWords } from '../../db/search.ts';
import { countUpToCap, hasId, lockName } from '../../db/statements.ts';
import type { ConcludedCheck } from './rules.ts';

export type IntakeRow = IntakeState;
export type ShownRow = IntakeRow & {
  owner_first_name: string | null;
  owner_last_name: string | null;
  form_name: string | null;
  contact_kind: string | null;
  contact_name: string | null;
  contact_is_walled: boolean | null;
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
    .select([
      'k.kind as contact_kind',
      'k.name as contact_name',
      'k.is_walled as contact_is_walled',
    ])
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

const dueSort = sql<Date>`coalesce(intakes.due_at, 'infinity')`;

function matching(db: Scoped, filter: IntakeFilter) {
  const { stage, owner, type, isSpam, search } = filter;
  return shown(db)
    .where('intakes.is_spam', '=', isSpam)
    .$if(stage !== undefined, (query) =>
      query.where('intakes.stage', '=', sql<IntakeStage>`any(${stage}::text[])`),
    )
    .$if(owner !== undefined, (query) => query.where(hasId('intakes.owner_id', owner ?? '')))
    .$if(type !== undefined, (query) => query.where(sql`intakes.type`, '=', type))
    .$if(search !== undefined, (query) =>
      query.where(
        sql<boolean>`(${holdsWords(search ?? '', sql.ref('intakes.search_text'))} or intakes.number::text = ${search})`,
      ),
    );
}

/** Soonest due first, then newest; `after` is the last row's due time (or `infinity`) and its number. */
export function listIntakes(
  db: Scoped,
  filter: IntakeFilter,
  { limit, after }: { limit: number; after: string[] },
): Promise<ShownRow[]> {
  const [dueAt, number] = after;
  return matching(db, filter)
    .$if(number !== undefined, (query) =>
      query.where(
        sql<boolean>`(${dueSort} > ${dueAt}::timestamptz or (${dueSort} = ${dueAt}::timestamptz and intakes.number < ${number}::bigint))`,
      ),
    )
    .orderBy(dueSort)
    .orderBy('intakes.number', 'desc')
    .limit(limit)
    .execute();
}

export function countIntakes(db: Scoped, filter: IntakeFilter): Promise<number> {
  return countUpToCap(db, matching(db, filter));
}

/** Counts the reader's intakes by stage, with spam and overdue first responses apart. */
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

/** Entries of an intake that are shown. */
const MAX_SHOWN = 500;

export type NewEntry = {
  by: string | null;
  kind: IntakeEntryKind;
  text: string | null;
  /** Shown to its author alone. */
  isOwn?: boolean;
};

function entries(db: Scoped) {
  return db
    .selectFrom('intake_entries as e')
    .leftJoin('users as u', 'u.id', 'e.by_id')
    .select(['e.id', 'e.at', 'e.by_id', 'e.kind', 'e.text', 'e.is_own'])
    .select(['u.first_name', 'u.last_name']);
}

type EntryRow = {
  id: string;
  at: Date;
  by_id: string | null;
  kind: IntakeEntryKind;
  text: string | null;
  is_own: boolean;
  first_name: string | null;
  last_name: string | null;
};

function toEntry(row: EntryRow, readerId: string): IntakeEntry {
  const { id, kind, by_id: byId, first_name: firstName, last_name: lastName } = row;
  const by: Person | null =
    byId !== null && firstName !== null && lastName !== null
      ? { id: byId, firstName, lastName }
      : null;
  const isHidden = row.is_own && byId !== readerId;
  return { id, at: row.at.toISOString(), by, kind, text: isHidden ? null : row.text };
}

/** Newest first. */
export async function listEntries(db: Scoped, intakeId: string, readerId: string) {
  const rows = await entries(db)
    .where('e.intake_id', '=', intakeId)
    .orderBy('e.id', 'desc')
    .limit(MAX_SHOWN)
    .execute();
  return rows.map((row) => toEntry(row, readerId));
}

export async function findEntry(db: Scoped, id: string, readerId: string): Promise<IntakeEntry> {
  return toEntry(await entries(db).where('e.id', '=', id).executeTakeFirstOrThrow(), readerId);
}

/** @returns their ids */
export async function insertEntries(
  trx: Transaction,
  intakeId: string,
  added: NewEntry[],
): Promise<string[]> {
  if (added.length === 0) return [];
  const rows = await trx
    .insertInto('intake_entries')
    .values(
      added.map(({ by, kind, text, isOwn = false }) => ({
        intake_id: intakeId,
        by_id: by,
        kind,
        text,
        is_own: isOwn,
      })),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Users named in an intake's access list: those notified in addition to intake handlers, and those never notified. */
export async function findListeners(trx: Transaction, intakeId: string) {
  const rows = await trx
    .selectFrom('intake_access')
    .select(['user_id', 'kind'])
    .where('intake_id', '=', intakeId)
    .where((eb) =>
      eb.or([eb('until', 'is', null), eb('until', '>', sql<Date>`statement_timestamp()`)]),
    )
    .execute();
  const of = (isScreened: boolean) =>
    rows.filter(({ kind }) => (kind === 'screened') === isScreened).map(({ user_id: id }) => id);
  return { added: of(false), screened: of(true) };
}

/** Concluded checks of an intake, newest first. */
export async function listConcluded(trx: Transaction, intakeId: string): Promise<ConcludedCheck[]> {
  const { rows } = await sql<ConcludedCheck>`
    select k.names, e.body ->> 'outcome' as outcome
    from conflict_checks k join conflict_entries e on e.check_id = k.id and e.action = 'concluded'
    where k.intake_id = ${intakeId} order by k.number desc`.execute(trx);
  return rows;
}

/** One of a user's mails, or their texts with a number. */
export type Origin = { userId: string; kind: 'mail' | 'message'; of: string };

const textOf = ({ kind, of }: Origin) => `${kind} ${of}`;

/** Serializes requests that make an intake from one origin. */
export function lockOrigin(trx: Transaction, origin: Origin): Promise<void> {
  return lockName(trx, `matterdesk.intake ${origin.userId} ${textOf(origin)}`);
}

/**
 * The intake from this mail or these texts, if the reader may see it. Texts of a closed intake can start another one; its
 * mail cannot.
 */
export async function findByOrigin(db: Scoped, origin: Origin): Promise<string | undefined> {
  const row = await db
    .selectFrom('intake_origins as o')
    .innerJoin('intakes as i', 'i.id', 'o.intake_id')
    .select('i.id')
    .where('o.user_id', '=', origin.userId)
    .where('o.origin', '=', textOf(origin))
    .$if(origin.kind === 'message', (query) => query.where('i.closed_at', 'is', null))
    .executeTakeFirst();
  return row?.id;
}

export async function insertOrigin(trx: Transaction, origin: Origin, intakeId: string) {
  await trx
    .insertInto('intake_origins')
    .values({ user_id: origin.userId, origin: textOf(origin), intake_id: intakeId })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'origin']).doUpdateSet({ intake_id: intakeId }),
    )
    .execute();
}

export async function findSettings(db: Executor): Promise<IntakeSettings> {
  const row = await db.selectFrom('intake_settings').selectAll().executeTakeFirstOrThrow();
  const { response_minutes: responseMinutes, keep_months: keepMonths, sources, templates } = row;
  return { responseMinutes, keepMonths, sources, templates };
}

export async function updateSettings(trx: Transaction, settings: IntakeSettings): Promise<void> {
  await trx
    .updateTable('intake_settings')
    .set({
      response_minutes: settings.responseMinutes,
      keep_months: settings.keepMonths,
      sources: settings.sources,
      templates: JSON.stringify(settings.templates),
    })
    .execute();
}

/** Rows of statistics at most. */
const MAX_STATS = 500;

const keys: Record<StatGroup, ReturnType<typeof sql<string | null>>> = {
  source: sql`i.source`,
  type: sql`i.type`,
  owner: sql`i.owner_id::text`,
  form: sql`f.name`,
  month: sql`to_char(i.received_at at time zone z.zone, 'YYYY-MM')`,
};

type StatQuery = { from: string; to: string; by: StatGroup; timeZone: string };

/** Intakes received between two of the firm's days; months in order, other groups by size. */
export async function listStats(
  db: Scoped,
  { from, to, by, timeZone }: StatQuery,
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
    order by ${by === 'month' ? sql`1` : sql`count(*) desc, 1`} limit ${MAX_STATS}`.execute(db);
  return rows;
}
