import { lazy, Suspense, useState } from 'react';
import { useAppDispatch } from '../../../app/store.ts';
import { disconnect } from '../api.ts';

// Loaded when it asks, since dialogs are heavy.
const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../ui/ConfirmDialog.tsx')).ConfirmDialog,
}));

interface DisconnectDialogProps {
  email: string;
  onClose: () => void;
}

/** Asks before access to the mailbox is given up. */
export function DisconnectDialog({ email, onClose }: DisconnectDialogProps) {
  const dispatch = useAppDispatch();
  const [isBusy, setIsBusy] = useState(false);
  const handleConfirm = async () => {
    setIsBusy(true);
    try {
      await dispatch(disconnect());
    } catch {
      // The call has said what went wrong.
      setIsBusy(false);
      onClose();
    }
  };
  if (!open) return null;
  return (
    <Suspense>
      <ConfirmDialog
        open
        title="Disconnect Google?"
        confirmLabel="Disconnect"
        busy={isBusy}
        onClose={onClose}
        onConfirm={() => void handleConfirm()}
      >
        Matterdesk forgets its access to {email} at once. All mail stays at Google, and what was
        filed to a case stays there.
      </ConfirmDialog>
    </Suspense>
  );
}
