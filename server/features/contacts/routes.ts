// Contacts, and their roles as parties of cases.

import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import type { Binder } from '../../http/bind.ts';
import { mergeContacts, unmergeContacts } from './service.merges.ts';
import { addParty, changeParty, listParties, removeParty } from './service.parties.ts';
import {
  listContacts,
  readContact,
  addContact,
  changeContact,
  deleteContact,
  keepContactsApart,
} from './service.ts';

export function serveContacts(binder: Binder) {
  binder.serve(contactRoutes, {
    listContacts: ({ context, query }) => listContacts(context, query),
    readContact: ({ context, params }) => readContact(context, params.id),
    addContact: async ({ context, body, once }) => ({
      contact: await addContact(context, body, once),
    }),
    changeContact: async ({ context, params, body }) => ({
      contact: await changeContact(context, params.id, body),
    }),
    mergeContacts: async ({ context, params, body }) => ({
      contact: await mergeContacts(context, params.id, body.from),
    }),
    unmergeContacts: async ({ context, params, body }) => ({
      contact: await unmergeContacts(context, params.id, body.from),
    }),
    keepApart: ({ context, params, body }) => keepContactsApart(context, params.id, body.from),
    deleteContact: ({ context, params }) => deleteContact(context, params.id),
    listParties: async ({ context, params }) => ({
      parties: await listParties(context, params.id),
    }),
    addParty: async ({ context, params, body, once }) => ({
      party: await addParty(context, params.id, { input: body, once }),
    }),
    changeParty: async ({ context, params, body }) => ({
      party: await changeParty(context, placeOf(params), body),
    }),
    removeParty: ({ context, params }) => removeParty(context, placeOf(params)),
  });
}

function placeOf({ id, partyId }: { id: string; partyId: string }) {
  return { caseId: id, partyId };
}
