import { contactRoutes as routes } from '@matterdesk/contract/contacts.ts';
import { mutation } from '../../core/mutation.ts';
import { store } from '../../core/store.ts';
import { contactsChanged } from './slice.ts';

const refreshContacts = () => store.dispatch(contactsChanged());

export const addContact = mutation(routes.addContact, 'Couldn’t add the contact', {
  done: refreshContacts,
});
export const changeContact = mutation(routes.changeContact, 'Couldn’t save the contact', {
  done: refreshContacts,
});
export const deleteContact = mutation(routes.deleteContact, 'Couldn’t delete the contact', {
  done: refreshContacts,
});

/** The input of a merge: the contact that stays, and the one that becomes part of it. */
export function pairOf(kept: { id: string }, from: { id: string }) {
  return { params: { id: kept.id }, body: { from: from.id } };
}

export const mergeContacts = mutation(routes.mergeContacts, 'Couldn’t merge the contacts', {
  toasts: 'errors',
  done: refreshContacts,
});
export const unmergeContacts = mutation(routes.unmergeContacts, 'Couldn’t undo the merge', {
  done: refreshContacts,
});
export const keepApart = mutation(routes.keepApart, 'Couldn’t keep the contacts apart', {
  done: refreshContacts,
});

export const addParty = mutation(routes.addParty, 'Couldn’t add the party', {
  done: refreshContacts,
});
export const changeParty = mutation(routes.changeParty, 'Couldn’t save the party', {
  done: refreshContacts,
});
export const removeParty = mutation(routes.removeParty, 'Couldn’t remove the party', {
  done: refreshContacts,
});
