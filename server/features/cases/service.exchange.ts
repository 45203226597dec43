import { caseColumns } from '@matterdesk/contract/case-import.ts';
import type { Case, ImportReport, NewCase } from '@matterdesk/contract/cases.ts';
import { allow, type Actor } from '../../core/actor.ts';
import type { Database } from '../../db/schema.ts';
import type { Unit, Writer } from '../../db/unit-of-work.ts';
import type { NumberedRow, ReadCsv } from '../../http/csv.ts';
import type { AccountService } from '../accounts/service.ts';
import { namesOfCase, saveNames } from '../conflicts/names/service.ts';
import type { EmbeddingService } from '../contacts/service.embedding.ts';
import type { LimitationService } from '../deadlines/limitations/service.ts';
import type { StorageService } from '../storage/service.ts';
import { csvUpload, findDateForm, readFields, withDays } from './rules.import.ts';
import * as rules from './rules.ts';
import { about, type CaseService, caseNumberTaken } from './service.ts';
import { insertAssignments } from './store.assignments.ts';
import * as store from './store.ts';

type Parts = {
  db: Database;
  writer: Writer;
  accounts: AccountService;
  cases: CaseService;
  limitations: LimitationService;
  embedding: EmbeddingService;
  storage: StorageService;
};

/** Rows processed before yielding to the event loop. */
const BATCH = 200;
/** Errors per report: after fixing these, people import again. */
const MOST_ERRORS = 1000;

/** CSV export and import of cases. */
export class CaseExchange {
  readonly upload = csvUpload;
  readonly columns = [...caseColumns];
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The list as rows of cells. */
  async *exportCases(actor: Actor, filter: store.CaseFilter): AsyncGenerator<string[]> {
    allow(actor, 'createCases');
    const now = new Date();
    for await (const rows of this.#parts.cases.streamCases(actor, filter))
      for (const row of rows) {
        const emails = row.assigned.map((person) => person.email);
        yield rules.toCsv(store.toCase(row, now), emails);
      }
  }

  /** @param length of the upload, if its request declares one @throws Refusal storageFull */
  requireRoom(length = 0): Promise<void> {
    return this.#parts.storage.requireRoom(length);
  }

  /** Opens a case for each row, or none if any row is invalid. */
  async importCases(actor: Actor, file: ReadCsv, isDryRun: boolean): Promise<ImportReport> {
    allow(actor, 'createCases');
    const { headers, mapping } = file;
    const { dates = findDateForm(file.rows) } = readFields(file.fields);
    const rows = file.rows.map((row) => withDays(row, dates));
    const { inputs, errors } = await this.#checkRows(rows);
    const report = { rows: rows.length, created: 0, errors, headers, mapping, dates };
    if (errors.length > 0 || isDryRun) return report;
    await this.#parts.writer.run(actor, async (unit) => {
      const ids = [...new Set(inputs.flatMap((input) => input.assignedUsers))];
      const assignees = { ids, path: 'assignedUsers' };
      await this.#parts.accounts.requireAssignable(unit.trx, assignees);
      for (const batch of inBatches(inputs)) {
        const opened = await insertBatch(unit, batch);
        await this.#parts.limitations.importAll(unit, opened);
        await this.#parts.embedding.openAll(unit, opened);
      }
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
      if (errors.length >= MOST_ERRORS) break;
    }
    return { inputs, errors: errors.slice(0, MOST_ERRORS) };
  }

  async #checkBatch(batch: NumberedRow[], seen: Set<string>): Promise<rules.CheckedRow[]> {
    const { accounts } = this.#parts;
    const db = this.#parts.db.asSystem('case numbers are unique among all matters');
    const read = batch.map(({ row, cells }) => ({ row, ...rules.fromCsv(cells) }));
    const people = await accounts.findAssignableByEmail(read.flatMap((one) => one.assigned));
    const numbers = read.map((one) => one.caseNo);
    const taken = await store.takenCaseNumbers(db, numbers);
    return read.map((one) => rules.checkRow(one, { people, taken, seen }));
  }
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
