import type { Conversation as Contact, TextMessage } from '@matterdesk/contract/messages.ts';
import MessageCircle from 'lucide-react/icons/message-circle';
import {
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
  useCallback,
  useMemo,
} from 'react';
import type { CaseField } from '../../../core/case-field.ts';
import type { ContactHints } from '../../../core/contact-hints.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { cx } from '../../../ui/cx.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import type { Option } from '../../../ui/option.ts';
import { useDocumentKey } from '../../../ui/use-document-key.ts';
import { contactAdded, contactForgotten, contactNamed } from '../slice.ts';
import { Contacts } from './Contacts.tsx';
import { useResource } from '../../../core/use-resource.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { consentOf } from '../api.ts';
import { blockReasonOf } from '../rules.ts';
import { afterPress, type Choice, nothingChosen } from '../rules.filing.ts';
import { Composer } from './Composer.tsx';
import { ConversationHeader } from './ConversationHeader.tsx';
import { HistoryView } from './HistoryView.tsx';
import { useConversation } from '../hooks/use-conversation.ts';

const AddContact = lazy(async () => ({ default: (await import('./AddContact.tsx')).AddContact }));
const loadExport = () => import('./ExportDialog.tsx');
const ExportDialog = lazy(async () => ({ default: (await loadExport()).ExportDialog }));
const FilingBar = lazy(async () => ({ default: (await import('./FilingBar.tsx')).FilingBar }));

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
            caseField={props.caseField}
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

interface ConversationProps {
  contact: Contact;
  own: string;
  /** The case of the contact, once its name is known. */
  matter: Option | null;
  caseField: CaseField;
  /** Setup that an administrator must complete before texts can be sent, or null. */
  missingSetup: string | null;
  onBack: () => void;
  onExport: () => void;
  onForget: () => void;
}

/** The messages with a contact, and the input for more. */
function Conversation({ contact, own, missingSetup, caseField, ...props }: ConversationProps) {
  const { phoneNumber } = contact;
  const pair = useMemo(() => ({ from: own, to: phoneNumber }), [own, phoneNumber]);
  const history = useConversation(pair);
  const box = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The pressed control may be hidden now, so the title takes the focus unless the composer has it.
    if (!title.current?.closest('section')?.contains(document.activeElement))
      title.current?.focus({ preventScroll: true });
  }, []);
  const toEnd = useCallback(() => box.current?.scrollTo({ top: 0 }), []);
  const isEmpty = history.messages?.length === 0;
  const filing = useFiling(history.messages);
  const consent = useResource(consentOf, phoneNumber).data?.consent ?? null;
  const blockReason = missingSetup ?? blockReasonOf(contact, consent);
  return (
    <section aria-labelledby="conversation-title" className="flex h-full min-h-0 flex-col">
      <ConversationHeader
        title={title}
        contact={contact}
        consent={consent}
        isEmpty={isEmpty}
        filing={filing.button}
        isFiling={filing.chosen !== null}
        onFile={filing.chosen === null ? filing.begin : filing.end}
        {...props}
      />
      {history.hasFailed ? (
        <div className="grow">
          <ErrorState title="Message history fetch failed" onRetry={history.refresh} />
        </div>
      ) : (
        <HistoryView
          box={box}
          history={history}
          contact={contact}
          own={own}
          chosen={filing.chosen}
          onChoose={filing.choose}
        />
      )}
      {filing.chosen === null ? (
        <>
          <BlockReason>{blockReason}</BlockReason>
          <Composer pair={pair} isOff={blockReason !== null} onSent={toEnd} />
        </>
      ) : (
        <Suspense>
          <FilingBar
            chosen={filing.chosen}
            all={filing.all}
            proposed={props.matter}
            caseField={caseField}
            onChoose={filing.chooseAll}
            onClose={filing.end}
          />
        </Suspense>
      )}
    </section>
  );
}

/** The texts that are chosen to be filed; null while none are being chosen. */
function useFiling(messages: readonly TextMessage[] | null) {
  const [choice, setChoice] = useState<Choice | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const all = useMemo(() => (messages ?? []).map(({ id }) => id), [messages]);
  const end = () => {
    setChoice(null);
    button.current?.focus();
  };
  const choose = useCallback(
    (id: string, isRange: boolean) =>
      setChoice((before) => before && afterPress(before, id, isRange ? all : undefined)),
    [all],
  );
  useDocumentKey((event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) end();
  }, choice !== null);
  return {
    button,
    all,
    chosen: choice?.ids ?? null,
    begin: () => setChoice(nothingChosen),
    end,
    choose,
    chooseAll: (ids: readonly string[]) => setChoice({ ids: new Set(ids), last: null }),
  };
}

function BlockReason({ children }: { children: ReactNode }) {
  if (children === null) return null;
  return (
    <p
      role="status"
      className="border-t border-line bg-amber-soft px-4 py-2 text-sm text-amber sm:px-6"
    >
      {children}
    </p>
  );
}
