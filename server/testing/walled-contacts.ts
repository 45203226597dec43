import { contactRoutes } from '@matterdesk/contract/contact-routes.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import type { Fixture } from './walled-world.ts';

/** Of a client and a witness of the walled matter alone. */
export const contactFixtures: [Route, Fixture][] = [
  [contactRoutes.listContacts, { ask: () => ({ query: { limit: 200 } }), shows: true }],
  [contactRoutes.readContact, { ask: ({ contactId: id }) => ({ params: { id } }), shows: true }],
  [contactRoutes.addContact, { reason: 'adds a contact of no matter' }],
  [
    contactRoutes.changeContact,
    {
      ask: ({ contactId: id }) => ({ params: { id }, body: { notes: 'Calls late' } }),
      shows: true,
    },
  ],
  ...[contactRoutes.mergeContacts, contactRoutes.unmergeContacts, contactRoutes.keepApart].map(
    (route): [Route, Fixture] => [
      route,
      { ask: ({ contactId: id, witnessId: from }) => ({ params: { id }, body: { from } }) },
    ],
  ),
  [contactRoutes.deleteContact, { ask: ({ contactId: id }) => ({ params: { id } }) }],
  [contactRoutes.listParties, { ask: ({ caseId: id }) => ({ params: { id } }), shows: true }],
  [
    contactRoutes.addParty,
    {
      ask: ({ caseId: id, witnessId: contactId }) => ({
        params: { id },
        body: { role: 'expert', note: '', contactId },
      }),
    },
  ],
  [
    contactRoutes.changeParty,
    {
      ask: ({ caseId: id, partyId }) => ({ params: { id, partyId }, body: { note: 'Saw it' } }),
      shows: true,
    },
  ],
  [contactRoutes.removeParty, { ask: ({ caseId: id, partyId }) => ({ params: { id, partyId } }) }],
];
