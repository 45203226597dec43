import type { Conversation } from '@matterdesk/contract/messages.ts';
import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { useAppSelector } from '../../../core/store.ts';
import { isPhone } from '../rules.ts';
import { withoutTexts } from '../rules.order.ts';
import { selectContacts } from '../slice.ts';

/** The contacts, and the contact named in the URL. */
export function useContact() {
  const [params, setParams] = useSearchParams();
  const chosen = params.get('with');
  const contacts = useAppSelector((state) => selectContacts(state.messages));
  const names = useAppSelector((state) => state.messages.names);
  const choose = useCallback(
    (number: string | null) =>
      setParams((before) =>
        number === null ? {} : before.get('with') === number ? before : { with: number },
      ),
    [setParams],
  );
  const contact = chosen === null ? null : findContact(contacts, chosen, names);
  return { contacts, contact, choose };
}

/** A link may name a number without a conversation yet. */
function findContact(
  contacts: readonly Conversation[],
  number: string,
  names: Readonly<Record<string, string>>,
): Conversation | null {
  const found = contacts.find(({ phoneNumber }) => phoneNumber === number);
  if (found || !isPhone(number)) return found ?? null;
  return withoutTexts(number, names);
}
