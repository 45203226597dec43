// CSV export and import of cases.

import { caseColumns } from '@matterdesk/contract/case-import.ts';
import type { Case, ImportReport, NewCase } from '@matterdesk/contract/cases.ts';
import { type ActorContext, type Context, write } from '../../context.ts';
import { allow } from '../../core/actor.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { NumberedRow, ReadCsv } from '../../http/csv.ts';
import { findAssignableByEmail, requireAssignable } from '../accounts/service.ts';
import { namesOfCase, saveNames } from '../conflicts/names/service.ts';
import { openAllCaseParties } from '../contacts/service.embedding.ts';
import { importLimitations } from '../deadlines/limitations/service.ts';
import { requireStorageSpace } from '../storage/service.ts';
import { csvUpload, findDateForm, readFields, withDays } from './rules.import.ts';
import * as rules from './rules.ts';
import { about, caseNumberTaken, streamCases } from './service.ts';
import { insertAssignments } from './store.assignments.ts';
import * as store from './store.ts';

/** Rows processed before yielding to the event loop. */
const BATCH = 200;
/** Errors per report: after fixing these, people import again. */
const MOST_ERRORS = 1000;

export { csvUpload };
export const EXPORT_COLUMNS = [...caseColumns];

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
      await importLimitations(context, unit, opened);
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
  await insertAssignments(unit.trx, assignments);
  const opened = (await store.findCases(unit.trx, ids)).map((row) => store.toCase(row, now));
  await saveNames(unit.trx, opened.flatMap(namesOfCase));
  await unit.recordAll(opened.map((one) => ({ ...about(one), action: 'imported', after: one })));
  for (const one of opened) unit.emit('case.created', one);
  return opened;
}

function* inBatches<T>(items: T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH);
}
