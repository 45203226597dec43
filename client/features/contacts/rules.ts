import type { Contact, ContactKind, Relation } from '@matterdesk/contract/contacts.ts';
import type { Option } from '../../ui/option.ts';
import { textable } from '../../core/textable.ts';

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

/** Distinguishes contacts of the same name. */
function noteOf({ kind, organisation, emails, phoneNumbers }: Contact): string {
  const known = [organisation, emails[0] ?? phoneNumbers[0]].filter(Boolean);
  return known.length === 0 ? kindNames[kind] : known.join(' · ');
}

/** A contact as an option of a dropdown. */
export function contactOption(contact: Contact): Option {
  return { id: contact.id, label: contact.name, note: noteOf(contact) };
}

/** Whether an email address or a phone number is a contact's. */
export function hasAddress({ emails, phoneNumbers }: Contact, address: string): boolean {
  const wanted = address.trim().toLowerCase();
  if (wanted.includes('@')) return emails.some((email) => email.toLowerCase() === wanted);
  return phoneNumbers.some((number) => textable(number) === textable(wanted));
}
