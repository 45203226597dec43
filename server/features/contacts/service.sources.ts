// Contacts as they are written: with the details of each source, their names for conflict checks, and their broadcast.

import { randomUUID } from 'node:crypto';
import { isId } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import { inBatches, mapInSlices } from '../../core/time-slices.ts';
import { findContactAudiences, findSourceReaders } from '../../db/audiences.ts';
import type { AuditEntry } from '../../db/audit.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { addNames, namesOfSource, saveNames, namesOfContact } from '../conflicts/names/service.ts';
import * as sources from './rules.sources.ts';
import type { SourceDetails } from './rules.sources.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** Details of a contact, and the matter that they come from; null for entered ones. */
type SourcedDetails = {
  contactId: string;
  caseId: string | null;
  isWalled: boolean;
  said: sources.SourceDetails;
};
type SourcedCaseDetails = SourcedDetails & { caseId: string };
/** Details that a contact gains by a merge. */
export type GainedDetails = Omit<SourcedDetails, 'contactId'>[];
export type LostDetails = { caseId?: string | null; said: sources.SourceDetails }[];
type NewContactRow = { id: string; details: rules.Details };
type ChangedContact = {
  row: store.ContactRow;
  before: store.SourceRow[];
  after: store.SourceRow[];
};

/** Contacts per statement that reads what is broadcast. */
const BATCH = 500;

/** @throws Refusal notFound */
export async function requireContact(db: Scoped, id: string): Promise<store.ContactRow> {
  const row = isId(id) ? await store.findContact(db, id) : undefined;
  if (!row) throw notFound('Contact');
  return row;
}

/** Adds contacts and their names for conflict checks. @param isChecked raises no alerts */
async function addContacts({ trx }: Unit, added: store.NewRow[], isChecked = false): Promise<void> {
  await store.insertContacts(trx, added);
  const names = added.map(({ id, details }) => namesOfContact({ id, ...details }));
  await addNames(trx, names, isChecked);
}

/** Updates locked contacts and their names. @param isChecked raises no alerts */
async function updateContacts(
  { trx }: Unit,
  changed: store.NewRow[],
  isChecked = false,
): Promise<void> {
  await store.updateContacts(trx, changed);
  const names = changed.map(({ id, details }) => namesOfContact({ id, ...details }));
  await saveNames(trx, names, isChecked);
}

/** Removes the names of a contact that is deleted or merged. */
export async function dropNames(
  { trx }: Unit,
  id: string,
  sources: { id: string }[] = [],
): Promise<void> {
  const none = { source: 'contacts' as const, names: [] };
  await saveNames(
    trx,
    [{ id }, ...sources].map((one) => ({ ...none, id: one.id })),
  );
}

const announced = new WeakMap<Unit, Set<string>>();

/** Broadcasts contacts when the transaction commits, to each reader with the details that they see. */
export function announce(unit: Unit, ...ids: string[]): void {
  const all = announced.get(unit) ?? new Set();
  for (const id of ids) all.add(id);
  announced.set(unit, all);
  unit.beforeCommit('contacts', async () => {
    for (const batch of inBatches([...all], BATCH)) await publishContacts(unit, batch);
  });
}

async function publishContacts(unit: Unit, ids: string[]): Promise<void> {
  const rows = await store.listForAll(unit.trx, ids);
  const audiences = await findContactAudiences(unit.trx, ids);
  const readers = await findSourceReaders<SourceDetails>(unit.trx, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const id of ids) {
    const row = byId.get(id);
    if (!row) continue;
    const everyone = audiences.get(id);
    const near = readers.get(id) ?? [];
    for (const { people, said } of near) {
      const userIds = everyone ? people.filter((one) => everyone.userIds.includes(one)) : people;
      unit.emit('contact.updated', store.toContact({ ...row, said }), { audience: { userIds } });
    }
    const except = near.flatMap(({ people }) => people);
    const left = everyone?.userIds.filter((one) => !except.includes(one));
    const audience = left ? { userIds: left } : except.length > 0 ? { except } : undefined;
    unit.emit('contact.updated', store.toContact(row), audience ? { audience } : {});
  }
}

/** Fields of every audit entry about a contact. */
export function about(id: string) {
  return { entity: 'contact', entityId: id } as const;
}

/** Adds contacts with entered details, which they keep even if their matters change. */
export async function addEnteredContacts(unit: Unit, added: NewContactRow[]): Promise<void> {
  await addContacts(
    unit,
    added.map((one) => ({ ...one, ranking: [] })),
  );
  const entered = added.map(({ id, details }) => ({
    ...emptySource(id, null),
    ...sources.pickDetails(details),
  }));
  await store.saveSources(
    unit.trx,
    entered.filter((source) => !sources.isSame(source, sources.noDetails)),
  );
}

/** Adds contacts with the details of the matters that name them. @param isSilent raises no alerts */
export async function addContactsOfCases(
  unit: Unit,
  { added, said, isSilent }: { added: NewContactRow[]; said: SourcedDetails[]; isSilent: boolean },
): Promise<void> {
  const byContact = Map.groupBy(said, ({ contactId }) => contactId);
  const all = added.map(({ id, details }) => {
    const list = addDetailsOfCases([], byContact.get(id) ?? []);
    const bare = { ...details, ...sources.noDetails };
    return { list, details, contact: { ...combinedDetails(bare, [], list), id } };
  });
  await addContacts(
    unit,
    all.map(({ contact }) => contact),
    isSilent,
  );
  await store.saveSources(
    unit.trx,
    all.flatMap(({ list }) => list),
  );
  await saveNames(
    unit.trx,
    all.flatMap(({ details, list }) =>
      walledOnly(list).map((one) => namesOfSource(details.name, one)),
    ),
    true,
  );
}

/**
 * Saves details of matters at existing contacts. Everyone sees them who sees the matter.
 * @param isSilent for details that no one has just entered: the matter takes its own from those that count as entered
 */
export async function saveDetailsOfCases(
  unit: Unit,
  said: SourcedCaseDetails[],
  isSilent = false,
): Promise<void> {
  if (said.length === 0) return;
  const byContact = Map.groupBy(said, ({ contactId }) => contactId);
  const rows = await store.lockContacts(unit.trx, [...byContact.keys()]);
  const known = isSilent ? await sourcesOf(unit, rows) : await sourcesBefore(unit, rows, said);
  const changed = await saveChanged(unit, rows, (row) => {
    const own = byContact.get(row.id) ?? [];
    const before = known.get(row.id) ?? [];
    return {
      before,
      after: addDetailsOfCases(isSilent ? own.reduce(withoutDetails, before) : before, own),
    };
  });
  const isNews = await mapInSlices(changed, isVisibleChange);
  const news = changed.filter((_change, at) => isNews[at]);
  await publishDetails(unit, news, isSilent);
  await unit.recordAll((await mapInSlices(news, entriesOf)).flat());
  if (!isSilent) announce(unit, ...news.map(({ row }) => row.id));
}

/** Changes the sources of contacts, which are locked. */
async function changeSources(
  unit: Unit,
  ids: string[],
  edit: (row: store.ContactRow, before: store.SourceRow[]) => store.SourceRow[],
): Promise<ChangedContact[]> {
  const rows = await store.lockContacts(unit.trx, ids);
  const known = await sourcesOf(unit, rows);
  return saveChanged(unit, rows, (row) => {
    const before = known.get(row.id) ?? [];
    return { before, after: edit(row, before) };
  });
}

async function saveChanged(
  unit: Unit,
  rows: store.ContactRow[],
  change: (row: store.ContactRow) => Omit<ChangedContact, 'row'>,
): Promise<ChangedContact[]> {
  const changed = rows.map((row) => ({ row, ...change(row) }));
  await store.saveSources(unit.trx, changed.flatMap(changedSources));
  return changed;
}

/**
 * Sources of contacts to which matters add details. Where a contact has no details of these matters yet, its shared
 * details stand in for all other sources: new details come last, and thousands of matters may share a contact.
 */
async function sourcesBefore(
  unit: Unit,
  rows: store.ContactRow[],
  said: SourcedCaseDetails[],
): Promise<Map<string, store.SourceRow[]>> {
  const [ids, by] = [rows.map(({ id }) => id), said.map(({ caseId }) => caseId)];
  const described = await store.listDescribed(unit.trx, { ids, by });
  const read = rows.filter(({ id }) => described.has(id));
  const known = read.length > 0 ? await sourcesOf(unit, read) : new Map<string, never>();
  return new Map(rows.map((row) => [row.id, known.get(row.id) ?? [sharedSourceOf(row)]]));
}

function sharedSourceOf(row: store.ContactRow): store.SourceRow {
  return { ...emptySource(row.id, null), ...sources.pickDetails(store.toShared(row)) };
}

async function sourcesOf(
  unit: Unit,
  rows: store.ContactRow[],
): Promise<Map<string, store.SourceRow[]>> {
  const all = await store.listSources(
    unit.trx,
    rows.map(({ id }) => id),
  );
  return Map.groupBy(all, ({ contactId }) => contactId);
}

/** Sources that differ from before. */
function changedSources({
  before,
  after,
}: Pick<ChangedContact, 'before' | 'after'>): store.SourceRow[] {
  const old = new Map(before.map((source) => [source.id, source]));
  return after.filter((source) => {
    const was = old.get(source.id);
    return was === undefined || !sources.isSame(was, source);
  });
}

/** Adds the details of matters to the sources of their contact, one source per matter. */
function addDetailsOfCases(list: store.SourceRow[], details: SourcedDetails[]): store.SourceRow[] {
  const byCase = new Map(list.map((source) => [source.caseId, source]));
  for (const { contactId, caseId, isWalled, said } of details) {
    const own = byCase.get(caseId) ?? { ...emptySource(contactId, caseId), isWalled };
    byCase.set(caseId, sources.addDetails(own, said));
  }
  return [...byCase.values()];
}

/** Removes a matter's details from the entered ones, since older databases did not keep the two apart. */
function withoutDetails(list: store.SourceRow[], { said }: SourcedDetails): store.SourceRow[] {
  return list.map((source) =>
    source.caseId === null
      ? {
          ...sources.withoutItems(source, said),
          address: source.address === said.address ? null : source.address,
          organisation: source.organisation === said.organisation ? null : source.organisation,
        }
      : source,
  );
}

function emptySource(contactId: string, caseId: string | null): store.SourceRow {
  return { ...sources.noDetails, id: randomUUID(), contactId, caseId, isWalled: false, role: null };
}

const walledOnly = (all: store.SourceRow[]) => all.filter(({ isWalled }) => isWalled);

/** Whether any reader sees the change. */
function isVisibleChange({ row, before, after }: ChangedContact): boolean {
  const shared = store.toShared(row);
  if (!sources.isSame(shared, combinedDetails(shared, row.ranking, after).details)) return true;
  return walledOnly(changedSources({ before, after })).length > 0;
}

/** The details that every reader sees. */
function combinedDetails(shared: rules.Details, ranking: string[], all: store.SourceRow[]) {
  const ranked = sources.rankLast(ranking, shared, ...all);
  const open = all.filter(({ isWalled }) => !isWalled);
  return { details: { ...shared, ...sources.combine(open, ranked) }, ranking: ranked };
}

function toNewRow({ row, after }: Pick<ChangedContact, 'row' | 'after'>): store.NewRow {
  return { ...combinedDetails(store.toShared(row), row.ranking, after), id: row.id };
}

/** Updates contacts from their sources: for everyone, from open matters. @param isSilent raises no alerts */
async function publishDetails(
  unit: Unit,
  changed: ChangedContact[],
  isSilent: boolean,
): Promise<void> {
  await updateContacts(unit, changed.map(toNewRow), isSilent);
  await nameSources(
    unit,
    changed.map(({ row, after }) => ({ name: row.name, list: walledOnly(after) })),
  );
}

/** Saves the names of walled matters' details for conflict checks, as part of these matters. */
async function nameSources(
  unit: Unit,
  all: { name: string; list: store.SourceRow[] }[],
): Promise<void> {
  const names = all.flatMap(({ name, list }) => list.map((one) => namesOfSource(name, one)));
  if (names.length > 0) await saveNames(unit.trx, names, true);
}

function entriesOf(one: ChangedContact): AuditEntry[] {
  const { row, after } = one;
  const shared = store.toShared(row);
  const changed = rules.changedMembers(shared, combinedDetails(shared, row.ranking, after).details);
  const entry = { ...about(row.id), action: 'updated' };
  return [
    ...(Object.keys(changed).length > 0 ? [{ ...entry, after: changed }] : []),
    ...walledOnly(changedSources(one)).map(({ caseId, ...source }) => ({
      ...entry,
      ...(caseId !== null && { caseId }),
      after: sources.pickDetails(source),
    })),
  ];
}

/** Saves a user's change of a locked contact. What they removed leaves every source that they see. */
export async function saveEditedContact(
  unit: Unit,
  row: store.ContactRow,
  changed: { before: rules.Details; after: rules.Details },
): Promise<void> {
  const all = await store.listSources(unit.trx, [row.id]);
  const own = all.find(({ caseId }) => caseId === null);
  const others = all.filter((source) => source !== own);
  const entered = sources.editEntered(own ?? emptySource(row.id, null), changed);
  const after = [entered, ...others.map((source) => sources.removeDropped(source, changed))];
  await store.saveSources(unit.trx, changedSources({ before: all, after }));
  const shared = {
    ...store.toShared(row),
    ...changed.after,
    ...sources.pickDetails(store.toShared(row)),
  };
  const ranking = sources.rankFirst(row.ranking, changed.after);
  await updateContacts(unit, [{ ...combinedDetails(shared, ranking, after), id: row.id }]);
  await nameSources(unit, [{ name: shared.name, list: walledOnly(after) }]);
}

/** Adds the details of another contact. @returns what is new in each source, and what is new overall */
export async function addMergedDetails(
  unit: Unit,
  id: string,
  more: GainedDetails,
): Promise<LostDetails> {
  let gained: LostDetails = [];
  const changed = await changeSources(unit, [id], (row, before) => {
    const all = sources.combine([...before, { ...sources.noDetails, otherNames: [row.name] }], []);
    const fresh = more.map(({ said }) => sources.withoutItems(said, all));
    gained = more.map(({ caseId, said }) => {
      const own = before.find((source) => source.caseId === caseId);
      return { caseId, said: sources.withoutItems(said, own ?? sources.noDetails) };
    });
    gained.push({ said: sources.combine(fresh, []) });
    return addDetailsOfCases(
      before,
      more.map((one) => ({ ...one, contactId: id })),
    );
  });
  await publishDetails(unit, changed, false);
  return gained;
}

/** Removes gained details: from one source, or from all where none is named. */
export async function removeMergedDetails(
  unit: Unit,
  id: string,
  gained: LostDetails,
): Promise<void> {
  const changed = await changeSources(unit, [id], (_, before) =>
    before.map((source) =>
      gained
        .filter(({ caseId }) => caseId === undefined || caseId === source.caseId)
        .reduce((left, { said }) => sources.withoutItems(left, said), source),
    ),
  );
  await publishDetails(unit, changed, false);
}

/** Restores a contact that was merged. */
export async function refreshContact(unit: Unit, id: string): Promise<void> {
  await publishDetails(unit, await changeSources(unit, [id], (_, before) => before), false);
}

/** Hides details that only a newly walled matter contains, or shows them again. Needs a scope that sees all. */
export async function followWall(unit: Unit, caseId: string): Promise<void> {
  const rows = await store.lockAll(unit.trx, await store.listContactsOfSource(unit.trx, caseId));
  const known = await sourcesOf(unit, rows);
  const [merged, own] = [true, false].map((isMerged) =>
    rows.filter(({ merged_into: into }) => (into !== null) === isMerged),
  );
  const changed = (some: store.ContactRow[] = []) =>
    some.map((row) => ({ row, before: [], after: known.get(row.id) ?? [] }));
  await publishDetails(unit, changed(own), true);
  await store.updateContacts(unit.trx, changed(merged).map(toNewRow));
  const said = changed(own).map(({ row, after }) => ({
    name: row.name,
    list: after.filter((source) => source.caseId === caseId),
  }));
  await nameSources(unit, said);
  announce(unit, ...(own ?? []).map(({ id }) => id));
}
