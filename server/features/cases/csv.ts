import { NewCaseSchema } from '@matterdesk/contract/cases.ts';
import type { Case, ImportReport, NewCase } from '@matterdesk/contract/cases.ts';
import type { FieldError } from '@matterdesk/contract/errors.ts';
import type { Database } from '../../db/schema.ts';
import { fold } from '../../db/search.ts';
import type { Unit, Writer } from '../../db/unit-of-work.ts';
import { allow, type Actor } from '../../http/actor.ts';
import type { CsvUpload, NumberedRow } from '../../http/csv.ts';
import { findFieldErrors } from '../../http/validate.ts';
import type { AccountService } from '../accounts/service.ts';
import * as rules from './rules.ts';
import { about, CASE_NUMBER_TAKEN, caseNumberTaken, type CaseService } from './service.ts';
import * as store from './store.ts';

/** Rows that are checked or written between two breaths of the event loop. */
const BATCH = 200;

/** The columns of an import and an export, in order; nested ones dotted. */
const csvColumns = [
  ...['caseName', 'caseNo', 'statusType', 'status', 'type', 'judge', 'dateOfOpening'],
  ...['managingAttorney', 'DOI', 'SOL', 'daysOpen', 'assignedUsers'],
  ...['clientInfo.name', 'clientInfo.phoneNumber', 'clientInfo.email', 'clientInfo.address'],
  ...['opposingCounselInfo.organization', 'opposingCounselInfo.name'],
  ...['opposingCounselInfo.phoneNumber', 'opposingCounselInfo.email'],
  'opposingCounselInfo.address',
];

const byHeader = new Map(csvColumns.map((column) => [headerKey(column), column]));

/** Headers are known whatever their case and blanks. */
function headerKey(header: string) {
  return header.toLowerCase().replaceAll(/[^a-z.]/g, '');
}

/** One row of a CSV as the body of POST /cases would be; people stay e-mail addresses. */
function fromCsv(row: Record<string, string>): { input: object; assigned: string[] } {
  const input: Record<string, unknown> = { clientInfo: {}, opposingCounselInfo: {} };
  for (const [column, cell] of Object.entries(row)) {
    const value = unguard(cell);
    const [name = '', member] = column.split('.');
    if (member) (input[name] as Record<string, unknown>)[member] = value;
    else if (name === 'daysOpen' && /^\s*\d+\s*$/.test(value)) input[name] = Number(value);
    else if (name !== 'assignedUsers') input[name] = value;
  }
  const assigned = (row['assignedUsers'] ?? '').split(/[;,]/).map((text) => text.trim());
  return { input, assigned: assigned.filter(Boolean) };
}

/** Exports defuse what a spreadsheet would run by an apostrophe; coming back it goes. */
function unguard(cell: string) {
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}

/** A case as the cells of `csvColumns`; `emails` are those of the people assigned. */
function toCsv(row: Case, emails: string[]): string[] {
  const { clientInfo: client, opposingCounselInfo: counsel } = row;
  return [
    ...[row.caseName, row.caseNo, row.statusType, row.status, row.type, row.judge],
    ...[row.dateOfOpening, row.managingAttorney, row.DOI, row.SOL, String(row.daysOpen)],
    emails.join('; '),
    ...[client.name, client.phoneNumber, client.email, client.address],
    ...[counsel.organization, counsel.name, counsel.phoneNumber, counsel.email, counsel.address],
  ];
}

/** What an upload of cases may hold, and which columns it must have. */
export const csvUpload: CsvUpload = {
  bytes: 20 * 1024 * 1024,
  rows: 20_000,
  columnOf: (header) => byHeader.get(headerKey(header)),
  required: csvColumns.filter((column) => column !== 'assignedUsers'),
};

type Parts = { db: Database; writer: Writer; accounts: AccountService; cases: CaseService };

/** Cases out to CSV, and in from it. */
export class CaseExchange {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The list as rows of cells, the header first. */
  async *exportCases(actor: Actor, filter: store.CaseFilter): AsyncGenerator<string[]> {
    allow(actor, 'createCases');
    yield csvColumns;
    const now = new Date();
    for await (const rows of this.#parts.cases.streamCases(actor, filter))
      for (const row of rows) {
        const emails = row.assigned.map((person) => person.email);
        yield toCsv(store.toCase(row, now), emails);
      }
  }

  /** Opens a case for each row, or none when one is wrong. */
  async importCases(actor: Actor, rows: NumberedRow[], isDryRun: boolean): Promise<ImportReport> {
    allow(actor, 'createCases');
    const { inputs, errors } = await this.#checkRows(rows);
    const report = { rows: rows.length, created: 0, errors };
    if (errors.length > 0 || isDryRun) return report;
    await this.#parts.writer.run(actor, async (unit) => {
      for (const batch of inBatches(inputs)) await insertBatch(unit, batch);
    });
    return { ...report, created: inputs.length };
  }

  async #checkRows(rows: NumberedRow[]) {
    const inputs: NewCase[] = [];
    const errors: ImportReport['errors'] = [];
    const seen = new Set<string>();
    for (const batch of inBatches(rows)) {
      for (const { row, input, wrong } of await this.#checkBatch(batch, seen)) {
        errors.push(...wrong.map((error) => ({ ...error, row })));
        if (input) inputs.push(input);
      }
    }
    return { inputs, errors };
  }

  async #checkBatch(batch: NumberedRow[], seen: Set<string>): Promise<CheckedRow[]> {
    const { db, accounts } = this.#parts;
    const read = batch.map(({ row, cells }) => ({ row, ...fromCsv(cells) }));
    const people = await accounts.findAssignableByEmail(read.flatMap((one) => one.assigned));
    const checked = read.map((one) => checkRow(one, people));
    const numbers = checked.flatMap(({ input }) => (input ? [input.caseNo] : []));
    const taken = await store.takenCaseNumbers(db, numbers);
    return checked.map((one) => refuseTaken(one, taken, seen));
  }
}

type ReadRow = { row: number; input: object; assigned: string[] };
type CheckedRow = { row: number; input: NewCase | undefined; wrong: FieldError[] };

function checkRow({ row, input, assigned }: ReadRow, people: Map<string, string>): CheckedRow {
  const ids = assigned.map((email) => people.get(fold(email)));
  const strangers = assigned.filter((_, index) => ids[index] === undefined);
  const parsed = NewCaseSchema.safeParse({ ...input, assignedUsers: [...new Set(ids)] });
  const wrong = strangers.map((email) => ({
    path: 'assignedUsers',
    message: `Nobody active has the address ${email.slice(0, 100)}`,
  }));
  if (parsed.success && wrong.length === 0) return { row, input: parsed.data, wrong };
  const fields = parsed.success ? [] : findFieldErrors(parsed.error);
  const others = fields.filter(({ path }) => !path.startsWith('assignedUsers'));
  return { row, input: undefined, wrong: [...others, ...wrong] };
}

/** A case number may stand once, in the database and in the file. */
function refuseTaken(one: CheckedRow, taken: Set<string>, seen: Set<string>): CheckedRow {
  if (!one.input) return one;
  const key = fold(one.input.caseNo);
  if (taken.has(key) || seen.has(key))
    return { ...one, input: undefined, wrong: [CASE_NUMBER_TAKEN] };
  seen.add(key);
  return one;
}

async function insertBatch(unit: Unit, inputs: NewCase[]): Promise<void> {
  const now = new Date();
  const ids = await store.insertCases(
    unit.trx,
    inputs.map((input) => rules.toRow(input, now)),
  );
  if (ids.length < inputs.length) throw caseNumberTaken();
  const assignments = ids.map((caseId, index) => ({
    caseId,
    userIds: inputs[index]?.assignedUsers ?? [],
  }));
  await store.insertAssignments(unit.trx, assignments);
  const opened = (await store.findCases(unit.trx, ids)).map((row) => store.toCase(row, now));
  await unit.recordAll(opened.map((one) => ({ ...about(one), action: 'imported', after: one })));
  for (const one of opened) unit.tell('case.created', one);
}

function* inBatches<T>(items: T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH);
}
