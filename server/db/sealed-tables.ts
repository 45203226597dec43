import { sql, type RawBuilder } from 'kysely';

type SealedTable = {
  /** With its schema. */
  table: string;
  /** The column of its serial numbers. */
  id: string;
  /** All that an entry says, in one order and as text: what its seal covers. */
  sealedText: RawBuilder<(string | null)[]>;
  /** As people call its entries; the audit log is the record itself. */
  called: string | null;
  /** The column of `intake_erasures` that lists the entries of it that were erased. */
  erasedIn?: 'entries' | 'walls';
  /** Whether an entry that is still there has lost what it said. */
  isBlank?: RawBuilder<boolean>;
};

const at = sql`to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const all = (...said: RawBuilder<unknown>[]) => sql<(string | null)[]>`array[${sql.join(said)}]`;
const text = (...columns: string[]) =>
  columns.map((column) => sql`${sql.ref(`e.${column}`)}::text`);
const salted = (what: string) =>
  sql`encode(sha256(convert_to(e.salt::text || ${sql.ref(`e.${what}`)}, 'UTF8')), 'hex')`;
const hash = sql`encode(e.hash, 'hex')`;

/** Tables to which entries are only added, each of them under a seal. */
export const sealedTables = {
  audit_log: {
    table: 'audit_log',
    id: 'id',
    sealedText: all(
      ...text('id'),
      at,
      ...text('request_id', 'actor_id', 'address', 'agent', 'entity', 'entity_id', 'case_id'),
      ...text('action', 'before', 'after'),
    ),
    called: null,
  },
  access_history: {
    table: 'base.access_history',
    id: 'id',
    sealedText: all(
      ...text('id', 'case_id'),
      at,
      ...text('by_id', 'action', 'people', 'reason', 'copied_from'),
    ),
    called: 'the access history of matters',
  },
  intake_access_history: {
    table: 'base.intake_access_history',
    id: 'id',
    sealedText: all(
      ...text('id', 'intake_id'),
      at,
      ...text('by_id', 'action', 'people'),
      sql`coalesce(encode(e.reason_hash, 'hex'), ${salted('reason')})`,
    ),
    called: 'the access history of intakes',
    erasedIn: 'walls',
    isBlank: sql<boolean>`e.salt is null`,
  },
  deadline_history: {
    table: 'base.deadline_history',
    id: 'id',
    sealedText: all(
      ...text('id', 'deadline_id', 'case_id'),
      at,
      ...text('by_id', 'action', 'from_state', 'to_state', 'reason'),
      hash,
    ),
    called: 'the history of deadlines',
  },
  conflict_checks: {
    table: 'base.conflict_checks',
    id: 'number',
    sealedText: all(
      ...text('number', 'id'),
      at,
      ...text('by_id', 'case_id', 'intake_id', 'names', 'with_texts', 'searched', 'hits'),
      ...text('rerun_of', 'search_text'),
    ),
    called: 'the conflict checks',
  },
  conflict_entries: {
    table: 'base.conflict_entries',
    id: 'id',
    sealedText: all(...text('id', 'check_id'), at, ...text('by_id', 'action', 'body'), hash),
    called: 'the decisions of conflict checks',
  },
  intake_entries: {
    table: 'base.intake_entries',
    id: 'id',
    sealedText: all(
      ...text('id', 'intake_id'),
      at,
      ...text('by_id', 'kind', 'is_own'),
      sql`coalesce(${salted('text')}, '')`,
    ),
    called: 'the activity of intakes',
    erasedIn: 'entries',
  },
  intake_erasures: {
    table: 'base.intake_erasures',
    id: 'id',
    sealedText: all(...text('id'), at, ...text('intake_id', 'entries', 'walls')),
    called: 'the erasures of intakes',
  },
  text_consents: {
    table: 'text_consents',
    id: 'id',
    sealedText: all(...text('id', 'own_number', 'other_number', 'keyword', 'word', 'sid'), at),
    called: 'the consents to texts',
  },
} satisfies Record<string, SealedTable>;

export type SealedName = keyof typeof sealedTables;

export const sealedNames = Object.keys(sealedTables) as SealedName[];

export function sealedTable(name: SealedName): SealedTable {
  return sealedTables[name];
}

/** Undefined for a forged name. */
export function readSealedName(name: string): SealedName | undefined {
  return sealedNames.find((known) => known === name);
}
