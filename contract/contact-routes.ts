import * as z from 'zod/mini';
import {
  ContactCardSchema,
  contactKinds,
  ContactPatchSchema,
  ContactSchema,
  NewContactSchema,
  NewPartySchema,
  OtherContactSchema,
  PartyPatchSchema,
  partyRoles,
  PartySchema,
} from './contacts.ts';
import { pagingQuery, pagingReply } from './paging.ts';
import { defineRoute } from './route.ts';
import { choice } from './text.ts';

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
