// Words of an export that tables translate: found in its rows, with what they mean where that is known.

import type { ImportKind } from '@matterdesk/contract/import-fields.ts';
import type { Context } from '../../context.ts';
import { formOf } from '../../integrations/exports/dates.ts';
import { profileOf } from '../../integrations/exports/profiles.ts';
import { isBad, type SourceRow } from '../../integrations/exports/row.ts';
import { listEveryone } from '../accounts/service.imports.ts';
import type { ImportRow, Tables } from './rules.ts';
import * as rules from './rules.ts';
import { type Opened, rowsOf } from './service.sources.ts';

/** Milliseconds that a request may read rows; a dry run finds the words of the others. */
const READ_TIMEOUT_MS = 8000;
const DATES = 500;

type Collected = { tables: Tables; dates: ImportRow['dates'] };

/** Collects the words of rows, with their meanings. */
export class Words {
  readonly #tables: Tables;
  readonly #status: (word: string) => string | null;
  readonly #type: (word: string) => string | null;
  readonly #person: (word: string) => { id: string } | null;

  private constructor(tables: Tables, row: Pick<ImportRow, 'profile'>, everyone: Everyone) {
    const profile = profileOf(row.profile);
    this.#tables = tables;
    this.#status = rules.meaningOf(profile.tables.status, rules.ourStatuses);
    this.#type = rules.meaningOf(profile.tables.type, rules.ourTypes);
    this.#person = rules.peopleFinder(everyone.filter(({ active }) => active));
  }

  /** @param tables are added to */
  static async of(
    context: Context,
    tables: Tables,
    row: Pick<ImportRow, 'profile'>,
  ): Promise<Words> {
    return new Words(tables, row, await listEveryone(context));
  }

  /** @returns whether any word is new */
  add(kind: ImportKind, row: SourceRow): boolean {
    const { status, type, people } = rules.wordsOf(kind, row);
    const table = this.#tables as Record<keyof Tables, Record<string, string | null>>;
    const added = [
      ...status.map((word) => rules.addWord(table.status, word, () => this.#status(word))),
      ...type.map((word) => rules.addWord(table.type, word, () => this.#type(word))),
      ...people.map((word) =>
        rules.addWord(table.people, word, () => this.#person(word)?.id ?? null),
      ),
    ];
    return added.includes(true);
  }
}
type Everyone = Awaited<ReturnType<typeof listEveryone>>;

/** Reads rows for a while, for their words and for the order of their dates. */
export async function collectWords(
  context: Context,
  opened: Opened,
  row: ImportRow,
): Promise<Collected> {
  const { status, type, people } = row.tables;
  const tables = { status: { ...status }, type: { ...type }, people: { ...people } };
  const words = await Words.of(context, tables, row);
  const dates: string[] = [];
  const until = performance.now() + READ_TIMEOUT_MS;
  for (const kind of rules.wordedKinds)
    for await (const { row: each } of rowsOf(context, { opened, row, kind })) {
      if (performance.now() > until) break;
      if (isBad(each)) continue;
      words.add(kind, each);
      if (dates.length < DATES) dates.push(...rules.datesOf(kind, each));
    }
  return { tables, dates: dates.length > 0 ? formOf(dates) : row.dates };
}
