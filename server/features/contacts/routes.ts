// People and organizations, and which of them are parties of which case.

import { contactRoutes } from '@matterdesk/contract/contact-routes.ts';
import type { Binder } from '../../http/bind.ts';
import type { createContacts } from './service.assembly.ts';

export function bindContacts(
  binder: Binder,
  { contacts, contactReading, merging, parties }: ReturnType<typeof createContacts>,
) {
  binder.bind(contactRoutes.listContacts, ({ actor, query }) =>
    contactReading.listContacts(actor, query),
  );
  binder.bind(contactRoutes.readContact, ({ actor, params }) =>
    contactReading.readContact(actor, params.id),
  );
  binder.bind(contactRoutes.addContact, async ({ actor, body }) => ({
    contact: await contacts.addContact(actor, body),
  }));
  binder.bind(contactRoutes.changeContact, async ({ actor, params, body }) => ({
    contact: await contacts.changeContact(actor, params.id, body),
  }));
  binder.bind(contactRoutes.mergeContacts, async ({ actor, params, body }) => ({
    contact: await merging.merge(actor, params.id, body.from),
  }));
  binder.bind(contactRoutes.unmergeContacts, async ({ actor, params, body }) => ({
    contact: await merging.unmerge(actor, params.id, body.from),
  }));
  binder.bind(contactRoutes.keepApart, ({ actor, params, body }) =>
    contacts.keepApart(actor, params.id, body.from),
  );
  binder.bind(contactRoutes.deleteContact, ({ actor, params }) =>
    contacts.deleteContact(actor, params.id),
  );
  binder.bind(contactRoutes.listParties, async ({ actor, params }) => ({
    parties: await parties.listParties(actor, params.id),
  }));
  binder.bind(contactRoutes.addParty, async ({ actor, params, body }) => ({
    party: await parties.addParty(actor, params.id, body),
  }));
  binder.bind(contactRoutes.changeParty, async ({ actor, params, body }) => ({
    party: await parties.changeParty(actor, placeOf(params), body),
  }));
  binder.bind(contactRoutes.removeParty, ({ actor, params }) =>
    parties.removeParty(actor, placeOf(params)),
  );
}

function placeOf({ id, partyId }: { id: string; partyId: string }) {
  return { caseId: id, partyId };
}
