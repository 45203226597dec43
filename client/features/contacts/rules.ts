import type {
  Contact,
  ContactKind,
  MatterOfContact,
  Relation,
} from '@matterdesk/contract/contacts.ts';
import { toE164 } from '../../core/e164.ts';
import { fieldsMatching, type NamedField } from '../../core/matched-fields.ts';
import type { Option } from '../../ui/option.ts';

export const kindNames: Record<ContactKind, string> = {
  person: 'Person',
  organisation: 'Organization',
};

export const relationNames: Record<Relation, string> = {
  relative: 'Relative',
  parentCompany: 'Parent company',
  officer: 'Officer',
  owner: 'Owner',
  employee: 'Employee',
  insurer: 'Insurer',
  other: 'Other',
};

export const relationOptions = Object.entries(relationNames).map(([value, label]) => ({
  value,
  label,
}));

const NO_WORDS: readonly string[] = [];

/** Distinguishes contacts of the same name, and says why a search found one. */
function noteOf(contact: Contact, words: readonly string[]): string {
  const { kind, organisation, emails, phoneNumbers } = contact;
  const known = [organisation, emails[0] ?? phoneNumbers[0]].filter(Boolean);
  const shown = known.length === 0 ? kindNames[kind] : known.join(' · ');
  const named = `${contact.name}\n${shown}`;
  return [shown, ...fieldsMatching(named, fieldsOf(contact), words)].join(' · ');
}

function fieldsOf({
  otherNames,
  emails,
  phoneNumbers,
  address,
  fax,
  notes,
}: Contact): NamedField[] {
  return [
    ...otherNames.map((name): NamedField => ['Also', name]),
    ...emails.map((email): NamedField => ['Email', email]),
    ...phoneNumbers.map((number): NamedField => ['Phone', number]),
    ['Address', address ?? ''],
    ['Fax', fax ?? ''],
    ['Notes', notes ?? ''],
  ];
}

/** A contact as an option of a dropdown. */
export function contactOption(contact: Contact, words = NO_WORDS): Option {
  return { id: contact.id, label: contact.name, note: noteOf(contact, words) };
}

/** Whether an email address or a phone number is a contact's. */
export function hasAddress({ emails, phoneNumbers }: Contact, address: string): boolean {
  const wanted = address.trim().toLowerCase();
  if (wanted.includes('@')) return emails.some((email) => email.toLowerCase() === wanted);
  return phoneNumbers.some((number) => toE164(number) === toE164(wanted));
}

/** The only active matter of a contact, in whichever roles; null for none or several. */
export function onlyMatterOf(matters: readonly MatterOfContact[]): Option | null {
  const active = matters.filter(({ case: { statusType } }) => statusType === 'Active');
  const [first] = active;
  if (!first || active.some((each) => each.case.id !== first.case.id)) return null;
  return { id: first.case.id, label: first.case.caseName };
}
