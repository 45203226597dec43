// People of an export: those who are here, and those who have left.

import { randomUUID } from 'node:crypto';
import type { ImportKind } from '@matterdesk/contract/imports.ts';
import { write } from '../../context.ts';
import { fullName } from '../../core/actor.ts';
import { nameKey } from '../../db/search.ts';
import type { SourceRow } from '../../integrations/exports/source.ts';
import {
  changeImportedPerson,
  importPeople,
  listEveryone,
  lockImportedPeople,
  removeImportedPeople,
} from '../accounts/service.imports.ts';
import * as texts from './rules.cells.ts';
import type { Tables } from './rules.ts';
import * as rules from './rules.ts';
import {
  type Draft,
  type Kind,
  madeRecord,
  type RefusedRow,
  removeEach,
  type Run,
} from './service.kinds.ts';
import type { Records } from './service.references.ts';
import * as ids from './store.ids.ts';

const MAX_PART_LENGTH = 100;
const USED = 'Records that stay name this person';
/** Kinds whose authors and assignees have to be people here. */
const NAMING = new Set<ImportKind>(['notes', 'calls', 'tasks', 'events', 'documents', 'mails']);

type NamedPerson = { firstName: string; lastName: string; email: string };

export const peopleKind: Kind = {
  kind: 'people',
  same: (_field, here, there) => nameKey(String(here)) === nameKey(String(there)),
  draft: (_run, rows) => Promise.resolve(rows.map(draftOf)),
  match: async ({ context }, _db, drafts) => {
    const find = rules.peopleFinder(await listEveryone(context));
    return new Map(
      drafts.flatMap(({ name, values }, at) => {
        const found = find(String(values['email'] ?? '')) ?? find(name);
        return found ? [[at, found.id] as const] : [];
      }),
    );
  },
  current: async (trx, wanted) => {
    const people = await lockImportedPeople(trx, wanted);
    return new Map(
      people.map(({ id, firstName, lastName, email }) => [
        id,
        { firstName, lastName, email: email === '' ? null : email },
      ]),
    );
  },
  insert: (_run, unit, drafts) => importPeople(unit, drafts.map(namedOf)),
  update: async (_run, unit, changes) => {
    for (const { id, values } of changes) await changeImportedPerson(unit, id, values);
  },
  remove: (_run, unit, wanted) =>
    removeEach(unit, wanted, {
      reason: USED,
      remove: (some) => removeImportedPeople(unit, some),
    }),
};

function draftOf(row: SourceRow): Draft | RefusedRow {
  const { id, name = '', firstName, lastName, email } = row.cells;
  const whole = texts.cutLine(name);
  const named =
    firstName === undefined && lastName === undefined
      ? rules.splitName(whole)
      : { firstName: texts.cutLine(firstName ?? ''), lastName: texts.cutLine(lastName ?? '') };
  const called = fullName(named).trim();
  if (called === '' || rules.isPlaceholder(called))
    return { row, field: 'name', message: 'The row names no one' };
  const rest = new texts.Leftovers();
  const [address = null] = texts.emailsOf({ cells: [email], label: 'Email', rest });
  const key = id ?? (address === null ? nameKey(called) : address.toLowerCase());
  const values = { ...cutParts(named), email: address };
  return { row, key, name: called, aliases: aliasesOf(named, whole, address), values };
}

function cutParts({ firstName, lastName }: Omit<NamedPerson, 'email'>) {
  return {
    firstName: texts.cutLine(firstName, MAX_PART_LENGTH),
    lastName: texts.cutLine(lastName, MAX_PART_LENGTH),
  };
}

function aliasesOf(
  { firstName, lastName }: Omit<NamedPerson, 'email'>,
  ...others: (string | null)[]
): string[] {
  return [`${lastName}, ${firstName}`, ...others.filter((one) => one !== null)];
}

function namedOf({ values }: Draft): NamedPerson {
  const { firstName, lastName, email } = values;
  return {
    firstName: String(firstName ?? ''),
    lastName: String(lastName ?? ''),
    email: String(email ?? ''),
  };
}

/** Finds the user for each word that names a person; those who are not here have left, and become inactive users. */
export class PeopleOfWords {
  readonly #run: Run;
  readonly #records: Records;
  readonly #chosen: Tables['people'];

  /** @param run whose table begins with the words that have a user */
  constructor(run: Run, records: Records, { people }: Tables) {
    this.#run = run;
    this.#records = records;
    this.#chosen = people;
    const chosen = Object.entries(people).filter(([, id]) => id !== null);
    Object.assign(run.tables.people, Object.fromEntries(chosen));
  }

  /** Completes the run's table for these rows. */
  async resolve(kind: ImportKind, rows: readonly SourceRow[]): Promise<void> {
    const { people } = this.#run.tables;
    const words = new Set(rows.flatMap((row) => rules.wordsOf(kind, row).people));
    const open = [...words].filter((word) => (people[word] ?? null) === null);
    if (open.length === 0) return;
    for (const word of open) people[word] = this.#chosen[word] ?? null;
    const left = open.filter((word) => people[word] === null);
    const known = await this.#records.byId('people', left);
    for (const [word, id] of known) people[word] = id;
    const missing = left.filter((word) => people[word] === null);
    if (NAMING.has(kind) && missing.length > 0) await this.#add(missing);
  }

  async #add(words: readonly string[]): Promise<void> {
    const { context, isDry, tables } = this.#run;
    const named = words.map((word) => ({ ...cutParts(rules.splitName(word)), email: '' }));
    const keyed = (made: readonly string[]) =>
      words.map((word, at) => {
        const key = `name:${nameKey(word)}`.slice(0, 200);
        const names = [nameKey(word)];
        return madeRecord(this.#run, { key, id: made[at] ?? '', name: word, names });
      });
    if (isDry)
      for (const { external_id: key, id, names } of keyed(words.map(() => randomUUID())))
        this.#records.remember('people', key, { id, rowHash: '', names });
    else
      await write(context, async (unit) => {
        await ids.markImport(unit.trx);
        const made = await importPeople(unit, named);
        const of = { source: this.#records.source, kind: 'people' as const };
        await ids.insertRecords(unit.trx, of, keyed(made));
      });
    const known = await this.#records.byName('people', words);
    for (const [word, id] of known) tables.people[word] = id;
  }
}
