// Kinds of imported records: how each is read, found, added, changed and removed, and what several of them share.

import type { ImportKind, ImportProfile } from '@matterdesk/contract/imports.ts';
import type { ActorContext } from '../../context.ts';
import { isForeignKeyViolation } from '../../core/database-errors.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { runInSavepoint, type Unit } from '../../db/unit-of-work.ts';
import type { SourceRow } from '../../integrations/exports/source.ts';
import type { Tables, Value, Values } from './rules.ts';
import type { NewRecord } from './store.ids.ts';

export type { Value, Values } from './rules.ts';

/** Ids here of records that an import names by their id or their name there. */
export type References = {
  /** @returns ids here by ids there, of those that are known */
  byId: (kind: ImportKind, ids: readonly string[]) => Promise<Map<string, string>>;
  /** @returns ids here by folded names; a name of several records is left out */
  byName: (kind: ImportKind, names: readonly string[]) => Promise<Map<string, string>>;
};

/** A run of an import, for the kinds. */
export type Run = {
  context: ActorContext;
  importId: string;
  /** The profile, under which ids there are kept. */
  source: ImportProfile;
  /** Name of the other system in texts: 'Clio'. */
  system: string;
  /** Nothing is written; records that the run would add have made-up ids. */
  isDry: boolean;
  tables: Tables;
  /** Order of day and month in the files' dates. */
  dates: 'ymd' | 'mdy' | 'dmy';
  timeZone: string;
  references: References;
  now: Date;
};

/** A record as a row says it. */
export type Draft = {
  row: SourceRow;
  /** Id there, else a natural key such as a case number; null takes the hash of the row. */
  key: string | null;
  /** Names the record in reports, and to rows that name it. */
  name: string;
  /** Further names and numbers by which rows name it. */
  aliases?: readonly string[];
  /** Canonical: what `current` answers for an untouched record. */
  values: Values;
  /** Not compared: what the values need in order to be written. */
  extra?: unknown;
};
/** Why a row is refused; `field` is the contract's, whose column is named. */
export type RefusedRow = { row: SourceRow; field: string | null; message: string };

export const isRefused = (one: Draft | RefusedRow): one is RefusedRow => 'message' in one;

/** Why a record stays though its import is undone, in a sentence. */
export type Reason = string;

/** Preparations of a transaction: rows that it cannot take, and what to call after it, however it ended. */
export type PreparedDrafts = { refused: RefusedRow[]; release: () => Promise<void> };

/** At most 500 rows per call, and never two kinds in parallel. */
export type Kind = {
  kind: ImportKind;
  /** Refuses a row whose natural key is that of another row; without it, both are kept. */
  taken?: { field: string; message: string };
  /** The contract's field of each value, where their names differ. */
  fields?: Readonly<Record<string, string>>;
  /** Whether the record here says what the row says, for values that are written in several ways. */
  same?: (field: string, here: Value, there: Value) => boolean;
  /** Rows of a transaction, where 500 take too long. */
  most?: number;
  /** Finds what the rows name, and checks them. In the order of the rows. */
  draft: (run: Run, rows: readonly SourceRow[]) => Promise<(Draft | RefusedRow)[]>;
  /** Records here that no import made, by natural keys: by place of the draft. */
  match: (run: Run, db: Scoped, drafts: readonly Draft[]) => Promise<Map<number, string>>;
  /** Values of records as they are, by id; locked for the transaction. Removed ones are left out. */
  current: (trx: Transaction, ids: readonly string[]) => Promise<Map<string, Values>>;
  /**
   * Before the transaction that inserts or updates these, for what takes long, such as storing bytes. A dry run has it
   * look at those that are known, and store nothing.
   * @throws Refusal storageFull, with which the run fails
   */
  prepare?: (run: Run, drafts: readonly Draft[]) => Promise<PreparedDrafts>;
  /** In the order of the drafts. Audited as `imported`. Sends no mail, text or notice. */
  insert: (run: Run, unit: Unit, drafts: readonly Draft[]) => Promise<string[]>;
  /** `values` holds the members that change. */
  update: (
    run: Run,
    unit: Unit,
    changes: readonly { id: string; values: Values; draft: Draft }[],
  ) => Promise<void>;
  /** Records that `remove` would let stay, where a dry run can see it. */
  reasonsToKeep?: (db: Scoped, ids: readonly string[]) => Promise<Map<string, Reason>>;
  /** Removes records that an import made, as if they had never come. @returns those that stay */
  remove: (run: Run, unit: Unit, ids: readonly string[]) => Promise<Map<string, Reason>>;
};

type MadeRecord = { key: string; id: string; name: string; names?: string[] };

/** Entry of a record that comes from no row of its own, but was made for rows that need it. */
export function madeRecord(
  { importId }: Run,
  { key, id, name, names = [] }: MadeRecord,
): NewRecord {
  return {
    external_id: key,
    id,
    name,
    names,
    row_hash: '',
    fields: {},
    import_id: importId,
    is_made: true,
  };
}

type Removal = {
  /** Why a record stays to which something refers. */
  reason: Reason;
  remove: (ids: readonly string[]) => Promise<void>;
};

/** Removes records in one statement, or each by itself where something refers to one of them. @returns those that stay */
export async function removeEach(
  { trx }: Unit,
  ids: readonly string[],
  { reason, remove }: Removal,
): Promise<Map<string, Reason>> {
  const left = new Map<string, Reason>();
  const isRemoved = (some: readonly string[]) =>
    runInSavepoint(trx, isForeignKeyViolation, () => remove(some));
  if (ids.length === 0 || (await isRemoved(ids))) return left;
  for (const id of ids) if (!(await isRemoved([id]))) left.set(id, reason);
  return left;
}
