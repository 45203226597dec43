import { sql } from 'kysely';
import type { Actor } from '../core/actor.ts';
import { currentOrigin } from '../core/origin.ts';
import type { Transaction } from './schema.ts';
import { CompiledStatement, type Slots, insertMany } from './statements.ts';

/** `before` and `after` are the row as JSON, without secrets; of confidential entities their members are kept, not the values. */
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
    | 'paper'
    | 'pack'
    | 'import'
    | 'template'
    | 'googleGrant'
    | 'mail'
    | 'text'
    | 'phoneNumber'
    | 'list'
    | 'request'
    | 'access'
    | 'jurisdiction'
    | 'rule'
    | 'firm'
    | 'trash'
    | 'entry'
    | 'event'
    | 'feed'
    | 'deadline'
    | 'proposal'
    | 'conflict'
    | 'contact'
    | 'party'
    | 'intake'
    | 'intakeForm'
    | 'intakeSettings';
  /** A UUID, or the id that Google gave; null for a sign-in to no account, and for the trash. */
  entityId: string | null;
  caseId?: string;
  before?: object;
  after?: object;
  /** Without an actor: the user that the write creates. */
  actorId?: string;
  /** Defaults to now. */
  at?: Date;
};

/** Entities whose values stay out of the audit log. */
const CONFIDENTIAL: ReadonlySet<string> = new Set(['mail', 'text', 'contact', 'party', 'intake']);

/** Keeps only the member names of a confidential state. */
function recordedState({ entity }: AuditEntry, state: object | undefined): object | undefined {
  return state && CONFIDENTIAL.has(entity) ? { members: Object.keys(state) } : state;
}

/** One text for any number of entries. */
const insertion = new CompiledStatement(
  (_db, value: Slots<{ entries: string }>) => sql`
    insert into audit_log
      (at, request_id, address, agent, actor_id, entity, entity_id, case_id, action, before, after)
    select coalesce(at, clock_timestamp()), request_id, address, agent, actor_id, entity, entity_id,
      case_id, action, before, after
    from json_to_recordset(${value('entries')}) as entry (at timestamptz, request_id text, address text, agent text,
      actor_id uuid, entity text, entity_id text, case_id uuid, action text, before jsonb, after jsonb)`,
);

/** Sent with the transaction's next statement. */
export async function insertAudits(trx: Transaction, actor: Actor | null, entries: AuditEntry[]) {
  const rows = entries.map((entry) => {
    const [before, after] = [recordedState(entry, entry.before), recordedState(entry, entry.after)];
    return { at: entry.at, ...toRow(actor, entry), before, after };
  });
  await insertion.later(trx, { entries: JSON.stringify(rows) });
}

/** Inserts many entries of the past, which were not made through a request. */
export async function insertPastAudits(trx: Transaction, entries: (AuditEntry & { at: Date })[]) {
  const rows = entries.map((entry) => {
    const { at, before = null, after = null } = entry;
    return { at, ...toRow(null, entry), before, after };
  });
  await insertMany(trx, 'audit_log', rows);
}

function toRow(actor: Actor | null, entry: AuditEntry) {
  const origin = currentOrigin();
  return {
    request_id: actor?.requestId ?? origin?.requestId ?? null,
    address: origin?.address ?? null,
    agent: origin?.agent ?? null,
    actor_id: actor?.id ?? entry.actorId ?? null,
    entity: entry.entity,
    entity_id: entry.entityId,
    case_id: entry.caseId ?? null,
    action: entry.action,
  };
}
