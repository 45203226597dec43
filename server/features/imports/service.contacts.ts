// Contacts of an export, and their roles in its matters.

import { mapInSlices } from '../../core/time-slices.ts';
import { nameKey } from '../../db/search.ts';
import { parseDay } from '../../integrations/exports/dates.ts';
import type { SourceRow } from '../../integrations/exports/source.ts';
import { plainText } from '../../integrations/exports/texts.ts';
import {
  changeImportedContact,
  type ContactDetails,
  emailKey,
  findSameContacts,
  importContacts,
  kindOfName,
  lockImportedContacts,
  numberKey,
  removeImportedContacts,
  sameKeys,
  toDetails,
  changeImportedParty,
  findSameParties,
  type ImportedParty,
  importParties,
  lockImportedParties,
  removeImportedParties,
} from '../contacts/service.imports.ts';
import * as texts from './rules.cells.ts';
import * as rules from './rules.ts';
import {
  type Draft,
  type Kind,
  type RefusedRow,
  removeEach,
  type Run,
  type Value,
  type Values,
} from './service.kinds.ts';
import { findMatters, withoutMatter } from './service.references.ts';

const USED = 'It is still in use';
const SHORT = 40;
const MAX_WORDING_LENGTH = 500;
const ORGANIZATION = /^(?:compan|organi[sz]ation|business|firm|corporat|entity|institution)/i;
const PERSON = /^(?:person|individual|people|contact|human|natural)/i;

/** Alias by which the rows of a matter find its contact. */
export const ofMatter = (named: string): string => `matter: ${named}`;

export const contactKind: Kind = {
  kind: 'contacts',
  fields: { emails: 'email', phoneNumbers: 'phone', organisation: 'organization' },
  same: isSame,
  draft: (run, rows) => mapInSlices(rows, (row) => draftOf(run, row)),
  match: (_run, db, drafts) => findSameContacts(db, drafts.map(detailsOf)),
  current: async (trx, ids) => {
    const found = await lockImportedContacts(trx, ids);
    return new Map([...found].map(([id, details]) => [id, valuesOf(details)]));
  },
  insert: (_run, unit, drafts) => importContacts(unit, drafts.map(detailsOf)),
  update: async (_run, unit, changes) => {
    for (const { id, values, draft } of changes) {
      const { textConsent: consent, ...others } = values;
      const { textConsent } = detailsOf(draft);
      await changeImportedContact(unit, id, { ...others, ...(consent && { textConsent }) });
    }
  },
  remove: (_run, unit, ids) =>
    removeEach(unit, ids, {
      reason: USED,
      remove: (some) => removeImportedContacts(unit, some),
    }),
};

function detailsOf({ extra }: Draft): ContactDetails {
  return extra as ContactDetails;
}

function valuesOf(details: ContactDetails): Values {
  const { name, otherNames, organisation, emails, phoneNumbers, address, fax } = details;
  const { salutation, letterName, dateOfBirth, notes, textConsent } = details;
  const lists = { otherNames, emails, phoneNumbers };
  const letters = { salutation, letterName };
  const consent = textConsent && `${textConsent.at}\n${textConsent.wording}`;
  return {
    name,
    ...lists,
    organisation,
    address,
    fax,
    ...letters,
    dateOfBirth,
    notes,
    textConsent: consent,
  };
}

const keys: Record<string, (item: string) => string> = {
  name: nameKey,
  otherNames: nameKey,
  emails: emailKey,
  phoneNumbers: numberKey,
  fax: numberKey,
  organisation: nameKey,
  letterName: nameKey,
  address: (text) => nameKey(text.replaceAll(/[,\s]+/g, ' ')),
};

/** Spellings of the same name, address or number are the same. */
function isSame(field: string, here: Value, there: Value): boolean {
  const keyOf = keys[field];
  if (!keyOf) return false;
  const own = new Set(listOf(here).map(keyOf));
  return listOf(there).every((item) => own.has(keyOf(item)));
}

function listOf(value: Value): string[] {
  return typeof value === 'object' && value !== null ? [...value] : [String(value)];
}

function draftOf(run: Run, row: SourceRow): Draft | RefusedRow {
  const { cells } = row;
  const rest = new texts.Leftovers();
  const person = personOf(cells);
  const organization = texts.shortLine(cells['organization']);
  const written = texts.cutLine(cells['name'] ?? '', Infinity);
  const { title: name, whole: longName } = texts.titleOf(
    written || person.whole || (organization ?? ''),
  );
  if (name === '' || rules.isPlaceholder(name))
    return { row, field: 'name', message: `“${name}” names no one` };
  const kind = kindOf(cells, { name, hasPerson: person.whole !== '', organization });
  const details = toDetails({
    kind,
    name,
    ...waysOf(cells, rest),
    organisation:
      organization !== null && nameKey(organization) !== nameKey(name) ? organization : null,
    address: texts.addressOf(cells, rest),
    salutation: texts.shortLine(cells['salutation']),
    letterName:
      texts.shortLine(cells['letterName']) ??
      (kind === 'person' ? letterNameOf(cells, person) : null),
    textConsent: consentOf(cells['textConsent'], rest),
    dateOfBirth: dayOf(run, cells['dateOfBirth'], rest),
    notes: null,
  });
  rest.add('Name', longName ?? undefined);
  // A kind that is none of ours is kept in its words.
  if (!isKindOfContact(cells['kind'])) rest.add('Kind', cells['kind']);
  rest.addAll(row.rest);
  const noted = cells['notes'] ?? '';
  const notes = [row.isPlain ? noted : plainText(noted), rest.blockFrom(run.system)];
  const whole = { ...details, notes: notes.map(texts.plain).filter(Boolean).join('\n\n') || null };
  const [same] = sameKeys(whole).toSorted();
  const key = cells['id'] ?? (same === undefined ? null : `same:${same}`);
  const aliases = aliasesOf(cells, person, whole);
  return { row, key, name, aliases, values: valuesOf(whole), extra: whole };
}

type Names = { first: string; last: string; whole: string };

function personOf({
  firstName = '',
  middleName = '',
  lastName = '',
}: Record<string, string>): Names {
  const [first, middle, last] = [firstName, middleName, lastName].map((part) =>
    texts.cutLine(part),
  );
  const whole = [first, middle, last].filter(Boolean).join(' ');
  return { first: first ?? '', last: last ?? '', whole };
}

function isKindOfContact(word = ''): boolean {
  return ORGANIZATION.test(word.trim()) || PERSON.test(word.trim());
}

type KnownContact = { name: string; hasPerson: boolean; organization: string | null };

function kindOf(
  { kind = '' }: Record<string, string>,
  { name, hasPerson, organization }: KnownContact,
): ContactDetails['kind'] {
  if (ORGANIZATION.test(kind.trim())) return 'organisation';
  if (PERSON.test(kind.trim()) || hasPerson) return 'person';
  const isOwnName = organization !== null && nameKey(organization) === nameKey(name);
  return isOwnName ? 'organisation' : kindOfName(name);
}

function waysOf(cells: Record<string, string>, rest: texts.Leftovers) {
  const { email, email2, moreEmails, phone, phone2, phone3, morePhones, fax } = cells;
  const { otherNames = '' } = cells;
  const [number = null, ...more] = texts.phonesOf({ cells: [fax], label: 'Fax', rest });
  for (const other of more) rest.add('Fax', other);
  const names = otherNames.split(/[;|\n]/).flatMap((name) => texts.shortLine(name) ?? []);
  return {
    emails: texts.emailsOf({ cells: [email, email2, moreEmails], label: 'Email', rest }),
    phoneNumbers: texts.phonesOf({
      cells: [phone, phone2, phone3, morePhones],
      label: 'Phone',
      rest,
    }),
    fax: number,
    otherNames: names.filter((name) => !rules.isPlaceholder(name)),
  };
}

/** 'Ms. Abara' */
function letterNameOf({ prefix }: Record<string, string>, { last }: Names): string | null {
  const title = texts.shortLine(prefix, SHORT);
  return title === null || last === '' ? null : texts.cutLine(`${title} ${last}`);
}

function dayOf(run: Run, text: string | undefined, rest: texts.Leftovers): string | null {
  if (text === undefined) return null;
  const day = parseDay(text, run.dates);
  if (day === null) rest.add('Date of birth', text);
  return day;
}

/** The time of a consent, and its wording below it. */
function consentOf(text: string | undefined, rest: texts.Leftovers): ContactDetails['textConsent'] {
  if (text === undefined) return null;
  const [at = '', ...lines] = text.split('\n');
  const wording = texts.plain(lines.join('\n'));
  const isWhole = texts.isInstant(at) && wording !== '' && wording.length <= MAX_WORDING_LENGTH;
  if (isWhole) return { at, wording };
  rest.add('Consent to texts', text);
  return null;
}

function aliasesOf(
  { matters = '' }: Record<string, string>,
  { first, last, whole }: Names,
  { organisation, otherNames }: ContactDetails,
): string[] {
  const inverse = first !== '' && last !== '' ? [`${last}, ${first}`, `${first} ${last}`] : [];
  const company = whole === '' && organisation !== null ? [organisation] : [];
  const own = matters.split(/[;|\n]/).map((matter) => ofMatter(matter.trim()));
  return [whole, ...inverse, ...company, ...otherNames, ...(matters === '' ? [] : own)];
}

// Parties of matters: each contact with its role.

const MAX_NOTE_LENGTH = 1000;

export const partyKind: Kind = {
  kind: 'parties',
  taken: { field: 'role', message: 'This contact has this role in the matter already' },
  draft: draftParties,
  match: (_run, db, drafts) => findSameParties(db, drafts.map(partyOf)),
  current: async (trx, ids) => {
    const found = await lockImportedParties(trx, ids);
    return new Map(
      [...found].map(([id, { role, note }]) => [id, { role, note: note === '' ? null : note }]),
    );
  },
  insert: (_run, unit, drafts) => importParties(unit, drafts.map(partyOf)),
  update: async (_run, unit, changes) => {
    for (const { id, values } of changes) await changeImportedParty(unit, id, values);
  },
  remove: async (_run, unit, ids) => {
    await removeImportedParties(unit, ids);
    return new Map();
  },
};

function partyOf({ extra }: Draft): ImportedParty {
  return extra as ImportedParty;
}

async function draftParties(run: Run, rows: readonly SourceRow[]): Promise<(Draft | RefusedRow)[]> {
  const { references } = run;
  const matters = await findMatters(run, rows);
  const cellsOf = (field: string) => rows.flatMap(({ cells }) => cells[field]?.trim() ?? []);
  const byId = await references.byId('contacts', cellsOf('contact'));
  const byName = await references.byName('contacts', cellsOf('contactName'));
  return rows.map((row) => {
    const { cells } = row;
    const caseId = matters.get(row);
    if (caseId === undefined) return withoutMatter(row);
    const contact = cells['contact']?.trim() ?? '';
    const contactName = cells['contactName']?.trim() ?? '';
    const contactId = byId.get(contact) ?? byName.get(contactName);
    const named = contactName || contact;
    const field = contactName === '' ? 'contact' : 'contactName';
    if (contactId === undefined || rules.isPlaceholder(named))
      return { row, field, message: `No contact, or more than one, is named “${named}”` };
    return partyDraftOf(row, { caseId, contactId, named });
  });
}

function partyDraftOf(
  row: SourceRow,
  { caseId, contactId, named }: { caseId: string; contactId: string; named: string },
): Draft {
  const { id, role: word = '', note = '' } = row.cells;
  const role = texts.roleOf(word) ?? 'other';
  const rest = new texts.Leftovers();
  // A role that is none of ours is kept in its words.
  if (texts.roleOf(word) === null) rest.add('Role', word);
  rest.addAll(row.rest);
  const text = [texts.plain(note), rest.text.trim()].filter(Boolean).join('\n');
  const written = text.slice(0, MAX_NOTE_LENGTH);
  const values = { role, note: written === '' ? null : written };
  const key = id ?? `${caseId} ${contactId} ${role}`;
  return { row, key, name: named, values, extra: { caseId, contactId, role, note: written } };
}
