import * as z from 'zod/mini';
import { statuses, statusTypes } from './cases.ts';
import { MailSummarySchema } from './mails.ts';
import { TextMessageSchema } from './messages.ts';
import { choice, email, id, line, optionalLine, optionalParagraphs, paragraphs } from './text.ts';
import { day, instant } from './time.ts';

export const contactKinds = ['person', 'organisation'] as const;
export type ContactKind = (typeof contactKinds)[number];
export const partyRoles = [
  ...(['client', 'opposingParty', 'opposingCounsel', 'coCounsel', 'witness', 'expert'] as const),
  ...(['insurer', 'provider', 'guardian', 'judge', 'court', 'referrer', 'other'] as const),
] as const;
export type PartyRole = (typeof partyRoles)[number];
export const relations = [
  ...(['relative', 'parentCompany', 'officer', 'owner', 'employee', 'insurer', 'other'] as const),
] as const;
export type Relation = (typeof relations)[number];
/** Parts of a case of which one party is the contact. */
export const embeddings = ['clientInfo', 'opposingCounselInfo'] as const;
export type Embedding = (typeof embeddings)[number];

/** Most names, addresses, numbers and links of a contact. */
export const CONTACT_LIST_MAX = 20;
const MATTERS_MAX = 500;

const list = <Item extends z.ZodMiniType>(label: string, item: Item) =>
  z
    .array(item, `${label} must be a list`)
    .check(z.maxLength(CONTACT_LIST_MAX, `${label} can have at most ${CONTACT_LIST_MAX} entries`));

const contactId = id('Please select any contact');
const required = { kind: choice('Kind', contactKinds), name: line('Name') };
const lists = {
  otherNames: list('Other Names', line('Other Name')),
  emails: list('Emails', email('Email')),
  phoneNumbers: list('Phone Numbers', line('Phone Number', { max: 40 })),
  links: list(
    'Links',
    z.strictObject({ contact: contactId, relation: choice('Relation', relations) }),
  ),
};
const single = {
  organisation: z.nullable(optionalLine('Organization')),
  address: z.nullable(optionalParagraphs('Address', { max: 500 })),
  dateOfBirth: z.nullable(day('Date of Birth')),
  notes: z.nullable(optionalParagraphs('Notes')),
  textConsent: z.nullable(
    z.strictObject({ at: instant('At'), wording: paragraphs('Wording', { max: 500 }) }),
  ),
};

export const NewContactSchema = z.strictObject({
  ...required,
  otherNames: z._default(lists.otherNames, []),
  organisation: z._default(single.organisation, null),
  emails: z._default(lists.emails, []),
  phoneNumbers: z._default(lists.phoneNumbers, []),
  address: z._default(single.address, null),
  dateOfBirth: z._default(single.dateOfBirth, null),
  notes: z._default(single.notes, null),
  links: z._default(lists.links, []),
  textConsent: z._default(single.textConsent, null),
});
export type NewContact = z.infer<typeof NewContactSchema>;

/** Cases in `updateMatters` take the change where they said what the contact said before. */
export const ContactPatchSchema = z.partial(
  z.strictObject({
    ...required,
    ...lists,
    ...single,
    updateMatters: z
      .array(id('Please select any case'), 'Update Matters must be a list of case ids')
      .check(z.maxLength(MATTERS_MAX, `Update Matters can have at most ${MATTERS_MAX} cases`)),
  }),
);
export type ContactPatch = z.infer<typeof ContactPatchSchema>;

/** The other contact of a merge, or the one that is not the same. */
export const OtherContactSchema = z.strictObject({ from: id('Please choose another contact') });

const role = choice('Role', partyRoles);
const note = optionalParagraphs('Note', { max: 1000 });

/** Either a contact or the fields of a new one, which the server decides after the body is read. */
export const NewPartySchema = z.strictObject({
  role,
  note: z._default(note, ''),
  contactId: z.optional(contactId),
  contact: z.optional(NewContactSchema),
});
export type NewParty = z.infer<typeof NewPartySchema>;

export const PartyPatchSchema = z.partial(
  z.strictObject({ role, note, contactId, contact: NewContactSchema }),
);
export type PartyPatch = z.infer<typeof PartyPatchSchema>;

const text = z.string();
const optional = z.nullable(text);

/** Fields of a contact in tables. */
export const ContactRefSchema = z.object({ id: text, kind: z.enum(contactKinds), name: text });
export type ContactRef = z.infer<typeof ContactRefSchema>;

export const ContactSchema = z.extend(ContactRefSchema, {
  otherNames: z.array(text),
  organisation: optional,
  /** The main one first, as in `phoneNumbers`. */
  emails: z.array(text),
  phoneNumbers: z.array(text),
  address: optional,
  dateOfBirth: optional,
  notes: optional,
  /** To contacts that the reader may see; each shows on both. */
  links: z.array(z.object({ contact: ContactRefSchema, relation: z.enum(relations) })),
  textConsent: z.nullable(z.object({ at: text, wording: text })),
  createdAt: text,
  updatedAt: text,
});
export type Contact = z.infer<typeof ContactSchema>;

export const PartySchema = z.object({
  id: text,
  contact: ContactRefSchema,
  role: z.enum(partyRoles),
  note: text,
  /** The part of the case that this party comes from, and is changed in. */
  embedded: z.nullable(z.enum(embeddings)),
});
export type Party = z.infer<typeof PartySchema>;

export const MatterOfContactSchema = z.object({
  case: z.object({
    id: text,
    caseName: text,
    caseNo: text,
    statusType: z.enum(statusTypes),
    status: z.enum(statuses),
    managingAttorney: text,
  }),
  role: z.enum(partyRoles),
  embedded: z.nullable(z.enum(embeddings)),
});
export type MatterOfContact = z.infer<typeof MatterOfContactSchema>;

export const IntakeOfContactSchema = z.object({
  id: text,
  number: z.number(),
  name: text,
  description: text,
  stage: text,
  receivedAt: text,
  case: z.nullable(z.object({ id: text, caseName: text })),
});
export type IntakeOfContact = z.infer<typeof IntakeOfContactSchema>;

export const LookalikeSchema = z.object({ contact: ContactSchema, reason: text });
export type Lookalike = z.infer<typeof LookalikeSchema>;

/** Mails and texts are the caller's own. */
export const ContactCardSchema = z.object({
  contact: ContactSchema,
  matters: z.array(MatterOfContactSchema),
  intakes: z.array(IntakeOfContactSchema),
  lookalikes: z.array(LookalikeSchema),
  mails: z.array(MailSummarySchema),
  texts: z.array(TextMessageSchema),
  /** Merges that can still be undone, newest first. */
  merged: z.array(z.object({ contact: ContactRefSchema, at: text })),
});
export type ContactCard = z.infer<typeof ContactCardSchema>;
