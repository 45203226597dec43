import { randomUUID } from 'node:crypto';
import type { Unit } from '../../db/unit-of-work.ts';
import { namesOfSource, saveNames } from '../conflicts/names/service.ts';
import * as sources from './rules.sources.ts';
import * as rules from './rules.ts';
import { about, addContacts, announce, updateContacts } from './service.keeping.ts';
import { keepSources, listSaidOf, listSources, type SourceRow } from './store.sources.ts';
import * as store from './store.ts';

/** What a matter says of a contact, or someone who entered it there. */
type Saying = { contactId: string; caseId: string | null; isWalled: boolean; said: sources.Said };
/** What a contact gains by a merge. */
export type Gained = Omit<Saying, 'contactId'>[];
export type Lost = { caseId?: string | null; said: sources.Said }[];
export type New = { id: string; details: rules.Details };
type Changed = { row: store.ContactRow; before: SourceRow[]; after: SourceRow[] };

/** What was entered at contacts, which is theirs whatever becomes of their matters. */
export async function enter(unit: Unit, added: New[]): Promise<void> {
  await addContacts(
    unit,
    added.map((one) => ({ ...one, ranking: [] })),
  );
  const entered = added.map(({ id, details }) => ({
    ...blank(id, null),
    ...sources.saidIn(details),
  }));
  await keepSources(
    unit.trx,
    entered.filter((source) => !sources.isSame(source, sources.nothing)),
  );
}

/** Contacts that matters have made. @param isSilent as of `saveNames` */
export async function introduce(
  unit: Unit,
  { added, said, isSilent }: { added: New[]; said: Saying[]; isSilent: boolean },
): Promise<void> {
  const byContact = Map.groupBy(said, ({ contactId }) => contactId);
  const all = added.map(({ id, details }) => {
    const list = (byContact.get(id) ?? []).reduce(saidAlso, []);
    const bare = { ...details, ...sources.nothing };
    return { list, details, contact: { ...settled(bare, [], list), id } };
  });
  await addContacts(
    unit,
    all.map(({ contact }) => contact),
    isSilent,
  );
  await keepSources(
    unit.trx,
    all.flatMap(({ list }) => list),
  );
  await saveNames(
    unit.trx,
    all.flatMap(({ details, list }) => walled(list).map((one) => namesOfSource(details.name, one))),
    true,
  );
}

/**
 * Keeps what matters say of contacts that are known; everyone sees it as far as everyone sees the matter.
 * @param isSilent when no one has just said it: a matter takes what is its own from what counts as entered
 */
export async function say(unit: Unit, said: Saying[], isSilent = false): Promise<void> {
  if (said.length === 0) return;
  const byContact = Map.groupBy(said, ({ contactId }) => contactId);
  const add = isSilent ? saidSilently : saidAlso;
  const changed = await change(unit, [...byContact.keys()], (row, before) =>
    (byContact.get(row.id) ?? []).reduce(add, before),
  );
  const news = changed.filter(isNews);
  await settle(unit, news, isSilent);
  for (const one of news) await note(unit, one, isSilent);
}

/** Changes the sources of contacts, which are locked. */
async function change(
  unit: Unit,
  ids: string[],
  edit: (row: store.ContactRow, before: SourceRow[]) => SourceRow[],
): Promise<Changed[]> {
  const rows = await store.lockContacts(unit.trx, ids);
  const known = await sourcesOf(unit, rows);
  const changed = rows.map((row) => {
    const before = known.get(row.id) ?? [];
    return { row, before, after: edit(row, before) };
  });
  await keepSources(unit.trx, changed.flatMap(differing));
  return changed;
}

async function sourcesOf(unit: Unit, rows: store.ContactRow[]): Promise<Map<string, SourceRow[]>> {
  const all = await listSources(
    unit.trx,
    rows.map(({ id }) => id),
  );
  return Map.groupBy(all, ({ contactId }) => contactId);
}

/** Sources that say something else than before. */
function differing({ before, after }: Pick<Changed, 'before' | 'after'>): SourceRow[] {
  const old = new Map(before.map((source) => [source.id, source]));
  return after.filter((source) => {
    const was = old.get(source.id);
    return was === undefined || !sources.isSame(was, source);
  });
}

/** What one matter says, added to what is said of its contact. */
function saidAlso(list: SourceRow[], { contactId, caseId, isWalled, said }: Saying): SourceRow[] {
  const own = list.find((source) => source.caseId === caseId);
  const added = sources.saying(own ?? { ...blank(contactId, caseId), isWalled }, said);
  return own ? list.map((source) => (source === own ? added : source)) : [...list, added];
}

/** The same in a database that did not tell what was entered from what a matter said. */
function saidSilently(list: SourceRow[], saying: Saying): SourceRow[] {
  const { said } = saying;
  const left = list.map((source) =>
    source.caseId === null
      ? {
          ...sources.without(source, said),
          address: source.address === said.address ? null : source.address,
          organisation: source.organisation === said.organisation ? null : source.organisation,
        }
      : source,
  );
  return saidAlso(left, saying);
}

function blank(contactId: string, caseId: string | null): SourceRow {
  return { ...sources.nothing, id: randomUUID(), contactId, caseId, isWalled: false, role: null };
}

const walled = (all: SourceRow[]) => all.filter(({ isWalled }) => isWalled);

/** Whether any reader sees a change. */
function isNews({ row, before, after }: Changed): boolean {
  const shared = store.toShared(row);
  if (!sources.isSame(shared, settled(shared, row.ranking, after).details)) return true;
  return walled(differing({ before, after })).length > 0;
}

/** A contact as all of its readers see it. */
function settled(shared: rules.Details, ranking: string[], all: SourceRow[]) {
  const ranked = sources.rankLast(ranking, shared, ...all);
  const open = all.filter(({ isWalled }) => !isWalled);
  return { details: { ...shared, ...sources.together(open, ranked) }, ranking: ranked };
}

function shown({ row, after }: Pick<Changed, 'row' | 'after'>): store.NewRow {
  return { ...settled(store.toShared(row), row.ranking, after), id: row.id };
}

/** Shows of contacts what their sources say: to everyone that of open matters. @param isSilent as of `saveNames` */
async function settle(unit: Unit, changed: Changed[], isSilent: boolean): Promise<void> {
  await updateContacts(unit, changed.map(shown), isSilent);
  await nameSources(
    unit,
    changed.map(({ row, after }) => ({ name: row.name, list: walled(after) })),
  );
}

/** Lets conflict checks find what walled matters say, as a part of these. */
async function nameSources(unit: Unit, all: { name: string; list: SourceRow[] }[]): Promise<void> {
  const names = all.flatMap(({ name, list }) => list.map((one) => namesOfSource(name, one)));
  if (names.length > 0) await saveNames(unit.trx, names, true);
}

async function note(unit: Unit, one: Changed, isSilent: boolean): Promise<void> {
  const { row, after } = one;
  const shared = store.toShared(row);
  const changed = rules.changedMembers(shared, settled(shared, row.ranking, after).details);
  const entry = { ...about(row.id), action: 'updated' };
  await unit.recordAll([
    ...(Object.keys(changed).length > 0 ? [{ ...entry, after: changed }] : []),
    ...walled(differing(one)).map(({ caseId, ...source }) => ({
      ...entry,
      ...(caseId !== null && { caseId }),
      after: sources.saidIn(source),
    })),
  ]);
  if (!isSilent) announce(unit, row.id);
}

/** A locked contact as someone has changed it: what they took away leaves every source that they see. */
export async function amend(
  unit: Unit,
  row: store.ContactRow,
  changed: { before: rules.Details; after: rules.Details },
): Promise<void> {
  const all = await listSources(unit.trx, [row.id]);
  const own = all.find(({ caseId }) => caseId === null);
  const others = all.filter((source) => source !== own);
  const entered = sources.entering(own ?? blank(row.id, null), changed);
  const after = [entered, ...others.map((source) => sources.leaving(source, changed))];
  await keepSources(unit.trx, differing({ before: all, after }));
  const shared = {
    ...store.toShared(row),
    ...changed.after,
    ...sources.saidIn(store.toShared(row)),
  };
  const ranking = sources.rankFirst(row.ranking, changed.after);
  await updateContacts(unit, [{ ...settled(shared, ranking, after), id: row.id }]);
  await nameSources(unit, [{ name: shared.name, list: walled(after) }]);
}

/** Adds to a contact what sources of another say. @returns what is new in each, and what is new as a whole */
export async function gain(unit: Unit, id: string, more: Gained): Promise<Lost> {
  let gained: Lost = [];
  const changed = await change(unit, [id], (row, before) => {
    const all = sources.together([...before, { ...sources.nothing, otherNames: [row.name] }], []);
    const fresh = more.map(({ said }) => sources.without(said, all));
    gained = more.map(({ caseId, said }) => {
      const own = before.find((source) => source.caseId === caseId);
      return { caseId, said: sources.without(said, own ?? sources.nothing) };
    });
    gained.push({ said: sources.together(fresh, []) });
    return more.reduce((list, one) => saidAlso(list, { ...one, contactId: id }), before);
  });
  await settle(unit, changed, false);
  return gained;
}

/** Takes from a contact what it gained: from one source, or from all where none is named. */
export async function lose(unit: Unit, id: string, gained: Lost): Promise<void> {
  const changed = await change(unit, [id], (_, before) =>
    before.map((source) =>
      gained
        .filter(({ caseId }) => caseId === undefined || caseId === source.caseId)
        .reduce((left, { said }) => sources.without(left, said), source),
    ),
  );
  await settle(unit, changed, false);
}

/** Shows contacts anew, which answered like others. */
export async function showAgain(unit: Unit, id: string): Promise<void> {
  await settle(unit, await change(unit, [id], (_, before) => before), false);
}

/** Takes back from everyone what only a matter says that has a wall now, or gives it back. In a scope that sees all. */
export async function followWall(unit: Unit, caseId: string): Promise<void> {
  const rows = await store.lockAll(unit.trx, await listSaidOf(unit.trx, caseId));
  const known = await sourcesOf(unit, rows);
  const [merged, own] = [true, false].map((isMerged) =>
    rows.filter(({ merged_into: into }) => (into !== null) === isMerged),
  );
  const changed = (some: store.ContactRow[] = []) =>
    some.map((row) => ({ row, before: [], after: known.get(row.id) ?? [] }));
  await settle(unit, changed(own), true);
  await store.updateContacts(unit.trx, changed(merged).map(shown));
  const said = changed(own).map(({ row, after }) => ({
    name: row.name,
    list: after.filter((source) => source.caseId === caseId),
  }));
  await nameSources(unit, said);
  for (const { id } of own ?? []) announce(unit, id);
}
