// The mailbox: reading, writing and filing email.

import Mail from 'lucide-react/icons/mail';
import { lazy, Suspense } from 'react';
import type { MailDetail } from '@matterdesk/contract/mails.ts';
import { ContactLinkContext } from '../../core/contact-link.ts';
import { IntakesContext } from '../../core/make-intake.ts';
import { useAppSelector } from '../../core/store.ts';
import { useIntegrations } from '../../core/use-integrations.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { CaseDropdown } from '../cases/components/CaseDropdown.tsx';
import { makeIntake } from '../intakes/api.making.ts';
import { MadeIntake } from '../intakes/components/MadeIntake.tsx';
import { ConnectGoogle } from './components/ConnectGoogle.tsx';
import { Mailbox } from './components/Mailbox.tsx';
import { useGoogleReturn } from './components/use-google-return.ts';

const MailCalendar = lazy(async () => ({
  default: (await import('../calendar/components/MailCalendar.tsx')).MailCalendar,
}));

function CalendarOfMail(props: { mail: MailDetail; onTaken: () => void }) {
  return <MailCalendar {...props} caseField={CaseDropdown} />;
}

const ContactLink = lazy(async () => ({
  default: (await import('../contacts/components/ContactLink.tsx')).ContactLink,
}));

const intakes = { make: makeIntake, Made: MadeIntake };

const contactLinkOf = (address: string) => (
  <Suspense>
    <ContactLink address={address} />
  </Suspense>
);

/** The mailbox of the user's connected Google account. */
export function EmailsPage() {
  const isConnected = useAppSelector(({ user }) => user.current?.googleRefreshToken != null);
  const integrations = useIntegrations();
  useGoogleReturn(isConnected);
  const missingSetup = integrations?.google ?? null;
  if (missingSetup !== null) {
    return (
      <>
        <PageHeader title="Emails" />
        <EmptyState icon={Mail} title={missingSetup} />
      </>
    );
  }
  if (isConnected) {
    return (
      <ContactLinkContext value={contactLinkOf}>
        <IntakesContext value={intakes}>
          <title>Emails · Matterdesk</title>
          <h1 className="sr-only">Emails</h1>
          <Mailbox caseField={CaseDropdown} calendar={CalendarOfMail} />
        </IntakesContext>
      </ContactLinkContext>
    );
  }
  // Offer the button only when connecting is known to be possible.
  return integrations ? <ConnectGoogle /> : <PageHeader title="Emails" />;
}
