import type {
  Contact,
  ContactKind,
  ContactPatch,
  MatterOfContact,
  NewContact,
  Relation,
} from '@matterdesk/contract/contacts.ts';
import { changedMembers } from '../../core/changed-members.ts';

/** A contact as it is being edited: empty texts for what is unknown. */
export type ContactForm = {
  kind: ContactKind;
  name: string;
  organisation: string;
  otherNames: string[];
  phoneNumbers: string[];
  emails: string[];
  address: string;
  fax: string;
  salutation: string;
  letterName: string;
  dateOfBirth: string;
  notes: string;
  links: { contact: { id: string; name: string }; relation: Relation }[];
};

export function toForm(contact: Contact): ContactForm {
  return {
    kind: contact.kind,
    name: contact.name,
    organisation: contact.organisation ?? '',
    otherNames: contact.otherNames,
    phoneNumbers: contact.phoneNumbers,
    emails: contact.emails,
    address: contact.address ?? '',
    fax: contact.fax ?? '',
    salutation: contact.salutation ?? '',
    letterName: contact.letterName ?? '',
    dateOfBirth: contact.dateOfBirth ?? '',
    notes: contact.notes ?? '',
    links: contact.links.map(({ contact: { id, name }, relation }) => ({
      contact: { id, name },
      relation,
    })),
  };
}

export const emptyForm: ContactForm = {
  kind: 'person',
  name: '',
  organisation: '',
  otherNames: [],
  phoneNumbers: [],
  emails: [],
  address: '',
  fax: '',
  salutation: '',
  letterName: '',
  dateOfBirth: '',
  notes: '',
  links: [],
};

/** The body of a new contact; lines left empty do not count. */
export function toContact(form: ContactForm): NewContact {
  const filled = (lines: string[]) => lines.filter((line) => line.trim() !== '');
  return {
    kind: form.kind,
    name: form.name,
    organisation: form.organisation.trim() || null,
    otherNames: filled(form.otherNames),
    phoneNumbers: filled(form.phoneNumbers),
    emails: filled(form.emails),
    address: form.address.trim() || null,
    fax: form.fax.trim() || null,
    salutation: form.salutation.trim() || null,
    letterName: form.letterName.trim() || null,
    dateOfBirth: form.dateOfBirth || null,
    notes: form.notes.trim() || null,
    links: form.links.map(({ contact, relation }) => ({ contact: contact.id, relation })),
    textConsent: null,
  };
}

/** Only what changed, since others may have changed the rest. */
export function toPatch(before: ContactForm, after: ContactForm): ContactPatch {
  const { textConsent: _kept, ...now } = toContact(after);
  return changedMembers(toContact(before), now);
}

const copied = ['name', 'organisation', 'phoneNumbers', 'emails', 'address'] as const;

/** Matters that keep a copy of what is being changed. */
export function mattersToAsk(
  patch: ContactPatch,
  matters: readonly MatterOfContact[],
): MatterOfContact[] {
  if (!copied.some((name) => name in patch)) return [];
  return matters.filter(({ embedded }) => embedded !== null);
}
