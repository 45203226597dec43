import { useAttempt } from '../../../core/use-attempt.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { disconnect } from '../api.ts';

interface DisconnectDialogProps {
  email: string;
  onClose: () => void;
}

/** Confirms disconnecting the mailbox. Load it lazily, since dialogs are heavy. */
export function DisconnectDialog({ email, onClose }: DisconnectDialogProps) {
  const { isBusy, attempt } = useAttempt();
  const handleConfirm = async () => {
    if (!(await attempt(email, disconnect))) onClose();
  };
  return (
    <ConfirmDialog
      open
      title="Disconnect Google?"
      confirmLabel="Disconnect"
      busy={isBusy}
      onClose={onClose}
      onConfirm={() => void handleConfirm()}
    >
      Matterdesk loses access to {email} right away. Your mail stays in Gmail, and emails filed to a
      case stay there.
    </ConfirmDialog>
  );
}
