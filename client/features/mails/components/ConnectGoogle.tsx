import CircleAlert from 'lucide-react/icons/circle-alert';
import Mail from 'lucide-react/icons/mail';
import { useState } from 'react';
import { errorCodes } from '@matterdesk/contract/errors.ts';
import { useAppSelector } from '../../../core/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { startConnecting } from '../api.ts';

/** A button to connect Google, with the reason if an earlier connection ended or failed. */
export function ConnectGoogle() {
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
