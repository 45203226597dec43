import { useState } from 'react';
import type { User } from '@matterdesk/contract/accounts.ts';
import { CallError } from '../../../api.ts';
import { fullName } from '../../../core/full-name.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { OneTimeLink } from '../../../ui/OneTimeLink.tsx';
import { createResetLink } from '../api.access.ts';
import { removeSecondFactor } from '../api.factors.ts';

interface ResetPasswordProps {
  person: User;
  /** Admins also remove a second factor. */
  isByAdmin: boolean;
  onClose: () => void;
}

/** Makes a link with which a user sets a new password. */
export function ResetPassword({ person, isByAdmin, onClose }: ResetPasswordProps) {
  const [url, setUrl] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const create = async () => {
    setIsBusy(true);
    try {
      setUrl((await createResetLink({ params: { id: person.id } })).url);
    } catch (error) {
      if (error instanceof CallError) setRefusal(error.message);
    }
    setIsBusy(false);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Reset password of ${fullName(person)}`}
      subtitle={person.email}
      size="small"
      footer={
        <>
          <DialogClose />
          {url === undefined && (
            <Button variant="primary" busy={isBusy} onClick={() => void create()}>
              Create link
            </Button>
          )}
        </>
      }
    >
      {url === undefined ? (
        <p>
          You get a link to hand over. It works once, within a day. Setting the new password signs{' '}
          {person.firstName} out everywhere and closes restricted matters to {person.firstName}{' '}
          until someone with access lets them in again. {person.firstName} and all admins are
          notified.
        </p>
      ) : (
        <OneTimeLink url={url} hint="Shown once. It works for a day." />
      )}
      {refusal !== undefined && (
        <p role="alert" className="mt-3 text-red">
          {refusal}
        </p>
      )}
      {isByAdmin && <RemoveSecondFactor person={person} />}
    </Dialog>
  );
}

/** For a user who lost the telephone: the password alone opens the account until a new one is set up. */
function RemoveSecondFactor({ person }: { person: User }) {
  const [isDone, setIsDone] = useState(false);
  const { isBusy, attempt } = useAttempt();
  const params = { id: person.id };
  const remove = async () => setIsDone(await attempt(params, () => removeSecondFactor({ params })));
  return (
    <section className="mt-5 border-t border-line pt-4">
      <h3 className="font-semibold">Lost their phone?</h3>
      <p className="mt-1 text-ink-2">
        {isDone
          ? `${person.firstName} has no second factor now.`
          : `Removes the authenticator app, the passkeys and the recovery codes. Until ${person.firstName} sets up a new one, the password alone is enough.`}
      </p>
      {!isDone && (
        <Button className="mt-3" busy={isBusy} onClick={() => void remove()}>
          Remove second factor
        </Button>
      )}
    </section>
  );
}
