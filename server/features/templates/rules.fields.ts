// The words that a letter has of a matter: the closed list of fields, their values, and the sample firm's.

import { spaced } from '@matterdesk/contract/audit-acts.ts';
import { caseTypes, type Case, statuses, statusTypes } from '@matterdesk/contract/cases.ts';
import { type Contact, type PartyRole, partyRoles } from '@matterdesk/contract/contacts.ts';
import type { Firm } from '@matterdesk/contract/firm.ts';
import type { TemplateField } from '@matterdesk/contract/templates.ts';
import { fullName } from '../../core/actor.ts';
import { type Data, type Field, type Value, print } from '../../integrations/templates/fields.ts';

/** A field with its value in the sample firm. */
type SampledField = Field & { sample: string };
type Kind = Field['kind'];

const ofKind =
  (kind: Kind) =>
  (path: string, label: string, sample: string): SampledField => ({ path, label, sample, kind });
const [field, lines, date] = [ofKind('text'), ofKind('lines'), ofKind('date')];
const [phone, number, listOf] = [ofKind('phone'), ofKind('number'), ofKind('list')];
const choiceOf = (path: string, label: string, choices: readonly string[]): SampledField => ({
  ...ofKind('choice')(path, label, choices[0] ?? ''),
  choices,
});
/** Prefixes fields with their group: 'client.name', 'Client: name'. */
const group = (path: string, label: string, fields: readonly SampledField[]): SampledField[] =>
  fields.map((one) => ({ ...one, path: `${path}.${one.path}`, label: `${label}: ${one.label}` }));

const caseFields: SampledField[] = [
  field('caseName', 'name', 'Abara v. Northline Freight'),
  field('caseNo', 'number', '2026-CV-00418'),
  choiceOf('type', 'type', caseTypes),
  choiceOf('statusType', 'status type', statusTypes),
  choiceOf('status', 'status', statuses),
  field('judge', 'judge', 'Hon. Miriam Osei'),
  field('managingAttorney', 'managing attorney', 'Ruth Lindqvist'),
  date('dateOfOpening', 'date of opening', '2026-03-02'),
  date('DOI', 'date of injury', '2025-02-12'),
  date('SOL', 'statute of limitations', '2028-02-12'),
  number('daysOpen', 'days open', '263'),
  listOf('assignedUsers', 'assigned people', 'Ama Owusu and Ruth Lindqvist'),
];

const contactFields: SampledField[] = [
  field('name', 'name', 'Ngozi Abara'),
  choiceOf('kind', 'kind', ['person', 'organisation']),
  field('organisation', 'organization', 'Abara Catering LLC'),
  field('salutation', 'salutation', 'Dear Ms. Abara'),
  field('letterName', 'letter name', 'Ms. Abara'),
  lines('address', 'address', '14 Elm Street\nAlbany, New York 12207'),
  field('email', 'email', 'ngozi.abara@example.com'),
  phone('phoneNumber', 'phone number', '(518) 555-0142'),
  phone('fax', 'fax', '(518) 555-0143'),
  date('dateOfBirth', 'date of birth', '1988-05-09'),
  listOf('otherNames', 'other names', 'Ngozi Eze'),
  listOf('emails', 'emails', 'ngozi.abara@example.com'),
  listOf('phoneNumbers', 'phone numbers', '(518) 555-0142'),
];
const noteField = lines('note', 'note', 'Claim 0471-88213');
const counselOnly = field('organization', 'firm', 'Bell & Ortiz LLP');

const counselFields = [
  counselOnly,
  ...contactFields.filter(({ path }) => path !== 'organisation' && path !== 'kind'),
];

const firmFields: SampledField[] = [
  field('name', 'name', 'Owusu & Lindqvist LLP'),
  lines('address', 'address', '80 Chapel Street\nAlbany, New York 12210'),
  phone('phone', 'phone', '(518) 555-0100'),
  lines('letterhead', 'letterhead', 'Attorneys at law'),
];
const myFields: SampledField[] = [
  field('name', 'name', 'Ama Owusu'),
  field('firstName', 'first name', 'Ama'),
  field('lastName', 'last name', 'Owusu'),
  field('email', 'email', 'ama.owusu@example.com'),
  phone('phoneNumber', 'phone number', '(518) 555-0101'),
];

const dateItems: Field[] = [
  { path: 'title', label: 'title', kind: 'text' },
  { path: 'date', label: 'day', kind: 'date' },
  { path: 'kind', label: 'kind', kind: 'text' },
];
const folderItems: Field[] = [
  { path: 'name', label: 'name', kind: 'text' },
  { path: 'files', label: 'files', kind: 'list' },
];

const inWords = (role: PartyRole) => spaced(role).toLowerCase();
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const partyFields: SampledField[] = partyRoles.map((role) => {
  // The matter's own client and counsel have these names.
  const isNamed = role === 'client' || role === 'opposingCounsel';
  const label = isNamed ? `Party: ${inWords(role)}` : capitalize(inWords(role));
  const list = listOf(`parties.${role}`, label, 'Meridian Mutual');
  return { ...list, items: [...contactFields, noteField].map(withoutSample) };
});

const all: SampledField[] = [
  ...group('case', 'Case', caseFields),
  ...group('client', 'Client', contactFields),
  ...group('opposingCounsel', 'Opposing counsel', counselFields),
  ...partyFields,
  ...group('firm', 'Firm', firmFields),
  ...group('me', 'Me', myFields),
  ...group('recipient', 'Recipient', contactFields),
  date('today', 'Today', '2026-11-20'),
  { ...listOf('nextDates', 'Next dates', 'Deposition of Dr. Sato'), items: dateItems },
  { ...listOf('folders', 'Folders', 'Medical'), items: folderItems },
];

/** Every field that a template can name. */
export const catalog: readonly Field[] = all.map(withoutSample);

function withoutSample({ path, label, kind, choices, items }: SampledField): Field {
  return { path, label, kind, ...(choices && { choices }), ...(items && { items }) };
}

/** The same for people who write templates; those of a list's items by the path of the list. */
export const describedFields: readonly TemplateField[] = all.flatMap((one) => [
  toDescribed(one, one.sample),
  ...(one.items ?? []).map((item) => {
    const [path, label] = [`${one.path}.${item.path}`, `${one.label}: ${item.label}`];
    return toDescribed({ ...item, path, label }, sampleOf(item));
  }),
]);

/** A party looks like the client. */
function sampleOf({ path }: Field): string {
  return all.find((one) => one.path === `client.${path}`)?.sample ?? '';
}

function toDescribed({ path, label, kind }: Field, sample: string): TemplateField {
  return { path, label, sample: print(sample, kind, []), isList: kind === 'list' };
}

/** Everything that a letter of one matter may say, but the recipient. */
export type Sources = {
  case: Case;
  client: Contact | undefined;
  opposingCounsel: Contact | undefined;
  parties: readonly { role: PartyRole; note: string; contact: Contact }[];
  firm: Firm;
  me: { firstName: string; lastName: string; email: string; phoneNumber: string };
  today: string;
  nextDates: readonly { title: string; date: string; kind: string }[];
  folders: readonly { name: string; files: readonly string[] }[];
};

/** The values of the fields but the recipient's, in the shape of their paths. */
export function dataOf(sources: Sources): Data {
  const { case: matter, firm, me, parties } = sources;
  const { clientInfo: client, opposingCounselInfo: counsel } = matter;
  return {
    case: {
      ...pick(matter, ['caseName', 'caseNo', 'type', 'statusType', 'status', 'judge']),
      ...pick(matter, ['managingAttorney', 'dateOfOpening', 'DOI', 'SOL', 'daysOpen']),
      assignedUsers: matter.assignedUsers.map(fullName),
    },
    client: { ...personOf(sources.client), ...filledMembers(client) },
    opposingCounsel: { ...personOf(sources.opposingCounsel), ...filledMembers(counsel) },
    parties: Object.fromEntries(
      partyRoles.map((role) => [
        role,
        parties
          .filter((party) => party.role === role)
          .map(({ contact, note }) => ({ ...personOf(contact), note })),
      ]),
    ),
    firm: pick(firm, ['name', 'address', 'phone', 'letterhead']),
    me: { ...me, name: fullName(me) },
    today: sources.today,
    nextDates: sources.nextDates.map((date) => ({ ...date })),
    folders: sources.folders.map(({ name, files }) => ({ name, files: [...files] })),
  };
}

/** A contact as the fields name it; empty without one. */
export function personOf(contact: Contact | undefined): Data {
  if (!contact) return {};
  const { emails, phoneNumbers, otherNames } = contact;
  return {
    ...pick(contact, ['name', 'kind', 'organisation', 'salutation', 'letterName']),
    ...pick(contact, ['address', 'fax', 'dateOfBirth']),
    email: emails[0] ?? null,
    phoneNumber: phoneNumbers[0] ?? null,
    emails,
    phoneNumbers,
    otherNames,
  };
}

/** The case's own words come before its contact's. */
function filledMembers(copy: object): Record<string, Value> {
  const entries = Object.entries(copy) as [string, Value][];
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== ''));
}

function pick<T extends object, const Name extends keyof T & string>(
  of: T,
  names: readonly Name[],
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, of[name] as Value])) as Record<Name, Value>;
}
