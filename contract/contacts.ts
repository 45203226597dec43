import * as z from 'zod/mini';
import { statuses, statusTypes } from './cases.ts';
import { MailSummarySchema } from './mails.ts';
import { TextMessageSchema } from './messages.ts';
import { pagingQuery, pagingReply } from './paging.ts';
import { rankedQuery } from './ranking.ts';
import { defineRoute } from './route.ts';
import { choice, email, id, line, optionalLine, optionalParagraphs, paragraphs } from './text.ts';
import { day, instant } from './time.ts';

const contactKinds = ['person', 'organisation'] as const;
export type ContactKind = (typeof contactKinds)[number];
export const partyRoles = [
  ...(['client', 'opposingParty', 'opposingCounsel', 'coCounsel', 'witness', 'expert'] as const),
  ...(['insurer', 'provider', 'guardian', 'judge', 'court', 'referrer', 'other'] as const),
] as const;
export type PartyRole = (typeof partyRoles)[number];
const relations = [
  ...(['relative', 'parentCompany', 'officer', 'owner', 'employee', 'insurer', 'other'] as const),
] as const;
export type Relation = (typeof relations)[number];
/** Parts of a case that describe a contact. */
const embeddings = ['clientInfo', 'opposingCounselInfo'] as const;
export type Embedding = (typeof embeddings)[number];

/** Most names, addresses, numbers and links of a contact. */
export const CONTACT_LIST_MAX = 20;
const MATTERS_MAX = 500;

const list = <Item extends z.ZodMiniType>(label: string, item: Item) =>
  z
    .array(item, `${label} must be a list`)
    .check(z.maxLength(CONTACT_LIST_MAX, `${label} can have at most ${CONTACT_LIST_MAX} entries`));

const contactId = id('Select a contact');
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
  fax: z.nullable(optionalLine('Fax', { max: 40 })),
  salutation: z.nullable(optionalLine('Salutation')),
  letterName: z.nullable(optionalLine('Name in Letters')),
  dateOfBirth: z.nullable(day('Date of Birth')),
  notes: z.nullable(optionalParagraphs('Notes')),
  textConsent: z.nullable(
    z.strictObject({ at: instant('At'), wording: paragraphs('Wording', { max: 500 }) }),
  ),
};

const NewContactSchema = z.strictObject({
  ...required,
  otherNames: z._default(lists.otherNames, []),
  organisation: z._default(single.organisation, null),
  emails: z._default(lists.emails, []),
  phoneNumbers: z._default(lists.phoneNumbers, []),
  address: z._default(single.address, null),
  fax: z._default(single.fax, null),
  salutation: z._default(single.salutation, null),
  letterName: z._default(single.letterName, null),
  dateOfBirth: z._default(single.dateOfBirth, null),
  notes: z._default(single.notes, null),
  links: z._default(lists.links, []),
  textConsent: z._default(single.textConsent, null),
});
export type NewContact = z.infer<typeof NewContactSchema>;

/** Cases in `updateMatters` take each change of a detail in which they matched the contact before. */
const ContactPatchSchema = z.partial(
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
const OtherContactSchema = z.strictObject({ from: id('Please choose another contact') });

const role = choice('Role', partyRoles);
const note = optionalParagraphs('Note', { max: 1000 });

/** Either a contact or the fields of a new one, which the server decides after the body is read. */
const NewPartySchema = z.strictObject({
  role,
  note: z._default(note, ''),
  contactId: z.optional(contactId),
  contact: z.optional(NewContactSchema),
});
export type NewParty = z.infer<typeof NewPartySchema>;

const PartyPatchSchema = z.partial(
  z.strictObject({ role, note, contactId, contact: NewContactSchema }),
);
export type PartyPatch = z.infer<typeof PartyPatchSchema>;

const text = z.string();
const optional = z.nullable(text);

/** Fields of a contact in tables. */
const ContactRefSchema = z.object({ id: text, kind: z.enum(contactKinds), name: text });
export type ContactRef = z.infer<typeof ContactRefSchema>;

export const ContactSchema = z.extend(ContactRefSchema, {
  otherNames: z.array(text),
  organisation: optional,
  /** The main one first, as in `phoneNumbers`. */
  emails: z.array(text),
  phoneNumbers: z.array(text),
  address: optional,
  fax: optional,
  /** Opens a letter to the contact, such as 'Dear Dr. Ng'. */
  salutation: optional,
  /** Stands for the contact in letters, such as 'Ms. Abara'. */
  letterName: optional,
  dateOfBirth: optional,
  notes: optional,
  /** To contacts that the reader may see; each shows on both. */
  links: z.array(z.object({ contact: ContactRefSchema, relation: z.enum(relations) })),
  textConsent: z.nullable(z.object({ at: text, wording: text })),
  createdAt: text,
  updatedAt: text,
});
export type Contact = z.infer<typeof ContactSchema>;

const PartySchema = z.object({
  id: text,
  contact: ContactRefSchema,
  role: z.enum(partyRoles),
  note: text,
  /** The part of the case that this party comes from, and is changed in. */
  embedded: z.nullable(z.enum(embeddings)),
});
export type Party = z.infer<typeof PartySchema>;

const MatterOfContactSchema = z.object({
  case: z.object({
    id: text,
    caseName: text,
    /** Null for a case that is not filed yet. */
    caseNo: z.nullable(text),
    statusType: z.enum(statusTypes),
    status: z.enum(statuses),
    managingAttorney: text,
  }),
  role: z.enum(partyRoles),
  embedded: z.nullable(z.enum(embeddings)),
});
export type MatterOfContact = z.infer<typeof MatterOfContactSchema>;

const IntakeOfContactSchema = z.object({
  id: text,
  number: z.number(),
  name: text,
  description: text,
  stage: text,
  receivedAt: text,
  case: z.nullable(z.object({ id: text, caseName: text })),
});
export type IntakeOfContact = z.infer<typeof IntakeOfContactSchema>;

const LookalikeSchema = z.object({ contact: ContactSchema, reason: text });
export type Lookalike = z.infer<typeof LookalikeSchema>;

/** Mails and texts are the caller's own. */
const ContactCardSchema = z.object({
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

const access = { anyOf: ['createCases', 'handleIntakes'] } as const;
const oneContact = z.object({ contact: ContactSchema });
const oneParty = z.object({ party: PartySchema });

export const contactRoutes = {
  listContacts: defineRoute({
    method: 'GET',
    path: '/api/v1/contacts',
    summary: 'People and organizations, by name',
    access: 'signedIn',
    query: z.object({
      kind: z.optional(choice('Kind', contactKinds)),
      role: z.optional(choice('Role', partyRoles)),
      ranked: rankedQuery,
      ...pagingQuery,
    }),
    reply: z.object({ contacts: z.array(ContactSchema), ...pagingReply }),
    message: 'OK',
  }),
  readContact: defineRoute({
    method: 'GET',
    path: '/api/v1/contacts/{id}',
    summary:
      'A contact with its matters, intakes, lookalikes, and the newest 50 of the caller’s mails and texts',
    access: 'signedIn',
    reply: ContactCardSchema,
    message: 'OK',
  }),
  addContact: defineRoute({
    method: 'POST',
    path: '/api/v1/contacts',
    summary: 'Adds a person or an organization',
    access,
    body: NewContactSchema,
    reply: oneContact,
    status: 201,
    message: 'Contact added',
    idempotent: true,
  }),
  changeContact: defineRoute({
    method: 'PATCH',
    path: '/api/v1/contacts/{id}',
    summary: 'Changes a contact, and the chosen cases that said the same',
    access,
    body: ContactPatchSchema,
    reply: oneContact,
    message: 'Contact updated',
  }),
  mergeContacts: defineRoute({
    method: 'POST',
    path: '/api/v1/contacts/{id}/merge',
    summary: 'Moves what belongs to another contact here; it answers like this one from then on',
    access,
    body: OtherContactSchema,
    reply: oneContact,
    message: 'Contacts merged',
  }),
  unmergeContacts: defineRoute({
    method: 'POST',
    path: '/api/v1/contacts/{id}/unmerge',
    summary: 'Gives back what a merged contact had, for 30 days',
    access,
    body: OtherContactSchema,
    reply: oneContact,
    message: 'Merge undone',
  }),
  keepApart: defineRoute({
    method: 'POST',
    path: '/api/v1/contacts/{id}/distinct',
    summary: 'Says that two contacts are not the same, whatever they look like',
    access,
    body: OtherContactSchema,
    reply: z.null(),
    message: 'Kept apart',
  }),
  deleteContact: defineRoute({
    method: 'DELETE',
    path: '/api/v1/contacts/{id}',
    summary: 'Deletes a contact that nothing refers to',
    access,
    reply: z.null(),
    message: 'Contact deleted',
  }),
  listParties: defineRoute({
    method: 'GET',
    path: '/api/v1/cases/{id}/parties',
    summary: 'The parties of a case',
    access: 'signedIn',
    reply: z.object({ parties: z.array(PartySchema) }),
    message: 'OK',
  }),
  addParty: defineRoute({
    method: 'POST',
    path: '/api/v1/cases/{id}/parties',
    summary: 'Adds a party, with a contact or the fields of a new one',
    access,
    body: NewPartySchema,
    reply: oneParty,
    status: 201,
    message: 'Party added',
    idempotent: true,
  }),
  changeParty: defineRoute({
    method: 'PATCH',
    path: '/api/v1/cases/{id}/parties/{partyId}',
    summary: 'Changes a party that is not part of the case itself',
    access,
    body: PartyPatchSchema,
    reply: oneParty,
    message: 'Party updated',
  }),
  removeParty: defineRoute({
    method: 'DELETE',
    path: '/api/v1/cases/{id}/parties/{partyId}',
    summary: 'Removes a party that is not part of the case itself',
    access,
    reply: z.null(),
    message: 'Party removed',
  }),
};
