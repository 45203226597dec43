import type { Conversation as Contact } from '@matterdesk/contract/messages.ts';
import MessageCircle from 'lucide-react/icons/message-circle';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { CaseField } from '../../../core/case-field.ts';
import type { ContactHints } from '../../../core/contact-hints.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { cx } from '../../../ui/cx.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import type { Option } from '../../../ui/option.ts';
import { contactAdded, contactForgotten, contactNamed } from '../slice.ts';
import { Contacts } from './Contacts.tsx';
import { Conversation } from './Conversation.tsx';

const AddContact = lazy(async () => ({ default: (await import('./AddContact.tsx')).AddContact }));
const loadExport = () => import('./ExportDialog.tsx');
const ExportDialog = lazy(async () => ({ default: (await loadExport()).ExportDialog }));

interface MessengerProps {
  own: string;
  missingSetup: string | null;
  contacts: readonly Contact[];
  contact: Contact | null;
  onChoose: (number: string | null) => void;
  /** The contact's case. */
  matter: Option | null;
  caseField: CaseField;
  contactHints: ContactHints;
  /** The page heading, and the user's number. */
  children: ReactNode;
}

/** Contacts and a conversation, as separate screens on a phone. */
export function Messenger(props: MessengerProps) {
  const { own, contacts, contact, onChoose } = props;
  const dispatch = useAppDispatch();
  const [dialog, setDialog] = useState<'add' | 'export' | null>(null);
  const close = () => setDialog(null);
  const list = useFocusOnClose(contact !== null);
  return (
    <>
      <section
        ref={list}
        aria-label="Contacts and search"
        className={cx(
          'flex h-full w-64 flex-none flex-col border-line sm:border-r lg:w-72',
          'max-sm:w-full',
          contact && 'max-sm:hidden',
        )}
      >
        <Contacts
          contacts={contacts}
          own={own}
          chosen={contact?.phoneNumber ?? null}
          onOpen={onChoose}
          onAdd={() => setDialog('add')}
        >
          {props.children}
        </Contacts>
      </section>
      <div className={cx('min-w-0 grow', !contact && 'max-sm:hidden')}>
        {contact ? (
          <Conversation
            key={contact.phoneNumber}
            contact={contact}
            own={own}
            matter={props.matter}
            missingSetup={props.missingSetup}
            onBack={() => onChoose(null)}
            onExport={() => setDialog('export')}
            onForget={() => {
              dispatch(contactForgotten(contact.phoneNumber));
              onChoose(null);
            }}
          />
        ) : (
          <EmptyState icon={MessageCircle} title="No conversation selected">
            Select a contact to see your messages.
          </EmptyState>
        )}
      </div>
      <Suspense>
        {dialog === 'add' && (
          <AddContact
            contactHints={props.contactHints}
            onClose={close}
            onAdd={(number, name) => {
              dispatch(contactAdded(number));
              if (name !== null) dispatch(contactNamed({ number, name }));
              onChoose(number);
              close();
            }}
          />
        )}
        {dialog === 'export' && contact && (
          <ExportDialog
            contact={contact}
            own={own}
            proposed={props.matter}
            caseField={props.caseField}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}

/** Moves the focus back to the list when a conversation closes. */
function useFocusOnClose(isOpen: boolean) {
  const list = useRef<HTMLElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen)
      list.current?.querySelector<HTMLElement>('[role=listbox]')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return list;
}
