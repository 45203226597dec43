// Matters of an export, which come as cases that are not filed yet.

import type { Case, CasePatch, StatusType } from '@matterdesk/contract/cases.ts';
import { fullName } from '../../core/actor.ts';
import { DAY_MS } from '../../core/durations.ts';
import { mapInSlices } from '../../core/time-slices.ts';
import type { Transaction } from '../../db/schema.ts';
import { fold, nameKey } from '../../db/search.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { parseDay } from '../../integrations/exports/dates.ts';
import type { SourceRow } from '../../integrations/exports/source.ts';
import { plainText } from '../../integrations/exports/texts.ts';
import { listEveryone } from '../accounts/service.imports.ts';
import {
  changeImportedCase,
  findCasesNumbered,
  hiddenNumbers,
  type ImportedCase,
  importUnfiledCases,
  lockImportedCases,
  removeImportedCases,
} from '../cases/service.imports.ts';
import { findImportedContacts } from '../contacts/service.imports.ts';
import type { KnownContact } from '../contacts/service.parties.ts';
import { findCasesWithHistory } from '../deadlines/service.limitations.ts';
import {
  changeImportedEntries,
  importPinnedNotes,
  readImportedEntries,
} from '../stream/service.imports.ts';
import * as texts from './rules.cells.ts';
import * as rules from './rules.ts';
import { ofMatter } from './service.contacts.ts';
import {
  type Draft,
  type Kind,
  madeRecord,
  type RefusedRow,
  removeEach,
  type Run,
  type Values,
} from './service.kinds.ts';
import * as ids from './store.ids.ts';

const MAX_NUMBER_LENGTH = 100;
const MAX_PHONE_LENGTH = 40;
const MAX_ADDRESS_LENGTH = 500;
const MAX_ASSIGNED = 100;
const TAKEN = { field: 'number', message: 'Case No already exists' };
const USED = 'Something that stays belongs to it';

/** A new case with the text of its pinned note. */
type CaseDraft = {
  matter: Omit<ImportedCase, 'client'>;
  client: KnownContact | string;
  note: string;
};

export const matterKind: Kind = {
  kind: 'matters',
  taken: TAKEN,
  fields: { caseNo: 'number', caseName: 'name', assignedUsers: 'assigned' },
  same: (field, here, there) =>
    (field === 'caseNo' || field === 'caseName') && fold(String(here)) === fold(String(there)),
  draft: draftMatters,
  match: (_run, db, drafts) =>
    findCasesNumbered(
      db,
      drafts.map(({ values }) => (typeof values['caseNo'] === 'string' ? values['caseNo'] : null)),
    ),
  current: async (trx, wanted) => {
    const cases = await lockImportedCases(trx, wanted);
    const notes = await notesOf(trx, [...cases.keys()]);
    return new Map([...cases].map(([id, one]) => [id, valuesOf(one, notes.get(id) ?? null)]));
  },
  insert: insertMatters,
  update: async (run, unit, changes) => {
    for (const { id, values } of changes) await changeMatter(run, unit, { id, values });
    const noted = changes.filter(({ values }) => typeof values['note'] === 'string');
    await changeNotes(
      run,
      unit,
      noted.map(({ id, values }) => ({ id, text: String(values['note']) })),
    );
  },
  reasonsToKeep: async (db, wanted) =>
    new Map((await findCasesWithHistory(db, wanted)).map((id) => [id, USED])),
  remove: (_run, unit, wanted) =>
    removeEach(unit, wanted, {
      reason: USED,
      remove: (some) => removeImportedCases(unit, some),
    }),
};

function openingOf({ extra }: Draft): CaseDraft {
  return extra as CaseDraft;
}

async function insertMatters(run: Run, unit: Unit, drafts: readonly Draft[]): Promise<string[]> {
  const openings = drafts.map(openingOf);
  const cases = openings.flatMap(({ matter, client }) =>
    typeof client === 'string' ? [] : [{ ...matter, client }],
  );
  const { ids: opened, contacts } = await importUnfiledCases(run.context, unit, cases);
  await importNotes(
    run,
    unit,
    openings.flatMap(({ note }, at) => (note === '' ? [] : [{ id: opened[at] ?? '', text: note }])),
  );
  const made = contacts.map(({ id, details: { name } }) =>
    madeRecord(run, { key: `counsel:${id}`, id, name }),
  );
  await ids.insertRecords(unit.trx, { source: run.source, kind: 'contacts' }, made);
  return opened;
}

/** Values of a case as rows say them; texts that it lacks are null. */
function valuesOf(
  one: Omit<Case, 'assignedUsers'> & { assignedUsers: readonly { id: string }[] },
  note: string | null,
): Values {
  const { opposingCounselInfo: counsel } = one;
  return {
    caseNo: one.caseNo,
    caseName: one.caseName,
    type: one.type,
    statusType: one.statusType,
    status: one.status,
    judge: one.judge,
    dateOfOpening: one.dateOfOpening,
    managingAttorney: one.managingAttorney,
    assignedUsers: one.assignedUsers.map(({ id }) => id),
    DOI: one.DOI,
    SOL: one.SOL,
    counselOrganization: counsel.organization,
    counselName: counsel.name,
    counselPhone: counsel.phoneNumber,
    counselEmail: counsel.email,
    counselAddress: counsel.address,
    note,
  };
}

async function changeMatter(
  { context }: Run,
  unit: Unit,
  { id, values }: { id: string; values: Values },
): Promise<void> {
  const { counselOrganization, counselName, counselPhone, counselEmail, ...others } = values;
  const { counselAddress, note: _, ...own } = others;
  const said = Object.entries({
    organization: counselOrganization,
    name: counselName,
    phoneNumber: counselPhone,
    email: counselEmail,
    address: counselAddress,
  }).filter(([, value]) => value !== undefined);
  const counsel = said.length > 0 ? { opposingCounselInfo: Object.fromEntries(said) } : {};
  const patch = { ...own, ...counsel } as CasePatch;
  if (Object.keys(patch).length > 0) await changeImportedCase(context, unit, { id, patch });
}

type MatterReferences = {
  clients: ReadonlyMap<SourceRow, KnownContact | string>;
  hidden: ReadonlySet<string>;
  people: ReadonlyMap<string, { name: string; active: boolean }>;
};

async function draftMatters(run: Run, rows: readonly SourceRow[]): Promise<(Draft | RefusedRow)[]> {
  const numbers = rows.flatMap(
    ({ cells }) => texts.shortLine(cells['number'], MAX_NUMBER_LENGTH) ?? [],
  );
  const everyone = await listEveryone(run.context);
  const found = {
    clients: await findClients(run, rows),
    hidden: await hiddenNumbers(run.context, numbers),
    people: new Map(
      everyone.map((user) => [user.id, { name: fullName(user).trim(), active: user.active }]),
    ),
  };
  return mapInSlices(rows, (row) => draftOf(run, row, found));
}

/** Clients by id, else by their exact names, else the contact whose row names the matter. */
async function findClients(
  { references, context, isDry }: Run,
  rows: readonly SourceRow[],
): Promise<Map<SourceRow, KnownContact | string>> {
  const byId = await references.byId(
    'contacts',
    rows.flatMap(({ cells }) => cells['clientId'] ?? []),
  );
  const byName = await references.byName('contacts', rows.flatMap(clientNames));
  const byMatter = await references.byName('contacts', rows.flatMap(matterNames));
  const first = (found: ReadonlyMap<string, string>, keys: readonly string[]) =>
    keys.flatMap((key) => found.get(key) ?? [])[0];
  const chosen = rows.flatMap((row) => {
    const { clientId } = row.cells;
    const own = clientId === undefined ? undefined : byId.get(clientId);
    const id = own ?? first(byName, clientNames(row)) ?? first(byMatter, matterNames(row));
    return id === undefined ? [] : [{ row, id }];
  });
  // Made-up ids of a dry run are of no contact.
  if (isDry) return new Map(chosen.map(({ row, id }) => [row, id]));
  const wanted = [...new Set(chosen.map(({ id }) => id))];
  const known = await findImportedContacts(context.db.as(context.actor), wanted);
  return new Map(
    chosen.flatMap(({ row, id }) => {
      const client = known.get(id);
      return client ? [[row, client] as const] : [];
    }),
  );
}

function clientNames({ cells }: SourceRow): string[] {
  const { client = '', clientFirstName = '', clientLastName = '', clientCompany = '' } = cells;
  const names = [client, `${clientFirstName} ${clientLastName}`, clientCompany];
  return names.map((name) => name.trim()).filter((name) => !rules.isPlaceholder(name));
}

function matterNames({ cells }: SourceRow): string[] {
  const { id, number, name } = cells;
  return [number, name, id].flatMap((named) =>
    named === undefined ? [] : [ofMatter(named.trim())],
  );
}

/** A value that a field cannot take. */
class UnfitCell extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

function draftOf(run: Run, row: SourceRow, found: MatterReferences): Draft | RefusedRow {
  try {
    return readMatter(run, row, found);
  } catch (error) {
    if (error instanceof UnfitCell) return { row, field: error.field, message: error.message };
    throw error;
  }
}

function readMatter(
  run: Run,
  row: SourceRow,
  { clients, hidden, people }: MatterReferences,
): Draft {
  const { cells } = row;
  const rest = new texts.Leftovers();
  const caseNo = texts.shortLine(cells['number'], MAX_NUMBER_LENGTH);
  if (caseNo === null) rest.add('Number', cells['number']);
  else if (hidden.has(fold(caseNo))) throw new UnfitCell(TAKEN.field, TAKEN.message);
  const written = texts.plain(cells['name'] ?? '');
  const caseName = texts.cutLine(written) || (caseNo ?? '');
  if (caseName === '') throw new UnfitCell('name', 'The matter has no name and no number');
  if (caseName !== written) rest.add('Name', written);
  const client = clients.get(row);
  if (client === undefined) throw new UnfitCell('client', noClient(row));
  const days = daysOf(run, cells);
  const matter: CaseDraft['matter'] = {
    notFiled: true,
    caseNo,
    caseName,
    type: typeOf(run, cells),
    ...statusOf(run, cells, rest),
    judge: textOf('judge', cells, { rest }),
    ...peopleOf(run, cells, { rest, people }),
    ...days.known,
    clientInfo: clientOf(client),
    opposingCounselInfo: counselOf(cells, rest),
    limitation: undefined,
  };
  rest.add('Date of closing', cells['dateOfClosing']);
  rest.add('Note', plainText(cells['note'] ?? ''));
  rest.addAll(row.rest);
  const note = rest.blockFrom(run.system);
  const values = writtenOf(matter, cells, note);
  const key = cells['id'] ?? (caseNo === null ? `name:${nameKey(caseName)}` : `no:${fold(caseNo)}`);
  const aliases = [caseNo ?? '', written, cells['number'] ?? ''];
  return { row, key, name: caseName, aliases, values, extra: { matter, client, note } };
}

/** Defaults are no values of the row. */
function writtenOf(
  { assigned, ...matter }: CaseDraft['matter'],
  cells: SourceRow['cells'],
  note: string,
): Values {
  const asRead = { ...matter, assignedUsers: assigned.map((id) => ({ id })) } as never;
  const values = valuesOf(asRead, note === '' ? null : note);
  if (!('statusType' in cells) && !('dateOfClosing' in cells))
    values['statusType'] = matter.statusType;
  return values;
}

function noClient(row: SourceRow): string {
  const [named] = clientNames(row);
  return named === undefined
    ? 'The matter has no client'
    : `No contact, or more than one, is named “${named}”`;
}

function typeOf({ tables }: Run, { type = '' }: SourceRow['cells']): CaseDraft['matter']['type'] {
  const ours = tables.type[type.trim()];
  if (ours) return ours;
  throw new UnfitCell(
    'type',
    type === '' ? 'The matter has no type: choose one' : `Choose a type for “${type}”`,
  );
}

/** Words that no table translates are kept as texts. */
function statusOf({ tables }: Run, cells: SourceRow['cells'], rest: texts.Leftovers) {
  let statusType: StatusType | null = cells['dateOfClosing'] ? 'Archive' : null;
  let status: 'Pre-List' | 'Litigation' | 'ADR' | null = null;
  for (const field of ['status', 'statusType'] as const) {
    const word = cells[field]?.trim();
    if (word === undefined) continue;
    const ours = tables.status[word] ?? null;
    if (ours === 'Active' || ours === 'Archive') statusType = ours;
    else if (ours !== null) status = ours;
    else rest.add('Status', word);
  }
  return { statusType, status };
}

type LineOptions = { rest: texts.Leftovers; max?: number };

/** A line; one that is too long is kept as a text. */
function textOf(
  field: string,
  cells: SourceRow['cells'],
  { rest, max }: LineOptions,
): string | null {
  const line = texts.shortLine(cells[field], max);
  if (line === null) rest.add(field, cells[field]);
  return line;
}

function peopleOf(
  { tables }: Run,
  cells: SourceRow['cells'],
  { rest, people }: { rest: texts.Leftovers; people: MatterReferences['people'] },
) {
  const written = texts.shortLine(cells['managingAttorney']);
  const [word] = rules.peopleIn(cells['managingAttorney'] ?? '');
  const attorney = people.get(tables.people[word ?? ''] ?? '')?.name ?? written;
  const assigned = new Set<string>();
  for (const name of rules.peopleIn(cells['assigned'] ?? '')) {
    const id = tables.people[name] ?? null;
    const isFree = id !== null && people.get(id)?.active && assigned.size < MAX_ASSIGNED;
    if (isFree) assigned.add(id);
    else rest.add('Assigned', name);
  }
  return { managingAttorney: attorney, assigned: [...assigned] };
}

/** @throws Unfit for what is no date: a wrong statute date is worse than a missing row */
function daysOf(run: Run, cells: SourceRow['cells']) {
  const day = (field: string) => {
    const text = cells[field];
    if (text === undefined) return null;
    const found = parseDay(text, run.dates);
    if (found === null) throw new UnfitCell(field, `“${texts.cutLine(text)}” is not a date`);
    return found;
  };
  const [opened, closed] = [day('dateOfOpening'), day('dateOfClosing')];
  const open = opened && closed ? (Date.parse(closed) - Date.parse(opened)) / DAY_MS : null;
  const said = /^\d{1,6}$/.test(cells['daysOpen'] ?? '') ? Number(cells['daysOpen']) : null;
  const counted = open === null ? said : Math.max(0, Math.round(open));
  const daysOpen = counted === null ? null : Math.min(counted, 100_000);
  return { known: { dateOfOpening: opened, daysOpen, DOI: day('DOI'), SOL: day('SOL') } };
}

/** The client as the contact is known. */
function clientOf(client: KnownContact | string) {
  if (typeof client === 'string')
    return { name: '-', phoneNumber: null, email: null, address: null };
  const { name, phoneNumbers, emails, address } = client.details;
  const fits = address === null || address.length <= MAX_ADDRESS_LENGTH;
  return {
    name,
    phoneNumber: phoneNumbers[0] ?? null,
    email: emails[0] ?? null,
    address: fits ? address : null,
  };
}

function counselOf(cells: SourceRow['cells'], rest: texts.Leftovers) {
  const known = (field: string) => {
    const line = textOf(field, cells, { rest });
    return line !== null && rules.isPlaceholder(line) ? null : line;
  };
  const email = { cells: [cells['counselEmail']], label: 'Opposing counsel’s email', rest };
  const address = texts.plain(cells['counselAddress'] ?? '').slice(0, MAX_ADDRESS_LENGTH);
  return {
    organization: known('counselOrganization'),
    name: known('counselName'),
    phoneNumber: textOf('counselPhone', cells, { rest, max: MAX_PHONE_LENGTH }),
    email: texts.emailsOf(email)[0] ?? null,
    address: address === '' ? null : address,
  };
}

// The pinned note of a matter, with what no field takes. It is undone with the notes of the import.

/** A text with its matter's id here. */
type CaseNote = { id: string; text: string };

const keyOf = (caseId: string): string => `matter:${caseId}`;

async function importNotes(run: Run, unit: Unit, notes: readonly CaseNote[]): Promise<void> {
  const made = await importPinnedNotes(
    unit,
    notes.map(({ id: caseId, text }) => ({
      caseId,
      text,
      authorId: run.context.actor.id,
      at: run.now,
    })),
  );
  const name = `From ${run.system}`;
  const records = notes.map(({ id }, at) =>
    madeRecord(run, { key: keyOf(id), id: made[at] ?? '', name }),
  );
  await ids.insertRecords(unit.trx, { source: run.source, kind: 'notes' }, records);
}

/** Texts of pinned notes, by matter. */
async function notesOf(trx: Transaction, caseIds: readonly string[]): Promise<Map<string, string>> {
  const found = await ids.findOfAnySource(trx, 'notes', caseIds.map(keyOf));
  const entries = await readImportedEntries(trx, [...found.values()]);
  return new Map(
    caseIds.flatMap((id) => {
      const entry = entries.get(found.get(keyOf(id)) ?? '');
      return entry ? [[id, entry.text] as const] : [];
    }),
  );
}

/** Changes the pinned notes of matters, and adds those that are missing. */
async function changeNotes(run: Run, unit: Unit, notes: readonly CaseNote[]): Promise<void> {
  const found = await ids.findOfAnySource(
    unit.trx,
    'notes',
    notes.map(({ id }) => keyOf(id)),
  );
  const known = notes.flatMap(({ id, text }) => {
    const entry = found.get(keyOf(id));
    return entry === undefined ? [] : [{ id: entry, text }];
  });
  await changeImportedEntries(unit, known);
  await importNotes(
    run,
    unit,
    notes.filter(({ id }) => !found.has(keyOf(id))),
  );
}
