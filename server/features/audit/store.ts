import { sql } from 'kysely';
import type { Entry, RecordFilters } from '@matterdesk/contract/audit.ts';
import { type Activity, activityActions, activityEntities } from '@matterdesk/contract/cases.ts';
import { isId } from '../../core/ids.ts';
import type { Executor, Scoped } from '../../db/schema.ts';
import { countUpToCap } from '../../db/statements.ts';
import { changesIn, type Names, referencedIds, changedMembers } from './rules.ts';
import * as rules from './rules.ts';

/** Bytes of values, as JSON, after which a page of the record ends; written at once, more would keep others waiting. */
const PAGE_BYTES = 400_000;

type ActivityRow = Awaited<ReturnType<typeof listActivity>>[number];

export type EntryRow = Awaited<ReturnType<typeof listEntries>>[number];

type ActivityPage = { limit: number; after?: string[] | undefined; isOldestFirst?: boolean };

/** Audit entries of a case, newest first unless asked otherwise. */
export function listActivity(
  db: Executor,
  caseId: string,
  { limit, after, isOldestFirst = false }: ActivityPage,
) {
  const [direction, isNext] = isOldestFirst
    ? (['asc', isAfter] as const)
    : (['desc', isBefore] as const);
  return db
    .selectFrom('audit_log')
    .leftJoin('users', 'users.id', 'audit_log.actor_id')
    .select(['audit_log.id', 'audit_log.at', 'audit_log.action', 'audit_log.entity'])
    .select(['audit_log.entity_id', 'audit_log.before', 'audit_log.after', 'audit_log.actor_id'])
    .select(['users.first_name', 'users.last_name'])
    .where('audit_log.case_id', '=', caseId)
    .where('audit_log.action', 'in', [...activityActions])
    .where('audit_log.entity', 'in', [...activityEntities])
    .$if(after !== undefined, (query) => query.where(isNext(after ?? [])))
    .orderBy('audit_log.at', direction)
    .orderBy('audit_log.id', direction)
    .limit(limit)
    .execute();
}

/** Earlier than the entry of a cursor. */
function isBefore([at, id]: string[]) {
  return sql<boolean>`(audit_log.at, audit_log.id) < (${at}::timestamptz, ${id}::bigint)`;
}

function isAfter([at, id]: string[]) {
  return sql<boolean>`(audit_log.at, audit_log.id) > (${at}::timestamptz, ${id}::bigint)`;
}

export function toActivity(row: ActivityRow, names: Names): Activity {
  const { first_name: firstName, last_name: lastName, actor_id: id } = row;
  const state = (row.after ?? row.before ?? {}) as {
    caseName?: string;
    name?: string;
    type?: string;
    reason?: string;
  };
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: id && firstName && lastName ? { id, firstName, lastName } : null,
    action: row.action as Activity['action'],
    entity: row.entity as Activity['entity'],
    entityId: row.entity_id ?? '',
    name: state.caseName ?? state.name ?? '',
    detail: detailOf(row, state),
    changes: row.before && row.after ? changesIn(row, names) : [],
  };
}

/**
 * Newest first; `after` is the [time, id] of the previous entry. A page ends where its values exceed what a reply may hold:
 * `found` is how many entries it would have had.
 */
export function listEntries(
  db: Scoped,
  filters: RecordFilters,
  { limit, after }: { limit: number; after?: string[] | undefined },
) {
  const page = filtered(db, filters)
    .leftJoin('users', 'users.id', 'audit_log.actor_id')
    .select(['audit_log.id', 'at', 'action', 'entity', 'entity_id', 'case_id', 'request_id'])
    .select(['address', 'agent', 'before', 'after', 'actor_id', 'first_name', 'last_name'])
    .$if(after !== undefined, (query) => query.where(isBefore(after ?? [])))
    .orderBy('at', 'desc')
    .orderBy('audit_log.id', 'desc')
    .limit(limit);
  const size = sql`coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)`;
  const measured = db
    .selectFrom(page.as('page'))
    .selectAll()
    .select([
      sql<number>`(count(*) over ())::int`.as('found'),
      sql<number>`coalesce(sum(${size}) over (order by at desc, id desc
        rows between unbounded preceding and 1 preceding), 0)::float8`.as('ahead'),
    ]);
  return db
    .selectFrom(measured.as('measured'))
    .selectAll()
    .where('ahead', '<', PAGE_BYTES)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export function countEntries(db: Scoped, filters: RecordFilters): Promise<number> {
  return countUpToCap(db, filtered(db, filters).select(sql`1`.as('one')));
}

/** An act with its states, whose names are looked up. */
export type AuditedValues = {
  entity: string;
  entity_id: string | null;
  before: unknown;
  after: unknown;
};

/** Current names of the entries' subjects, matters and mentions, by id. */
export async function findNames(
  db: Scoped,
  rows: readonly (AuditedValues & { case_id?: string | null })[],
): Promise<Map<string, string>> {
  const mentioned = rows.map(referencedIds);
  const others: Record<string, string[]> = {
    user: mentioned.flatMap(({ people }) => [...people]),
    case: [
      ...mentioned.flatMap(({ matters }) => [...matters]),
      ...rows.flatMap(({ case_id: id }) => id ?? []),
    ],
  };
  const ids = (kind: string) => {
    const own = rows.flatMap(({ entity, entity_id: id }) => (entity === kind && id ? [id] : []));
    return [...new Set([...own, ...(others[kind] ?? [])])].filter(isId);
  };
  const { rows: found } = await sql<{ id: string; name: string }>`
    select id, first_name || ' ' || last_name as name from users where id = any(${ids('user')}::uuid[])
    union all select id, case_name from cases where id = any(${ids('case')}::uuid[])
    union all select id, name from tasks where id = any(${ids('task')}::uuid[])
    union all select id, name from folders where id = any(${ids('folder')}::uuid[])
    union all select id, name from files where id = any(${ids('file')}::uuid[])
    union all select id, phone_number from phone_numbers where id = any(${ids('phoneNumber')}::uuid[])`.execute(
    db,
  );
  return new Map(found.map(({ id, name }) => [id, name]));
}

export function toEntry(row: EntryRow, names: Names): Entry {
  const { actor_id: id, first_name: firstName, last_name: lastName } = row;
  const after = withoutWords(row);
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: id && firstName !== null && lastName !== null ? { id, firstName, lastName } : null,
    address: row.address,
    agent: row.agent,
    action: row.action,
    entity: row.entity,
    entityId: row.entity_id,
    name: names.get(row.entity_id ?? '') ?? rules.nameIn(row),
    caseId: row.case_id,
    caseName: names.get(row.case_id ?? '') ?? null,
    requestId: row.request_id,
    before: row.before,
    after,
    changes: changesIn({ ...row, after }, names),
  };
}

function detailOf(
  row: ActivityRow,
  { type = '', reason = '' }: { type?: string; reason?: string },
) {
  if (row.action === 'moved') return [type];
  if (row.action === 'trainingFailed') return [reason];
  return changedMembers(row.before as object | null, row.after as object | null);
}

function filtered(db: Scoped, { actor, action, entity, caseId, address, from, to }: RecordFilters) {
  const none = sql<boolean>`false`;
  return (
    db
      .selectFrom('audit_log')
      // Acts in a matter are as hidden as the matter. With `exists` the planner would read all matters.
      .where(
        sql<boolean>`case when case_id is null
          then coalesce(after ->> 'check', entity_id, '') not in (select id from hidden_subjects)
          else (select true from cases c where c.id = audit_log.case_id) end`,
      )
      .$if(actor !== undefined, (query) =>
        query.where(isId(actor ?? '') ? sql<boolean>`actor_id = ${actor}` : none),
      )
      .$if(caseId !== undefined, (query) =>
        query.where(isId(caseId ?? '') ? sql<boolean>`case_id = ${caseId}` : none),
      )
      .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
      .$if(entity !== undefined, (query) =>
        query.where(rules.isKind(entity ?? '') ? 'entity' : 'entity_id', '=', entity ?? ''),
      )
      .$if(address !== undefined, (query) => query.where('address', '=', address ?? ''))
      .$if(from !== undefined, (query) => query.where('at', '>=', rules.startOf(from ?? '')))
      .$if(to !== undefined, (query) => query.where('at', '<', rules.endOf(to ?? '')))
  );
}

/** Searched words, which entries of earlier versions hold, may come from a matter that the reader does not see. */
function withoutWords({ entity, after }: EntryRow): unknown {
  const words = (after as { search?: unknown } | null)?.search;
  return entity === 'list' && words !== undefined ? { ...(after as object), search: true } : after;
}

/** Acts that change nothing. */
const READ_ACTIONS = ['downloaded', 'previewed', 'exported', 'read', 'mailRead', 'refused'];

/** Ids of records or matters on which people acted by other requests than the given one. */
export async function findTouched(
  db: Scoped,
  ids: readonly string[],
  requestId: string,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select i.id::text from unnest(${[...ids]}::uuid[]) as i (id)
    where exists (select from audit_log a where a.entity_id = i.id::text and ${isOther(requestId)})
      or exists (select from audit_log a where a.case_id = i.id and ${isOther(requestId)})`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

function isOther(requestId: string) {
  return sql<boolean>`a.actor_id is not null and a.request_id is distinct from ${requestId}
    and a.action <> all(${READ_ACTIONS}::text[])`;
}
