// Names by which conflict checks find people, and the dictionary of their words.

import type { Context } from '../../../context.ts';
import { NIL_ID } from '../../../core/ids.ts';
import { inBatches, TimeSlices } from '../../../core/time-slices.ts';
import {
  insertNames,
  countNewWords,
  markCounted,
  recountWords,
  replaceNames,
} from '../../../db/names.ts';
import type { Transaction } from '../../../db/schema.ts';
import type { JobRun } from '../../../jobs/queue.ts';
import {
  toRows,
  type SourceNames,
  namesOfCase,
  namesOfContact,
  namesOfFile,
  namesOfIntake,
  namesOfNumber,
  namesOfSource,
  namesOfUser,
} from './rules.ts';
import * as store from './store.ts';

export {
  namesOfAddress,
  namesOfCase,
  namesOfContact,
  namesOfFile,
  namesOfIntake,
  namesOfSource,
  namesOfUser,
} from './rules.ts';

/** Sources per statement and per transaction; more would be a statement of megabytes. */
const BATCH = 500;
/** Added sources per statement, whose words take a tenth of a millisecond each. */
const ADD_BATCH = 100;

/**
 * Replaces the names by which conflict checks find each source, in the transaction that writes it. New and changed names
 * are compared with all others within a minute.
 * @param isChecked raises no alerts, for names of existing rows
 */
export async function saveNames(
  trx: Transaction,
  all: SourceNames[],
  isChecked = false,
): Promise<void> {
  for (const batch of inBatches(all, BATCH)) await replaceNames(trx, toRows(batch, isChecked));
}

/** The same for sources that have just been added, and have no names to replace. */
export async function addNames(
  trx: Transaction,
  all: SourceNames[],
  isChecked = false,
): Promise<void> {
  const slices = new TimeSlices();
  for (const batch of inBatches(all, ADD_BATCH)) {
    if (slices.isOver) await slices.next();
    await insertNames(trx, toRows(batch, isChecked));
  }
}

const WHY = 'conflict checks search the names of all matters';

type List = (trx: Transaction, piece: { after: string; limit: number }) => Promise<SourceNames[][]>;

/**
 * Saves the names of rows that have none, such as those of a seeded database, in batches that are committed by
 * themselves, and counts all words anew.
 */
export async function saveMissingNames(context: Context, run: JobRun): Promise<void> {
  for (const list of LISTS) await saveInBatches(context, list, run);
  await context.writer.runAsSystem(null, WHY, async ({ trx }) => {
    await markCounted(trx);
    await recountWords(trx);
  });
}

async function saveInBatches(context: Context, list: List, { signal }: JobRun): Promise<void> {
  let after = NIL_ID;
  for (;;) {
    signal.throwIfAborted();
    const last = await context.writer.runAsSystem(null, WHY, async (unit) => {
      const found = await list(unit.trx, { after, limit: BATCH });
      await saveNames(unit.trx, found.flat(), true);
      return found.length < BATCH ? undefined : found.at(-1)?.[0]?.id;
    });
    if (last === undefined) return;
    after = last;
  }
}

/** Saves the numbers of new conversations. */
export async function saveCorrespondentNames(context: Context): Promise<void> {
  await context.writer.runAsSystem(null, WHY, async (unit) => {
    const found = await store.listNewCorrespondents(unit.trx, BATCH);
    const numbers = found.map(({ owner_id: ownerId, other_number: number }) =>
      namesOfNumber(ownerId, number),
    );
    await saveNames(unit.trx, numbers);
  });
}

/** Counts the words of names that were added since they were counted. */
export async function countNewNames(context: Context): Promise<void> {
  await context.writer.runAsSystem(null, WHY, async ({ trx }) => {
    const before = await markCounted(trx);
    if (before !== undefined) await countNewWords(trx, before);
  });
}

const casesWithout: List = async (trx, piece) =>
  (await store.listUnnamedCases(trx, piece)).map((row) => namesOfCase(store.toNamedCase(row)));

const usersWithout: List = async (trx, piece) =>
  (await store.listUnnamedUsers(trx, piece)).map((row) => [namesOfUser(store.toNamedUser(row))]);

const filesWithout: List = async (trx, piece) =>
  (await store.listUnnamedFiles(trx, piece)).map(({ id, case_id: caseId, name }) => [
    namesOfFile({ id, caseId, name }),
  ]);

const contactsWithout: List = async (trx, piece) =>
  (await store.listUnnamedContacts(trx, piece)).map((row) => [namesOfContact(row)]);

const intakesWithout: List = async (trx, piece) =>
  (await store.listUnnamedIntakes(trx, piece)).map((row) => [namesOfIntake(row)]);

const sourcesWithout: List = async (trx, piece) =>
  (await store.listUnnamedSources(trx, piece)).map((row) => [namesOfSource(row.name, row)]);

const LISTS = [
  casesWithout,
  usersWithout,
  filesWithout,
  contactsWithout,
  intakesWithout,
  sourcesWithout,
];
