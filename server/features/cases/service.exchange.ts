// CSV export and import of cases.

import * as z from 'zod/mini';
import {
  caseColumns,
  columnOfHeader,
  type DateForm,
  dateForms,
  caseRoutes,
  type ImportReport,
  type NewCase,
} from '@matterdesk/contract/cases.ts';
import { type ActorContext, type Context, write } from '../../context.ts';
import { allow } from '../../core/actor.ts';
import { parseJson } from '../../core/json.ts';
import { PackedList } from '../../core/packed.ts';
import { invalidField } from '../../core/refusal.ts';
import { TimeSlices } from '../../core/time-slices.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { CsvUpload, NumberedRow, CsvTable } from '../../http/csv.ts';
import { type Assignable, findAssignableByEmail, requireAssignable } from '../accounts/service.ts';
import { addNames, namesOfCase } from '../conflicts/names/service.ts';
import { openAllCaseParties } from '../contacts/service.parties.ts';
import { importLimitations } from '../deadlines/service.limitations.ts';
import { requireStorageSpace } from '../storage/service.ts';
import * as rules from './rules.ts';
import { about, caseNumberTaken, streamCases } from './service.ts';
import * as store from './store.ts';

/** Rows processed before yielding to the event loop. */
const BATCH = 200;
/** Errors per report: after fixing these, people import again. */
const MAX_ERRORS = 1000;

export const EXPORT_COLUMNS = [...caseColumns];

/** Options of reading a file; without a mapping its headers are recognized, without a form its dates. */
type ReadOptions = { mapping?: Record<string, string>; dates?: DateForm };

const MappingSchema = z.record(z.string(), z.string());
const DATE_FIELDS = ['dateOfOpening', 'DOI', 'SOL'];
const NUMERIC_DATE = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\s*$/;

/** Limits and required columns of an import, and the text fields that come before the file. */
export const csvUpload: CsvUpload = {
  bytes: caseRoutes.importCases.fileBytes,
  rows: 20_000,
  fields: ['mapping', 'dates'],
  columnsOf(headers, fields) {
    const { mapping } = readFields(fields);
    if (!mapping) return headers.map(columnOfHeader);
    const missing = Object.values(mapping).find((header) => !headers.includes(header));
    if (missing !== undefined) throw invalidField('mapping', 'The file has no such header');
    const columns = Object.entries(mapping);
    return headers.map((header) => columns.find(([, mapped]) => mapped === header)?.[0] ?? null);
  },
  required: caseColumns.filter((column) => column !== 'assignedUsers'),
};

/** The list as rows of cells. */
export async function* exportCases(
  context: ActorContext,
  filter: store.CaseFilter,
): AsyncGenerator<string[]> {
  allow(context.actor, 'createCases');
  const now = new Date();
  for await (const rows of streamCases(context, filter))
    for (const row of rows) {
      const emails = row.assigned.map((person) => person.email);
      yield rules.toCsv(store.toCase(row, now), emails);
    }
}

/** @param length of the upload, if its request declares one @throws Refusal storageFull */
export function requireImportSpace(context: Context, length = 0): Promise<void> {
  return requireStorageSpace(context, length);
}

/** Opens a case for each row, or none if any row is invalid. */
export async function importCases(
  context: ActorContext,
  file: CsvTable,
  isDryRun: boolean,
): Promise<ImportReport> {
  allow(context.actor, 'createCases');
  const { headers, mapping, rows } = file;
  const { dates = await findDateForm(rows) } = readFields(file.fields);
  const count = rows.length;
  const { inputs, errors } = await checkRows(context, rows, dates);
  const report = { rows: count, created: 0, errors, headers, mapping, dates };
  if (errors.length > 0 || isDryRun) return report;
  await write(context, (unit) => insertAll(context, unit, inputs));
  return { ...report, created: count };
}

/** Checks the rows, and takes them from their list. */
async function checkRows(context: Context, rows: PackedList<NumberedRow>, dates: DateForm) {
  const inputs = new PackedList<NewCase>();
  const errors: ImportReport['errors'] = [];
  const seen = new Set<string>();
  while (rows.length > 0 && errors.length < MAX_ERRORS) {
    const batch = rows.take(BATCH).map((row) => withDays(row, dates));
    const checked = await checkBatch(context, batch, seen);
    for (const { row, wrong } of checked) errors.push(...wrong.map((error) => ({ ...error, row })));
    inputs.push(checked.flatMap(({ input }) => input ?? []));
  }
  return { inputs, errors: errors.slice(0, MAX_ERRORS) };
}

async function checkBatch(
  context: Context,
  batch: NumberedRow[],
  seen: Set<string>,
): Promise<rules.CheckedRow[]> {
  const db = context.db.asSystem('case numbers are unique among all matters');
  const read = batch.map(({ row, cells }) => ({ row, ...rules.fromCsv(cells) }));
  const people = await findAssignableByEmail(
    context,
    read.flatMap((one) => one.assigned),
  );
  const numbers = read.map((one) => one.caseNo);
  const taken = await store.takenCaseNumbers(db, numbers);
  return read.map((one) => rules.checkRow(one, { people, taken, seen }));
}

type PreparedImport = { inputs: PackedList<NewCase>; people: Map<string, Assignable>; now: Date };

async function insertAll(
  context: ActorContext,
  unit: Unit,
  inputs: PackedList<NewCase>,
): Promise<void> {
  const importing = { inputs, people: await lockAssignees(unit, inputs), now: new Date() };
  const filled = await insertBatches(context, unit, importing);
  unit.emitEach(
    'case.created',
    filled.map(({ id }) => id),
    (start, end) => {
      const added = addedOf(importing, start, end);
      return filled.slice(start, end).flatMap((one, index) => {
        const given = added[index];
        return given ? [store.toCase(store.toNewRow(given, one), importing.now)] : [];
      });
    },
  );
  const matterAt = (place: number) => ({
    ...inputs.at(place),
    id: filled[place]?.id ?? '',
  });
  await openAllCaseParties(unit, { length: filled.length, matterAt });
}

/** Locks the users to assign as active until the transaction ends. */
async function lockAssignees(
  unit: Unit,
  inputs: PackedList<NewCase>,
): Promise<Map<string, Assignable>> {
  const ids = new Set<string>();
  for await (const batch of inTurns(inputs))
    for (const { assignedUsers } of batch) for (const id of assignedUsers) ids.add(id);
  const users = await requireAssignable(unit.trx, { ids: [...ids], path: 'assignedUsers' });
  return new Map(users.map((user) => [user.id, user]));
}

function addedOf({ inputs, people, now }: PreparedImport, start: number, end: number) {
  return inputs.slice(start, end).map((input) => ({
    row: rules.toRow(input, now),
    assigned: input.assignedUsers.flatMap((id) => people.get(id) ?? []),
  }));
}

/** Prepares each batch while the database takes the one before. */
async function insertBatches(
  context: ActorContext,
  unit: Unit,
  prepared: PreparedImport,
): Promise<store.FilledIn[]> {
  const filled: store.FilledIn[] = [];
  let before: Promise<store.FilledIn[]> = Promise.resolve([]);
  for (let start = 0; start < prepared.inputs.length; start += BATCH) {
    const batch = insertBatch(context, unit, { ...prepared, start });
    const settled = batch.catch(() => undefined);
    try {
      filled.push(...(await before));
    } catch (error) {
      // Nothing may be sent once the transaction has been rolled back.
      await settled;
      throw error;
    }
    before = batch;
  }
  filled.push(...(await before));
  return filled;
}

async function insertBatch(
  context: ActorContext,
  unit: Unit,
  { start, ...importing }: PreparedImport & { start: number },
): Promise<store.FilledIn[]> {
  const added = addedOf(importing, start, start + BATCH);
  const filled = await store.insertCases(unit.trx, added);
  if (filled.length < added.length) throw caseNumberTaken();
  const opened = added.flatMap((one, index) => {
    const given = filled[index];
    return given ? [store.toCase(store.toNewRow(one, given), importing.now)] : [];
  });
  await addNames(unit.trx, opened.flatMap(namesOfCase));
  await unit.recordAll(opened.map((one) => ({ ...about(one), action: 'imported', after: one })));
  const limited = opened.flatMap(({ SOL, ...one }) => (SOL === null ? [] : [{ ...one, SOL }]));
  await importLimitations(context, unit, limited);
  return filled;
}

/** @throws Refusal invalidInput */
function readFields({ mapping, dates }: Record<string, string>): ReadOptions {
  const form = dateForms.find((one) => one === dates);
  if (dates !== undefined && !form)
    throw invalidField('dates', `Dates must be one of ${dateForms.join(', ')}`);
  return {
    ...(mapping !== undefined && { mapping: readMapping(mapping) }),
    ...(form && { dates: form }),
  };
}

function readMapping(text: string): Record<string, string> {
  const parsed = MappingSchema.safeParse(parseJson(text));
  if (!parsed.success) throw invalidField('mapping', 'Mapping must be an object of headers');
  const unknown = Object.keys(parsed.data).find((column) => !caseColumns.includes(column));
  if (unknown !== undefined) throw invalidField('mapping', 'Mapping has an unknown field');
  return parsed.data;
}

/** The form of a file's dates: by a day that can be no month, else as in the US. */
async function findDateForm(rows: PackedList<NumberedRow>): Promise<DateForm> {
  let form: DateForm = 'ymd';
  for await (const batch of inTurns(rows))
    for (const { cells } of batch)
      for (const column of DATE_FIELDS) {
        const first = NUMERIC_DATE.exec(cells[column] ?? '')?.[1];
        if (first === undefined) continue;
        if (Number(first) > 12) return 'dmy';
        form = 'mdy';
      }
  return form;
}

/** Batches between which the event loop runs. */
async function* inTurns<Item>(items: PackedList<Item>): AsyncGenerator<Item[]> {
  const slices = new TimeSlices();
  for (let start = 0; start < items.length; start += BATCH) {
    if (slices.isOver) await slices.next();
    yield items.slice(start, start + BATCH);
  }
}

/** The same row with its dates as 2026-03-02; other cells stay, and are refused later. */
function withDays(row: NumberedRow, form: DateForm): NumberedRow {
  if (form === 'ymd') return row;
  const cells = { ...row.cells };
  for (const column of DATE_FIELDS) {
    const [, first = '', second = '', year] = NUMERIC_DATE.exec(cells[column] ?? '') ?? [];
    if (year === undefined) continue;
    const [month, day] = form === 'mdy' ? [first, second] : [second, first];
    cells[column] = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  }
  return { ...row, cells };
}
