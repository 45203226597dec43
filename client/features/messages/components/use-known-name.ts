import type { Conversation } from '@matterdesk/contract/messages.ts';
import { useEffect } from 'react';
import { useAppDispatch } from '../../../core/store.ts';
import { contactNamed } from '../slice.ts';

/** Keeps the name of a contact who has no conversation yet, from which the server would have it. */
export function useKnownName(contact: Conversation | null, name: string | undefined) {
  const dispatch = useAppDispatch();
  const number = contact?.phoneNumber;
  const isNew = contact?.name === null;
  useEffect(() => {
    if (isNew && number !== undefined && name !== undefined)
      dispatch(contactNamed({ number, name }));
  }, [dispatch, isNew, number, name]);
}
