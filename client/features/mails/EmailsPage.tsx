// The mailbox: reading, writing and filing email.

import CircleAlert from 'lucide-react/icons/circle-alert';
import Mail from 'lucide-react/icons/mail';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { errorCodes } from '@matterdesk/contract/errors.ts';
import type { MailDetail } from '@matterdesk/contract/mails.ts';
import { lazyComponent, lazyNamed } from '../../core/chunks.ts';
import { MissingSetup, useIntegrations } from '../../core/MissingSetup.tsx';
import { ContactLinkContext, IntakesContext } from '../../core/slots.ts';
import { useAppSelector, useAppDispatch } from '../../core/store.ts';
import { saveToTab, readFromTab } from '../../core/tab-storage.ts';
import { useResource } from '../../core/use-resource.ts';
import { Button } from '../../ui/Button.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { makeIntake, IntakeFinder } from '../intakes/components/IntakeFinder.tsx';
import { finishConnecting, startConnecting } from './api.ts';
import type { PickProps } from './components/ComposePanel.tsx';
import { Mailbox } from './components/Mailbox.tsx';
import { connectionChanged } from './slice.ts';

const CaseDropdown = lazyNamed(
  () => import('../cases/components/CaseDropdown.tsx'),
  'CaseDropdown',
);

const MailCalendar = lazyNamed(
  () => import('../calendar/components/MailCalendar.tsx'),
  'MailCalendar',
);

function CalendarOfMail(props: { mail: MailDetail; onTaken: () => void }) {
  return <MailCalendar {...props} caseField={CaseDropdown} />;
}

const CaseLibraryPicker = lazyComponent(async () => {
  const [{ LibraryPicker }, { caseLibrary }] = await Promise.all([
    import('./components/LibraryPicker.tsx'),
    import('../files/api.ts'),
  ]);
  return function Picking(props: PickProps) {
    const [matter, setMatter] = useState(props.matter);
    const library = useResource(caseLibrary, matter?.id ?? null);
    return <LibraryPicker {...props} matter={matter} library={library} onMatter={setMatter} />;
  };
});

const ContactLink = lazyNamed(
  () => import('../contacts/components/ContactLink.tsx'),
  'ContactLink',
);

const intakes = { make: makeIntake, Finder: IntakeFinder };

const contactLinkOf = (address: string) => <ContactLink address={address} />;

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
        <MissingSetup
          icon={Mail}
          sentence={missingSetup}
          title="Email isn’t set up yet"
          guide="google"
          link="How to set up email"
        >
          Connect Google, so that everyone reads, answers and files their email here. It takes an
          administrator of the firm’s Google Workspace about fifteen minutes.
        </MissingSetup>
      </>
    );
  }
  if (isConnected) {
    return (
      <ContactLinkContext value={contactLinkOf}>
        <IntakesContext value={intakes}>
          <title>Emails · Matterdesk</title>
          <h1 className="sr-only">Emails</h1>
          <Mailbox caseField={CaseDropdown} calendar={CalendarOfMail} library={CaseLibraryPicker} />
        </IntakesContext>
      </ContactLinkContext>
    );
  }
  // Offer the button only when connecting is known to be possible.
  return integrations ? <ConnectGoogle /> : <PageHeader title="Emails" />;
}

const REFUSED =
  'Google isn’t connected because you didn’t grant access. Connect Google again and allow it.';
const FAILED = 'Google couldn’t connect the mailbox. Connect Google again.';
const INCOMPLETE = 'Google’s reply was incomplete. Please connect Google again.';
const KEPT = 'google-return';

/**
 * Handles the return from Google, with `code` and `state`, or `error`, in the URL. A code is used only
 * once, even if the page is rendered twice, reloaded, or returned to.
 */
function useGoogleReturn(isConnected: boolean): void {
  const dispatch = useAppDispatch();
  const [params, setParams] = useSearchParams();
  useEffect(() => {
    const [code, state, error] = ['code', 'state', 'error'].map((name) => params.get(name));
    if (code == null && error == null) return;
    const mark = code ?? `${error} ${state}`;
    setParams({}, { replace: true });
    if (readFromTab(KEPT) === mark) return;
    saveToTab(KEPT, mark);
    if (isConnected) return;
    if (error != null)
      dispatch(connectionChanged({ notice: error === 'access_denied' ? REFUSED : FAILED }));
    else if (code && state) void finishConnecting({ code, state });
    else dispatch(connectionChanged({ notice: INCOMPLETE }));
  }, [params, setParams, dispatch, isConnected]);
}

/** A button to connect Google, with the reason if an earlier connection ended or failed. */
function ConnectGoogle() {
  const notice = useAppSelector(
    ({ mails }) => mails.notice ?? (mails.isLost ? errorCodes.googleGrantLost.message : null),
  );
  const isConnecting = useAppSelector(({ mails }) => mails.isConnecting);
  const [isLeaving, setIsLeaving] = useState(false);
  const handleClick = () => {
    setIsLeaving(true);
    // The call shows its own error; success leaves the page.
    startConnecting().catch(() => setIsLeaving(false));
  };
  return (
    <>
      <PageHeader title="Emails" />
      <div className="mx-auto flex max-w-sm flex-col items-center gap-4 px-4 py-16 text-center">
        {isConnecting ? (
          <p role="status" className="flex items-center gap-2 text-ink-2">
            <Spinner /> Connecting Google
          </p>
        ) : (
          <>
            {notice !== null && (
              <p
                role="status"
                className="flex gap-2 rounded-card bg-amber-soft px-3 py-2 text-left text-amber"
              >
                <CircleAlert className="mt-0.5" /> {notice}
              </p>
            )}
            <Button
              variant="primary"
              size="large"
              icon={Mail}
              busy={isLeaving}
              onClick={handleClick}
            >
              Connect Google
            </Button>
          </>
        )}
      </div>
    </>
  );
}
