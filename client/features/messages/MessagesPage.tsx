// Text messages: conversations and numbers.

import ChevronDown from 'lucide-react/icons/chevron-down';
import CircleCheck from 'lucide-react/icons/circle-check';
import MessageCircle from 'lucide-react/icons/message-circle';
import PanelRight from 'lucide-react/icons/panel-right';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import X from 'lucide-react/icons/x';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import { useSearchParams } from 'react-router';
import type { Conversation, RegistrationState } from '@matterdesk/contract/messages.ts';
import { sentenceForReader } from '../../core/administrator.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { MissingSetup, useIntegrations } from '../../core/MissingSetup.tsx';
import { currentUserReplaced } from '../../core/people.ts';
import { ContactLinkContext, IntakesContext } from '../../core/slots.ts';
import { useAppDispatch, useAppSelector } from '../../core/store.ts';
import { saveToTab, readFromTab } from '../../core/tab-storage.ts';
import { useResource } from '../../core/use-resource.ts';
import { IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useAfterPress } from '../../ui/use-after-press.ts';
import { CaseDropdown } from '../cases/components/CaseDropdown.tsx';
import { useMatter } from '../cases/hooks/use-case-options.ts';
import { hasAddress } from '../contacts/rules.ts';
import { contactSearch } from '../contacts/slice.ts';
import { makeIntake, IntakeFinder } from '../intakes/components/IntakeFinder.tsx';
import { ownNumber } from './api.ts';
import { Messenger } from './components/Messenger.tsx';
import { isPhone, numberInWords } from './rules.ts';
import { withoutTexts, contactNamed, selectContacts } from './slice.ts';

const ContactLink = lazyNamed(
  () => import('../contacts/components/ContactLink.tsx'),
  'ContactLink',
);

const UploadAnything = lazyNamed(
  () => import('../files/components/UploadAnything.tsx'),
  'UploadAnything',
);
const TodayCalendar = lazyNamed(
  () => import('../calendar/components/TodayCalendar.tsx'),
  'TodayCalendar',
);

// Needed once, before a user has a number.
const EnableMessaging = lazyNamed(
  () => import('./components/EnableMessaging.tsx'),
  'EnableMessaging',
);

const NameHints = lazyNamed(() => import('../contacts/components/NameHints.tsx'), 'NameHints');

const intakes = { make: makeIntake, Finder: IntakeFinder };

const contactLinkOf = (address: string) => <ContactLink address={address} />;

/** Text messages, next to a drop zone for files and today's calendar. */
export function MessagesPage() {
  const dispatch = useAppDispatch();
  const current = useAppSelector((state) => state.user.current);
  const own = current?.twilioConfig.twilioPhoneNumber ?? null;
  const integrations = useIntegrations();
  const missingSetup = integrations?.twilio ?? null;
  const { contacts, contact, choose } = useContact();
  useKnownName(contact, useNameOf(contact));
  const { matter } = useMatter(contact?.caseId ?? null);
  const [isAsideOpen, setIsAsideOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const toggle = (
    <AsideToggle ref={button} isOpen={isAsideOpen} onToggle={() => setIsAsideOpen(!isAsideOpen)} />
  );
  return (
    <div className="relative flex h-full">
      {own === null ? (
        <div className="min-w-0 grow overflow-y-auto">
          <PageHeader title="Messages" actions={toggle} />
          {missingSetup !== null && (
            <MissingSetup
              icon={MessageCircle}
              sentence={missingSetup}
              title="Texting isn’t set up yet"
              guide="twilio"
              link="How to set up texting"
            >
              Connect the firm’s Twilio account with its two keys. Then each user picks a number
              here.
            </MissingSetup>
          )}
          {missingSetup === null && integrations && (
            <EnableMessaging
              email={current?.email ?? ''}
              onBought={(bought) => dispatch(currentUserReplaced(bought))}
            />
          )}
        </div>
      ) : (
        <ContactLinkContext value={contactLinkOf}>
          <IntakesContext value={intakes}>
            <Messenger
              own={own}
              missingSetup={missingSetup}
              contacts={contacts}
              contact={contact}
              onChoose={choose}
              matter={matter}
              caseField={CaseDropdown}
              contactHints={NameHints}
            >
              <Heading>{toggle}</Heading>
              <OwnNumber number={own} />
            </Messenger>
          </IntakesContext>
        </ContactLinkContext>
      )}
      <MessagesAside
        isOpen={isAsideOpen}
        onClose={() => {
          setIsAsideOpen(false);
          button.current?.focus();
        }}
      >
        <UploadAnything
          place={contact?.phoneNumber ?? ''}
          proposed={matter}
          caseField={CaseDropdown}
          fallback={<div className="h-40" />}
        />
        <hr className="my-5 border-line" />
        <TodayCalendar />
      </MessagesAside>
    </div>
  );
}

function Heading({ children }: { children: React.ReactNode }) {
  return (
    <div className="flex items-center justify-between">
      <title>Messages · Matterdesk</title>
      <h1 className="font-serif text-subtitle font-strong">Messages</h1>
      {children}
    </div>
  );
}

/** The name in the contacts of someone without a conversation. */
function useNameOf(contact: Conversation | null): string | undefined {
  const isUnknown = contact?.name === null && contact.lastMessage === null;
  const number = isUnknown ? contact.phoneNumber : null;
  const { data } = useResource(contactSearch, number);
  return number === null
    ? undefined
    : data?.contacts.find((each) => hasAddress(each, number))?.name;
}

/** Keeps the name of a contact who has no conversation yet, from which the server would have it. */
function useKnownName(contact: Conversation | null, name: string | undefined) {
  const dispatch = useAppDispatch();
  const number = contact?.phoneNumber;
  const isNew = contact?.name === null;
  useEffect(() => {
    if (isNew && number !== undefined && name !== undefined)
      dispatch(contactNamed({ number, name }));
  }, [dispatch, isNew, number, name]);
}

/** The contacts, and the contact named in the URL. */
function useContact() {
  const [params, setParams] = useSearchParams();
  const chosen = params.get('with');
  const contacts = useAppSelector((state) => selectContacts(state.messages));
  const names = useAppSelector((state) => state.messages.names);
  const choose = useCallback(
    (number: string | null) =>
      setParams(
        (before) =>
          number === null ? {} : before.get('with') === number ? before : { with: number },
        // Words typed right after a click are for the person who was clicked.
        { flushSync: true },
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

interface AsideToggleProps {
  ref: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onToggle: () => void;
}

const NAME = 'Files and today';

/** Toggles the right column on screens too narrow to show it always. */
function AsideToggle({ ref, isOpen, onToggle }: AsideToggleProps) {
  return (
    <IconButton
      ref={ref}
      label={NAME}
      icon={PanelRight}
      variant="quiet"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="xl:hidden"
    />
  );
}

interface MessagesAsideProps {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The right column; on narrow screens it covers the page while open. */
function MessagesAside({ isOpen, onClose, children }: MessagesAsideProps) {
  const column = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) column.current?.querySelector('button')?.focus();
  }, [isOpen]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it handles Escape for its content
    <aside
      ref={column}
      aria-label={NAME}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen && !event.defaultPrevented) onClose();
      }}
      className={cx(
        'w-66 flex-none overflow-y-auto border-l border-line px-5 py-5',
        isOpen
          ? 'z-10 max-xl:absolute max-xl:inset-y-0 max-xl:right-0 max-xl:w-80 max-xl:animate-appear max-xl:bg-paper max-xl:shadow-float max-sm:w-full max-sm:border-0'
          : 'max-xl:hidden',
      )}
    >
      <div className="mb-3 flex items-center justify-between xl:hidden">
        <p className="font-serif text-subtitle font-strong">{NAME}</p>
        <IconButton label={`Close ${NAME}`} icon={X} variant="quiet" onClick={onClose} />
      </div>
      {children}
    </aside>
  );
}

const words: Record<RegistrationState, string> = {
  registered: 'Registered',
  inReview: 'Registration in review',
  rejected: 'Registration rejected',
  missing: 'Not registered',
};

/** The user's number, its registration state, and why its texts may not arrive yet. */
function OwnNumber({ number }: { number: string }) {
  const { data } = useResource(ownNumber, number);
  const { registration = null, notice = null } = useHeldWhilePressed(data) ?? {};
  const isAdmin = useAppSelector((state) => state.user.current?.role === 'admin');
  return (
    <div className="text-note text-ink-2">
      <p className="flex flex-wrap items-center gap-x-1.5">
        Your number{' '}
        <span className="font-medium text-ink tabular-nums">{numberInWords(number)}</span>
        {registration === 'registered' && (
          <span
            title="Carriers in the US deliver texts from this number"
            className="inline-flex items-center gap-1 text-green"
          >
            <CircleCheck className="size-3.5!" />
            {words.registered}
          </span>
        )}
      </p>
      {notice !== null && (
        <Notice
          isBad={registration === 'rejected' || registration === 'missing'}
          title={
            registration === null || registration === 'registered'
              ? 'Texts may not arrive yet'
              : words[registration]
          }
        >
          {sentenceForReader(notice, isAdmin)}
        </Notice>
      )}
    </div>
  );
}

/** The value, but what it was while a pointer is down: what it makes room for would move what is pressed. */
function useHeldWhilePressed<T>(value: T): T {
  const [held, setHeld] = useState(value);
  const afterPress = useRef(useAfterPress());
  useLayoutEffect(() => afterPress.current(() => setHeld(() => value)), [value]);
  return held;
}

const KEPT_AS = 'number-notice';
const FOLDED = 'folded';

interface NoticeProps {
  title: string;
  /** Whether texts in the US are blocked until someone acts. */
  isBad: boolean;
  children: string;
}

/** A notice that stays open until the user collapses it. */
function Notice({ title, isBad, children }: NoticeProps) {
  const [isOpen] = useState(() => readFromTab(KEPT_AS) !== FOLDED);
  return (
    <details
      open={isOpen}
      onToggle={(event) => saveToTab(KEPT_AS, event.currentTarget.open ? 'open' : FOLDED)}
      className={cx(
        'group mt-1.5 rounded-small px-2 py-1.5',
        isBad ? 'bg-red-soft text-red' : 'bg-amber-soft text-amber',
      )}
    >
      <summary className="flex cursor-pointer list-none items-center gap-1.5 font-medium">
        <TriangleAlert className="size-3.5!" />
        {title}
        <ChevronDown className="ml-auto size-3.5! transition-transform group-open:rotate-180" />
      </summary>
      <p className="mt-1">{children}</p>
    </details>
  );
}
