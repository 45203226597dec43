import { newestName, refreshWords } from '../../../db/names.ts';
import type { Transaction } from '../../../db/schema.ts';
import type { Writer } from '../../../db/unit-of-work.ts';
import {
  namesOfCase,
  namesOfContact,
  namesOfFile,
  namesOfIntake,
  namesOfNumber,
  namesOfSource,
  namesOfUser,
  type Named,
} from './rules.ts';
import { saveNames } from './service.ts';
import * as store from './store.ts';

/** Sources of one transaction. */
const PIECE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';
const WHY = 'conflict checks search the names of all matters';

type List = (trx: Transaction, piece: { after: string; limit: number }) => Promise<Named[][]>;
type Running = { signal: AbortSignal };

/** Keeps names complete where rows come without them, and the dictionary's numbers fresh. */
export class NameUpkeep {
  readonly #writer: Writer;
  #counted: string | undefined;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /**
   * Names cases, users, files, contacts and intakes that have none, such as those of a seeded database and of versions before. Each piece
   * stays if the next one fails.
   */
  async saveMissing(running: Running): Promise<void> {
    for (const list of LISTS) await this.#saveAll(list, running);
    await this.refresh();
  }

  async #saveAll(list: List, { signal }: Running): Promise<void> {
    let after = FIRST;
    for (;;) {
      signal.throwIfAborted();
      const last = await this.#writer.runAsSystem(null, WHY, async (unit) => {
        const found = await list(unit.trx, { after, limit: PIECE });
        await saveNames(unit.trx, found.flat(), true);
        return found.length < PIECE ? undefined : found.at(-1)?.[0]?.id;
      });
      if (last === undefined) return;
      after = last;
    }
  }

  /** Names the numbers of new conversations. */
  async saveCorrespondents(): Promise<void> {
    await this.#writer.runAsSystem(null, WHY, async (unit) => {
      const found = await store.listNewCorrespondents(unit.trx, PIECE);
      const numbers = found.map(({ owner_id: ownerId, other_number: number }) =>
        namesOfNumber(ownerId, number),
      );
      await saveNames(unit.trx, numbers);
    });
  }

  /** Counts the words again if names were added. */
  async refresh(): Promise<void> {
    await this.#writer.runAsSystem(null, WHY, async ({ trx }) => {
      const newest = await newestName(trx);
      if (newest === this.#counted) return;
      await refreshWords(trx);
      this.#counted = newest;
    });
  }
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
