import { type Activity, activityActions, activityEntities } from '@matterdesk/contract/cases.ts';
import type { Executor } from '../../db/schema.ts';
import { changedMembers } from './rules.ts';

export type ActivityRow = Awaited<ReturnType<typeof listActivity>>[number];

/** Audit entries of a case, newest first. */
export function listActivity(
  db: Executor,
  caseId: string,
  { limit, after }: { limit: number; after?: string | undefined },
) {
  return db
    .selectFrom('audit_log')
    .leftJoin('users', 'users.id', 'audit_log.actor_id')
    .select(['audit_log.id', 'audit_log.at', 'audit_log.action', 'audit_log.entity'])
    .select(['audit_log.entity_id', 'audit_log.before', 'audit_log.after', 'audit_log.actor_id'])
    .select(['users.first_name', 'users.last_name'])
    .where('audit_log.case_id', '=', caseId)
    .where('audit_log.action', 'in', [...activityActions])
    .where('audit_log.entity', 'in', [...activityEntities])
    .$if(after !== undefined, (query) => query.where('audit_log.id', '<', after ?? ''))
    .orderBy('audit_log.id', 'desc')
    .limit(limit)
    .execute();
}

export function toActivity(row: ActivityRow): Activity {
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
