import MessageCircle from 'lucide-react/icons/message-circle';
import Send from 'lucide-react/icons/send';
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import {
  type Conversation as Contact,
  MESSAGE_LENGTH_MAX,
  messageRoutes,
  NewTextSchema,
  type TextMessage,
} from '@matterdesk/contract/messages.ts';
import { CallError } from '../../../api.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { keyOf } from '../../../core/resource.ts';
import type { CaseField, ContactHints } from '../../../core/slots.ts';
import { store, useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { keyedRequest, isAnswered as hasAnswered } from '../../../core/use-attempt.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import type { Option } from '../../../ui/option.ts';
import { TextArea } from '../../../ui/TextArea.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { useDocumentKey } from '../../../ui/use-document-key.ts';
import { consentOf, history, sendText, wordsOf } from '../api.ts';
import { toggleText, type TextSelection, emptySelection, blockReasonOf, sizeOf } from '../rules.ts';
import {
  contactAdded,
  contactForgotten,
  contactNamed,
  draftWritten,
  messageReceived,
  type Pair,
  sendingBegun,
  sendingEnded,
} from '../slice.ts';
import { Contacts } from './Contacts.tsx';
import { ConversationHeader } from './ConversationHeader.tsx';
import { useConversation, HistoryView } from './HistoryView.tsx';

const AddContact = lazyNamed(() => import('./AddContact.tsx'), 'AddContact');
const loadExport = () => import('./ExportDialog.tsx');
const ExportDialog = lazyNamed(loadExport, 'ExportDialog');
const FilingBar = lazyNamed(() => import('./FilingBar.tsx'), 'FilingBar');

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
  const filing = useTextSelection(history.messages);
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
        <FilingBar
          chosen={filing.chosen}
          all={filing.all}
          proposed={props.matter}
          caseField={caseField}
          onChoose={filing.chooseAll}
          onClose={filing.end}
        />
      )}
    </section>
  );
}

/** The texts that are chosen to be filed; null while none are being chosen. */
function useTextSelection(messages: readonly TextMessage[] | null) {
  const [choice, setChoice] = useState<TextSelection | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const all = useMemo(() => (messages ?? []).map(({ id }) => id), [messages]);
  const end = () => {
    setChoice(null);
    button.current?.focus();
  };
  const choose = useCallback(
    (id: string, isRange: boolean) =>
      setChoice((before) => before && toggleText(before, id, isRange ? all : undefined)),
    [all],
  );
  useDocumentKey((event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) end();
  }, choice !== null);
  return {
    button,
    all,
    chosen: choice?.ids ?? null,
    begin: () => setChoice(emptySelection),
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

const QuietHoursQuestion = lazyNamed(
  () => import('./QuietHoursQuestion.tsx'),
  'QuietHoursQuestion',
);

interface ComposerProps {
  pair: Pair;
  /** Whether sending is blocked; the reason is shown above. */
  isOff: boolean;
  onSent: () => void;
}

/** The input for a text. Unsent text is kept per contact. */
function Composer({ pair, isOff, onSent }: ComposerProps) {
  const dispatch = useAppDispatch();
  const text = useAppSelector((state) => state.messages.drafts[pair.to] ?? '');
  const { isBusy, send } = useSend(pair, onSent);
  const sizeId = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // On a touch screen, the keyboard would cover the conversation.
    if (matchMedia('(pointer: fine)').matches) input.current?.focus({ preventScroll: true });
  }, []);
  const quietHours = useQuietHours(pair.to, async () => {
    await send(text);
    input.current?.focus();
  });
  const submit = () => quietHours.submit(text);
  const handleKeyDown = (event: KeyboardEvent) => {
    // Enter may also confirm a character in an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!isBusy) void submit();
  };
  return (
    <div className="flex-none border-t border-line">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        className="flex flex-wrap items-end gap-2 px-4 py-3.5 sm:px-6"
      >
        <TextArea
          ref={input}
          rows={1}
          aria-label="Text message"
          aria-describedby={sizeId}
          placeholder="Text message"
          value={text}
          disabled={isOff}
          readOnly={isBusy}
          onChange={(event) =>
            dispatch(draftWritten({ number: pair.to, text: event.target.value }))
          }
          onKeyDown={handleKeyDown}
          className="field-sizing-content max-h-40 min-h-10 w-0! grow resize-none! py-[9px]!"
        />
        <MessageSize id={sizeId} text={text} />
        <Button
          type="submit"
          variant="primary"
          size="large"
          icon={Send}
          busy={isBusy}
          disabled={isOff}
        >
          Send
        </Button>
      </form>
      {quietHours.question !== null && (
        <QuietHoursQuestion
          words={quietHours.question}
          onClose={quietHours.drop}
          onConfirm={() => void quietHours.confirm()}
        />
      )}
    </div>
  );
}

function MessageSize({ id, text }: { id: string; text: string }) {
  const { units, capacity, segments } = sizeOf(text);
  const isTooLong = text.trim().length > MESSAGE_LENGTH_MAX;
  return (
    <p
      id={id}
      className={cx(
        'flex h-10 min-w-11 flex-none flex-col items-end justify-center text-sm tabular-nums',
        isTooLong ? 'text-red' : 'text-ink-2',
      )}
    >
      <span>
        <span aria-hidden="true">{`${units}/${capacity}`}</span>
        <span className="sr-only">{`${units} of ${capacity} characters`}</span>
      </span>
      {isTooLong ? (
        <span className="text-xs">Too long</span>
      ) : (
        segments > 1 && <span className="text-xs">{`${segments} segments`}</span>
      )}
    </p>
  );
}

/** Sends a text, but asks first at night: `question` says why, `confirm` sends and asks no more this night. */
function useQuietHours(number: string, send: () => Promise<void>) {
  const [question, setQuestion] = useState<string | null>(null);
  const submit = async (text: string) => {
    const words = text.trim() === '' ? null : await wordsNow(number);
    if (words === null) await send();
    else setQuestion(words);
  };
  const confirm = async () => {
    setQuestion(null);
    const { acceptQuietHours } = await load();
    acceptQuietHours(number, new Date());
    await send();
  };
  return { question, submit, confirm, drop: () => setQuestion(null) };
}

// With its table of time zones, which only a text that is written needs.
const load = () => import('../rules.quiet-hours.ts');

/** A table that could not be loaded keeps no text back. */
async function wordsNow(number: string): Promise<string | null> {
  const rules = await load().catch(() => null);
  return rules?.quietHoursWarning(number, new Date()) ?? null;
}

const FAILED = 'Error in sending message';

/**
 * Sends a text once per click: sending continues while another contact is open, and a retry after a lost
 * answer has the same key.
 */
function useSend(pair: Pair, onSent: () => void) {
  const dispatch = useAppDispatch();
  const number = pair.to;
  const isBusy = useAppSelector((state) => state.messages.attempts[number]?.isBusy === true);

  const send = async (text: string) => {
    // A second key press may arrive before the next render.
    const before = store.getState().messages.attempts[number];
    if (before?.isBusy === true) return;
    const read = NewTextSchema.safeParse({ ...pair, message: text });
    if (!read.success) {
      toast.error(read.error.issues[0]?.message ?? FAILED);
      return;
    }
    const { key } = keyedRequest(text, before);
    dispatch(sendingBegun({ number, text, key }));
    try {
      const { message } = await sendText(read.data, key);
      dispatch(messageReceived({ own: pair.from, message, isSeen: true }));
      dispatch(sendingEnded({ number, isAnswered: true, isTaken: true }));
      toast.success(messageRoutes.sendText.message);
      onSent();
    } catch (error) {
      toast.error(wordsOf(error instanceof CallError ? error : null, FAILED));
      const isAnswered = hasAnswered(error);
      // The history shows a rejected text with its reason, and a text that may have been sent.
      if (isAnswered) await dispatch(history.refresh(pair));
      const isTaken = isAnswered && isUnconfirmed(pair, read.data.message);
      dispatch(sendingEnded({ number, isAnswered, isTaken }));
    }
  };
  return { isBusy, send };
}

/** Whether the delivery of the latest text is still unknown, so that it must not be sent again. */
function isUnconfirmed(pair: Pair, body: string): boolean {
  const messages = store.getState().messages.histories[keyOf(pair)]?.data;
  const last = messages?.findLast((message) => message.from === pair.from);
  return last?.status === 'unknown' && last.body === body;
}
