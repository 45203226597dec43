// PostgreSQL: schema, migrations, the unit of work, sessions.

import type { Actor } from '../core/actor.ts';
import { insertMany } from './insert-many.ts';
import type { Executor, Transaction } from './schema.ts';

/** `before` and `after` are the row as JSON, without secrets. */
export type AuditEntry = {
  action: string;
  entity:
    | 'user'
    | 'session'
    | 'invitation'
    | 'case'
    | 'task'
    | 'folder'
    | 'file'
    | 'googleGrant'
    | 'mail'
    | 'text'
    | 'phoneNumber';
  entityId: string;
  caseId?: string;
  before?: object;
  after?: object;
  /** Without an actor: the user that the write creates. */
  actorId?: string;
  /** Defaults to now. */
  at?: Date;
};

export async function insertAudits(db: Executor, actor: Actor | null, entries: AuditEntry[]) {
  const rows = entries.map((entry) => ({
    ...(entry.at && { at: entry.at }),
    ...toRow(actor, entry),
    before: entry.before ? JSON.stringify(entry.before) : null,
    after: entry.after ? JSON.stringify(entry.after) : null,
  }));
  await db.insertInto('audit_log').values(rows).execute();
}

/** Inserts many entries of the past, which were not made through a request. */
export async function insertPast(trx: Transaction, entries: (AuditEntry & { at: Date })[]) {
  const rows = entries.map((entry) => {
    const { at, before = null, after = null } = entry;
    return { at, ...toRow(null, entry), before, after };
  });
  await insertMany(trx, 'audit_log', rows);
}

function toRow(actor: Actor | null, entry: AuditEntry) {
  return {
    request_id: actor?.requestId ?? null,
    actor_id: actor?.id ?? entry.actorId ?? null,
    entity: entry.entity,
    entity_id: entry.entityId,
    case_id: entry.caseId ?? null,
    action: entry.action,
  };
}
