// Text messages: conversations and numbers.

import type { Conversation } from '@matterdesk/contract/messages.ts';
import MessageCircle from 'lucide-react/icons/message-circle';
import { lazy, Suspense, useRef, useState } from 'react';
import { ContactLinkContext } from '../../core/contact-link.ts';
import { currentUserReplaced } from '../../core/current-user.ts';
import { IntakesContext } from '../../core/make-intake.ts';
import { useAppDispatch, useAppSelector } from '../../core/store.ts';
import { UploadAnything } from '../files/components/UploadAnything.tsx';
import { useResource } from '../../core/use-resource.ts';
import { contactSearch } from '../contacts/api.lists.ts';
import { hasAddress } from '../contacts/rules.ts';
import { useIntegrations } from '../../core/use-integrations.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { CaseDropdown } from '../cases/components/CaseDropdown.tsx';
import { useMatter } from '../cases/components/use-matter.ts';
import { makeIntake } from '../intakes/api.making.ts';
import { MadeIntake } from '../intakes/components/MadeIntake.tsx';
import { AsideToggle, MessagesAside } from './components/MessagesAside.tsx';
import { Messenger } from './components/Messenger.tsx';
import { OwnNumber } from './components/OwnNumber.tsx';
import { useContact } from './components/use-contact.ts';
import { useKnownName } from './components/use-known-name.ts';

const ContactLink = lazy(async () => ({
  default: (await import('../contacts/components/ContactLink.tsx')).ContactLink,
}));

const TodayCalendar = lazy(async () => ({
  default: (await import('../calendar/components/TodayCalendar.tsx')).TodayCalendar,
}));

// Needed once, before a user has a number.
const EnableMessaging = lazy(async () => ({
  default: (await import('./components/EnableMessaging.tsx')).EnableMessaging,
}));

const NameHints = lazy(async () => ({
  default: (await import('../contacts/components/NameHints.tsx')).NameHints,
}));

const intakes = { make: makeIntake, Made: MadeIntake };

const contactLinkOf = (address: string) => (
  <Suspense>
    <ContactLink address={address} />
  </Suspense>
);

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
          {missingSetup !== null && <EmptyState icon={MessageCircle} title={missingSetup} />}
          {missingSetup === null && integrations && (
            <Suspense fallback={null}>
              <EnableMessaging
                email={current?.email ?? ''}
                onBought={(bought) => dispatch(currentUserReplaced(bought))}
              />
            </Suspense>
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
        <UploadAnything proposed={matter} caseField={CaseDropdown} />
        <hr className="my-5 border-line" />
        <Suspense>
          <TodayCalendar />
        </Suspense>
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
