// CSV export and import of cases.

import * as z from 'zod/mini';
import {
  caseColumns,
  columnOfHeader,
  type DateForm,
  dateForms,
  type Case,
  caseRoutes,
  type ImportReport,
  type NewCase,
} from '@matterdesk/contract/cases.ts';
import { type ActorContext, type Context, write } from '../../context.ts';
import { allow } from '../../core/actor.ts';
import { invalidField } from '../../core/refusal.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { CsvUpload, NumberedRow, ReadCsv } from '../../http/csv.ts';
import { findAssignableByEmail, requireAssignable } from '../accounts/service.ts';
import { namesOfCase, saveNames } from '../conflicts/names/service.ts';
import { openAllCaseParties } from '../contacts/service.parties.ts';
import { importLimitations } from '../deadlines/service.limitations.ts';
import { requireStorageSpace } from '../storage/service.ts';
import * as rules from './rules.ts';
import { about, caseNumberTaken, streamCases } from './service.ts';
import * as store from './store.ts';

/** Rows processed before yielding to the event loop. */
const BATCH = 200;
/** Errors per report: after fixing these, people import again. */
const MOST_ERRORS = 1000;

export const EXPORT_COLUMNS = [...caseColumns];

/** Options of reading a file; without a mapping its headers are recognized, without a form its dates. */
type Reading = { mapping?: Record<string, string>; dates?: DateForm };

const MappingSchema = z.record(z.string(), z.string());
const DAYS = ['dateOfOpening', 'DOI', 'SOL'];
const NUMBERS = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\s*$/;

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
  file: ReadCsv,
  isDryRun: boolean,
): Promise<ImportReport> {
  allow(context.actor, 'createCases');
  const { headers, mapping } = file;
  const { dates = findDateForm(file.rows) } = readFields(file.fields);
  const rows = file.rows.map((row) => withDays(row, dates));
  const { inputs, errors } = await checkRows(context, rows);
  const report = { rows: rows.length, created: 0, errors, headers, mapping, dates };
  if (errors.length > 0 || isDryRun) return report;
  await write(context, async (unit) => {
    const ids = [...new Set(inputs.flatMap((input) => input.assignedUsers))];
    const assignees = { ids, path: 'assignedUsers' };
    await requireAssignable(unit.trx, assignees);
    for (const batch of inBatches(inputs)) {
      const opened = await insertBatch(unit, batch);
      const limited = opened.flatMap(({ SOL, ...one }) => (SOL === null ? [] : [{ ...one, SOL }]));
      await importLimitations(context, unit, limited);
      await openAllCaseParties(unit, opened);
    }
  });
  return { ...report, created: inputs.length };
}

async function checkRows(context: Context, rows: NumberedRow[]) {
  const inputs: NewCase[] = [];
  const errors: ImportReport['errors'] = [];
  const seen = new Set<string>();
  for (const batch of inBatches(rows)) {
    for (const { row, input, wrong } of await checkBatch(context, batch, seen)) {
      errors.push(...wrong.map((error) => ({ ...error, row })));
      if (input) inputs.push(input);
    }
    if (errors.length >= MOST_ERRORS) break;
  }
  return { inputs, errors: errors.slice(0, MOST_ERRORS) };
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

async function insertBatch(unit: Unit, inputs: NewCase[]): Promise<Case[]> {
  const now = new Date();
  const ids = await store.insertCases(
    unit.trx,
    inputs.map((input) => ({ ...rules.toRow(input, now), people: input.assignedUsers })),
  );
  if (ids.length < inputs.length) throw caseNumberTaken();
  const assignments = ids.map((caseId, index) => ({
    caseId,
    userIds: inputs[index]?.assignedUsers ?? [],
  }));
  await store.insertAssignments(unit.trx, assignments);
  const opened = (await store.findCases(unit.trx, ids)).map((row) => store.toCase(row, now));
  await saveNames(unit.trx, opened.flatMap(namesOfCase));
  await unit.recordAll(opened.map((one) => ({ ...about(one), action: 'imported', after: one })));
  for (const one of opened) unit.emit('case.created', one);
  return opened;
}

function* inBatches<T>(items: T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH);
}

/** @throws Refusal invalidInput */
function readFields({ mapping, dates }: Record<string, string>): Reading {
  const form = dateForms.find((one) => one === dates);
  if (dates !== undefined && !form)
    throw invalidField('dates', `Dates must be one of ${dateForms.join(', ')}`);
  return {
    ...(mapping !== undefined && { mapping: readMapping(mapping) }),
    ...(form && { dates: form }),
  };
}

function readMapping(text: string): Record<string, string> {
  const parsed = MappingSchema.safeParse(parse(text));
  if (!parsed.success) throw invalidField('mapping', 'Mapping must be an object of headers');
  const unknown = Object.keys(parsed.data).find((column) => !caseColumns.includes(column));
  if (unknown !== undefined) throw invalidField('mapping', 'Mapping has an unknown field');
  return parsed.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The form of a file's dates: by a day that can be no month, else as in the US. */
function findDateForm(rows: readonly NumberedRow[]): DateForm {
  const firsts = rows.flatMap(({ cells }) =>
    DAYS.flatMap((column) => NUMBERS.exec(cells[column] ?? '')?.[1] ?? []).map(Number),
  );
  if (firsts.length === 0) return 'ymd';
  return firsts.some((first) => first > 12) ? 'dmy' : 'mdy';
}

/** The same row with its dates as 2026-03-02; other cells stay, and are refused later. */
function withDays(row: NumberedRow, form: DateForm): NumberedRow {
  if (form === 'ymd') return row;
  const cells = { ...row.cells };
  for (const column of DAYS) {
    const [, first = '', second = '', year] = NUMBERS.exec(cells[column] ?? '') ?? [];
    if (year === undefined) continue;
    const [month, day] = form === 'mdy' ? [first, second] : [second, first];
    cells[column] = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  }
  return { ...row, cells };
}
