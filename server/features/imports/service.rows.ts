// Rows of an import become records, in batches, each in a transaction that also says how far it came.

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ImportKind,
  importKinds,
  type ImportOutcome,
  type ImportProblem,
} from '@matterdesk/contract/imports.ts';
import { type ActorContext, write } from '../../context.ts';
import { fullName } from '../../core/actor.ts';
import { yieldToEventLoop } from '../../core/time-slices.ts';
import { nameKey } from '../../db/search.ts';
import { analyzeChanged } from '../../db/statistics.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { profileOf } from '../../integrations/exports/profiles.ts';
import { isBadRow, type SourceRow } from '../../integrations/exports/source.ts';
import { listEveryone } from '../accounts/service.imports.ts';
import { readFirm } from '../firm/service.ts';
import type { ImportRow } from './rules.ts';
import * as rules from './rules.ts';
import { contactKind, partyKind } from './service.contacts.ts';
import { documentKind, mailKind } from './service.documents.ts';
import { eventKind } from './service.events.ts';
import {
  type Draft,
  isRefused,
  type Kind,
  type References,
  type RefusedRow,
  type Run,
} from './service.kinds.ts';
import { matterKind } from './service.matters.ts';
import { callKind, noteKind } from './service.notes.ts';
import { peopleKind, PeopleOfWords } from './service.people.ts';
import { type KnownRecord, Records } from './service.references.ts';
import {
  type OpenedExport,
  openImport,
  type PlacedRow,
  rowsOf,
  WordCollector,
} from './service.sources.ts';
import { taskKind } from './service.tasks.ts';
import * as ids from './store.ids.ts';
import * as store from './store.ts';

/** Rows in a transaction. */
const BATCH = 500;
/** Bytes of documents and mails in a transaction. */
const MAX_BATCH_BYTES = 64 * 1024 * 1024;
/** A request counts as being served for this long, in milliseconds. */
const SERVING_MS = 5000;
/** Longest rest between batches, in milliseconds. */
const MAX_REST_MS = 1000;
/** Milliseconds between checks for tables that need new statistics. */
const ANALYZE_EVERY_MS = 5000;
const REMOVED = 'It was removed here, or you have no access to it any more';

export const kinds: Record<ImportKind, Kind> = {
  people: peopleKind,
  contacts: contactKind,
  matters: matterKind,
  parties: partyKind,
  notes: noteKind,
  calls: callKind,
  tasks: taskKind,
  events: eventKind,
  documents: documentKind,
  mails: mailKind,
};

/** The run was stopped. */
export class RunStopped extends Error {}

type RunState = {
  context: ActorContext;
  row: ImportRow;
  runId: string;
  run: Run;
  records: Records;
  words: WordCollector;
  people: PeopleOfWords;
  opened: OpenedExport;
  signal: AbortSignal;
  analyzedAt: number;
};

/** A row with all that is known of it. */
type Item = { draft: Draft; key: string; hash: string };
type Result = { outcome: ImportOutcome; problems: ImportProblem[] };

/** @throws Stopped, or the signal's reason */
export async function runRows(
  context: ActorContext,
  row: ImportRow,
  signal: AbortSignal,
): Promise<void> {
  const running = await prepare(context, row, signal);
  const isAfter = (kind: ImportKind) =>
    row.place === null || importKinds.indexOf(kind) >= importKinds.indexOf(row.place.kind);
  for (const kind of importKinds) if (isAfter(kind)) await runKind(running, kinds[kind]);
}

async function prepare(
  context: ActorContext,
  row: ImportRow,
  signal: AbortSignal,
): Promise<RunState> {
  const records = new Records(context, row.profile);
  const run = await runOf(context, row, records);
  const people = new PeopleOfWords(run, records, row.tables);
  const words = await WordCollector.of(context, row.tables, row);
  const opened = await openImport(context, row);
  const runId = row.run_id ?? '';
  const analyzedAt = Number.NEGATIVE_INFINITY;
  return { context, row, runId, run, records, words, people, opened, signal, analyzedAt };
}

/** A run as its kinds know it. */
export async function runOf(
  context: ActorContext,
  row: ImportRow,
  references: References = new Records(context, row.profile),
): Promise<Run> {
  const isDry = row.work === 'check';
  const { system } = profileOf(row.profile);
  const { timeZone } = await readFirm(context);
  const { status, type } = row.tables;
  return {
    context,
    importId: row.id,
    source: row.profile,
    system,
    isDry,
    tables: { status, type, people: {} },
    dates: row.dates,
    timeZone,
    references,
    now: new Date(),
  };
}

async function runKind(runState: RunState, kind: Kind): Promise<void> {
  const { context, row, opened } = runState;
  const { place } = row;
  const after =
    place?.kind === kind.kind && place.n !== undefined
      ? { n: place.n, row: place.row ?? 0 }
      : undefined;
  let batch: PlacedRow[] = [];
  let bytes = 0;
  for await (const each of rowsOf(context, { opened, row, kind: kind.kind }, after)) {
    batch.push(each);
    bytes += isBadRow(each.row) ? 0 : (each.row.bytes?.size ?? 0);
    if (batch.length < Math.min(BATCH, kind.most ?? BATCH) && bytes < MAX_BATCH_BYTES) continue;
    await runAndRest(runState, kind, batch);
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) await runAndRest(runState, kind, batch);
}

/** Rests half as long as the batch took while people are served, who share the processors with it. */
async function runAndRest(
  runState: RunState,
  kind: Kind,
  batch: readonly PlacedRow[],
): Promise<void> {
  const { context, signal } = runState;
  const begunAt = performance.now();
  await runBatch(runState, kind, batch);
  if (!runState.run.isDry && begunAt - runState.analyzedAt > ANALYZE_EVERY_MS) {
    await analyzeChanged(context.db).catch((error: unknown) =>
      context.log.warn({ err: error }, 'statistics'),
    );
    runState.analyzedAt = performance.now();
  }
  const took = performance.now() - begunAt;
  if (context.pace.quiet > SERVING_MS) await yieldToEventLoop();
  else await delay(Math.min(took / 2, MAX_REST_MS), undefined, { signal }).catch(() => undefined);
}

async function runBatch(
  runState: RunState,
  kind: Kind,
  batch: readonly PlacedRow[],
): Promise<void> {
  const { context, run, words, people, row, signal } = runState;
  signal.throwIfAborted();
  const rows = batch.flatMap((each) => (isBadRow(each.row) ? [] : [each.row]));
  const hasNewWords = rows.map((each) => words.add(kind.kind, each)).includes(true);
  await people.resolve(kind.kind, rows);
  const { drafts, release } = await prepareDrafts(runState, kind, await kind.draft(run, rows));
  const done = write(context, async (unit) => {
    const state = await store.lockRun(unit.trx, { id: row.id, runId: runState.runId });
    if (!state) throw new RunStopped();
    await ids.markImport(unit.trx);
    const results = await writeDrafts(runState, { kind, unit }, drafts);
    for (const { row: bad } of batch)
      if (isBadRow(bad)) results.push({ outcome: 'refused', problems: [problemOfBad(kind, bad)] });
    const problems = results.flatMap((result) => result.problems);
    const outcomes = results.map(({ outcome }) => outcome);
    const first = state.problem_count;
    await store.insertProblems(unit.trx, { importId: row.id, first }, problems);
    if (hasNewWords) await store.saveTables(unit.trx, row.id, row.tables);
    await store.saveProgress(unit.trx, row.id, {
      counts: rules.withOutcomes(state.counts, kind.kind, outcomes),
      problem_count: first + problems.length,
      place: placeOf(kind, batch),
    });
  });
  try {
    await done;
  } finally {
    await release();
  }
}

/** Does what takes long before the transaction, for rows that may be written; in a dry run, for those that are known. */
async function prepareDrafts(
  { context, run, records }: RunState,
  kind: Kind,
  drafts: readonly (Draft | RefusedRow)[],
): Promise<{ drafts: (Draft | RefusedRow)[]; release: () => Promise<void> }> {
  if (!kind.prepare) return { drafts: [...drafts], release: () => Promise.resolve() };
  const own = drafts.filter((draft): draft is Draft => !isRefused(draft));
  const keys = own.map((draft) => rules.keyOf(draft.key, draft.row));
  const known = await records.known(context.db, kind.kind, keys);
  const wanted = own.filter(({ row }, at) => {
    const before = known.get(keys[at] ?? '');
    return before?.rowHash !== rules.hashOfRow(row) && (!run.isDry || before?.fields);
  });
  const { refused: bad, release } = await kind.prepare(run, wanted);
  const byRow = new Map(bad.map((one) => [one.row, one]));
  return { drafts: drafts.map((draft) => byRow.get(draft.row) ?? draft), release };
}

function placeOf({ kind }: Kind, batch: readonly PlacedRow[]) {
  const last = batch.at(-1);
  return { kind, n: last?.n ?? 0, row: last?.row.row ?? 0 };
}

function problemOfBad(
  { kind }: Kind,
  {
    file,
    row,
    column,
    message,
  }: { file: string; row: number | null; column: string | null; message: string },
): ImportProblem {
  const outcome = 'refused' as const;
  return { file, row, column, message: rules.cutMessage(message), kind, outcome, item: null };
}

type KindWrite = { kind: Kind; unit: Unit };

/** Writes drafts whose keys differ together, and those that repeat a key after them. */
async function writeDrafts(
  runState: RunState,
  kindWrite: KindWrite,
  drafts: readonly (Draft | RefusedRow)[],
): Promise<Result[]> {
  const results = new Map<SourceRow, Result>();
  const rounds: Item[][] = [];
  const seen = new Map<string, number>();
  for (const draft of drafts) {
    if (isRefused(draft)) {
      results.set(draft.row, refused(runState, kindWrite.kind, draft));
      continue;
    }
    const key = rules.keyOf(draft.key, draft.row);
    const round = seen.get(key) ?? 0;
    seen.set(key, round + 1);
    (rounds[round] ??= []).push({ draft, key, hash: rules.hashOfRow(draft.row) });
  }
  for (const items of rounds) await writeItems(runState, kindWrite, { items, results });
  return drafts.flatMap(({ row }) => results.get(row) ?? []);
}

function refused(
  { row }: RunState,
  { kind }: Kind,
  { row: of, field, message }: RefusedRow,
): Result {
  const column = rules.columnOf(row.mapping, kind, field);
  const problem = { file: of.file, row: of.row, column, message: rules.cutMessage(message), kind };
  return { outcome: 'refused', problems: [{ ...problem, outcome: 'refused', item: null }] };
}

type Batch = { items: readonly Item[]; results: Map<SourceRow, Result> };

async function writeItems(
  runState: RunState,
  kindWrite: KindWrite,
  { items, results }: Batch,
): Promise<void> {
  const { kind, unit } = kindWrite;
  const keys = items.map(({ key }) => key);
  const known = await runState.records.known(unit.trx, kind.kind, keys);
  const fresh: Item[] = [];
  const changed: (Item & { known: KnownRecord })[] = [];
  for (const item of items) {
    const before = known.get(item.key);
    if (!before) fresh.push(item);
    else if (before.rowHash === item.hash) results.set(item.draft.row, SAME);
    else changed.push({ ...item, known: before });
  }
  const matched = await matchFresh(runState, kindWrite, { items: fresh, results });
  await writeChanges(runState, kindWrite, { changed: [...changed, ...matched.changed], results });
  await writeNew(runState, kindWrite, { items: matched.fresh, results });
}

const SAME: Result = { outcome: 'same', problems: [] };
type ChangedItem = Item & { known: KnownRecord; isMatch?: true };

/** Finds records here that no import made. */
async function matchFresh(
  runState: RunState,
  { kind, unit }: KindWrite,
  { items, results }: Batch,
): Promise<{ fresh: Item[]; changed: ChangedItem[] }> {
  if (items.length === 0) return { fresh: [], changed: [] };
  const drafts = items.map(({ draft }) => draft);
  const matches = await kind.match(runState.run, unit.trx, drafts);
  const of = { source: runState.row.profile, kind: kind.kind };
  const taken = await ids.findImported(unit.trx, of, [...new Set(matches.values())]);
  const fresh: Item[] = [];
  const changed: ChangedItem[] = [];
  for (const [at, item] of items.entries()) {
    const id = matches.get(at);
    if (id === undefined || (taken.has(id) && !kind.taken)) fresh.push(item);
    else if (taken.has(id) && kind.taken)
      results.set(item.draft.row, refused(runState, kind, { row: item.draft.row, ...kind.taken }));
    else {
      taken.add(id);
      changed.push({ ...item, known: { id, rowHash: '', fields: {} }, isMatch: true });
    }
  }
  return { fresh, changed };
}

async function writeChanges(
  runState: RunState,
  { kind, unit }: KindWrite,
  { changed, results }: { changed: readonly ChangedItem[]; results: Batch['results'] },
): Promise<void> {
  if (changed.length === 0) return;
  const own = changed.filter(({ known }) => known.fields !== null);
  const records = await kind.current(
    unit.trx,
    own.map(({ known }) => known.id),
  );
  const compared = changed.map((item) => {
    const current = records.get(item.known.id);
    const { fields: importedHashes } = item.known;
    const { values: imported } = item.draft;
    const { same } = kind;
    return {
      item,
      found:
        current && rules.compare({ imported, current, importedHashes: importedHashes ?? {}, same }),
    };
  });
  const updates = compared.flatMap(({ item, found }) =>
    found && Object.keys(found.values).length > 0
      ? [{ id: item.known.id, values: found.values, draft: item.draft }]
      : [],
  );
  if (updates.length > 0 && !runState.run.isDry) await kind.update(runState.run, unit, updates);
  const hasConflicts = compared.some(({ found }) => found && found.conflicts.length > 0);
  const names = hasConflicts ? await readNames(runState.context) : new Map<string, string>();
  for (const { item, found } of compared)
    results.set(item.draft.row, resultOf(runState, kind, { item, found, names }));
  await keepChanges(runState, { kind, unit }, compared);
}

/** Names of all users, by their ids. */
async function readNames(context: ActorContext): Promise<Map<string, string>> {
  const everyone = await listEveryone(context);
  return new Map(everyone.map((user) => [user.id, fullName(user).trim()]));
}

type ComparedItem = { item: ChangedItem; found: rules.Comparison | undefined };

function resultOf(
  { row }: RunState,
  { kind, fields = {} }: Kind,
  { item, found, names }: ComparedItem & { names: ReadonlyMap<string, string> },
): Result {
  const { draft, known } = item;
  // Added by this dry run, which keeps no values.
  const isSame = Object.keys(draft.values).length === 0;
  if (known.fields === null) return { outcome: isSame ? 'same' : 'changed', problems: [] };
  const about = { file: draft.row.file, row: draft.row.row, kind };
  const toProblem = (column: string | null, message: string): ImportProblem => ({
    ...about,
    column,
    message,
    outcome: 'conflicting',
    item: { id: known.id, name: draft.name },
  });
  if (!found) return { outcome: 'conflicting', problems: [toProblem(null, REMOVED)] };
  if (found.conflicts.length > 0) {
    const problems = found.conflicts.map((conflict) =>
      toProblem(
        rules.columnOf(row.mapping, kind, fields[conflict.field] ?? conflict.field),
        rules.conflictMessage(conflict, names),
      ),
    );
    return { outcome: 'conflicting', problems };
  }
  const outcome = Object.keys(found.values).length > 0 ? 'changed' : 'same';
  return { outcome, problems: [] };
}

/** Keeps what was written; a record that conflicts is compared again by the next run. */
async function keepChanges(
  { run, row, records }: RunState,
  { kind, unit }: KindWrite,
  compared: readonly ComparedItem[],
): Promise<void> {
  const kept = compared.flatMap(({ item, found }) =>
    found && item.known.fields !== null
      ? [
          {
            isMatch: item.isMatch === true,
            external_id: item.key,
            id: item.known.id,
            name: nameOf(item.draft),
            names: namesOf(item.draft),
            row_hash: found.conflicts.length > 0 ? '' : item.hash,
            fields: found.fields,
          },
        ]
      : [],
  );
  if (run.isDry)
    for (const { isMatch, external_id: key, id, names, row_hash: rowHash } of kept)
      if (isMatch) records.remember(kind.kind, key, { id, rowHash, names });
  if (run.isDry) return;
  const of = { source: row.profile, kind: kind.kind };
  const [matched, known] = [true, false].map((isMatch) =>
    kept.filter((one) => one.isMatch === isMatch).map(({ isMatch: _isMatch, ...one }) => one),
  );
  await ids.insertRecords(
    unit.trx,
    of,
    (matched ?? []).map((one) => ({ ...one, import_id: row.id, is_made: false })),
  );
  await ids.updateRecords(unit.trx, of, known ?? []);
}

async function writeNew(
  { run, row, records }: RunState,
  { kind, unit }: KindWrite,
  { items, results }: Batch,
): Promise<void> {
  if (items.length === 0) return;
  const drafts = items.map(({ draft }) => draft);
  const made = run.isDry ? drafts.map(() => randomUUID()) : await kind.insert(run, unit, drafts);
  const added = items.map(({ draft, key, hash }, at) => ({
    external_id: key,
    id: made[at] ?? '',
    name: nameOf(draft),
    names: namesOf(draft),
    row_hash: hash,
    fields: rules.hashesOf(draft.values),
    import_id: row.id,
    is_made: true,
  }));
  for (const { draft } of items) results.set(draft.row, { outcome: 'new', problems: [] });
  if (run.isDry)
    for (const { external_id: key, id, names, row_hash: rowHash } of added)
      records.remember(kind.kind, key, { id, rowHash, names });
  else await ids.insertRecords(unit.trx, { source: row.profile, kind: kind.kind }, added);
}

const MAX_NAME_LENGTH = 200;

function nameOf({ name }: Draft): string {
  return name.slice(0, MAX_NAME_LENGTH);
}

function namesOf({ name, aliases }: Draft): string[] {
  if (aliases === undefined) return [];
  const keys = [name, ...aliases].map(nameKey).filter((key) => key !== '');
  return [...new Set(keys)];
}
