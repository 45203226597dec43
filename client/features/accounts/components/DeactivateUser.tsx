import { useState } from 'react';
import type { User } from '@matterdesk/contract/accounts.ts';
import { CallError } from '../../../api.ts';
import { fullName } from '../../../core/full-name.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { deactivateUser } from '../api.ts';

interface DeactivateUserProps {
  person: User;
  isMe: boolean;
  onClose: () => void;
  onChanged: (person: User) => void;
}

/** Asks before deactivating a user, and explains the consequences. */
export function DeactivateUser({ person, isMe, onClose, onChanged }: DeactivateUserProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const handleConfirm = async () => {
    setIsBusy(true);
    try {
      await deactivateUser({ params: { id: person.id } });
      onChanged({ ...person, active: false });
    } catch (error) {
      setIsBusy(false);
      if (error instanceof CallError) setRefusal(error.message);
    }
  };
  return (
    <ConfirmDialog
      open
      title={`Deactivate ${fullName(person)}?`}
      confirmLabel="Deactivate"
      busy={isBusy}
      onClose={onClose}
      onConfirm={() => void handleConfirm()}
    >
      {isMe
        ? 'This is your own account. You are signed out of every tab right away and can’t sign in again until an admin reactivates your account.'
        : `${person.firstName} is signed out right away and can’t sign in again until an admin reactivates the account.`}{' '}
      Their past work stays.
      {refusal !== undefined && (
        <span role="alert" className="mt-3 block text-red">
          {refusal}
        </span>
      )}
    </ConfirmDialog>
  );
}
