import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';

interface QuietHoursQuestionProps {
  /** 'It’s 10:14 PM in New York, where this number is from.' */
  words: string;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before a text that may wake its recipient. Load it lazily, since dialogs are heavy. */
export function QuietHoursQuestion({ words, onClose, onConfirm }: QuietHoursQuestionProps) {
  return (
    <ConfirmDialog
      open
      title="Send this text now?"
      confirmLabel="Send now"
      cancelLabel="Keep editing"
      tone="primary"
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {words}
    </ConfirmDialog>
  );
}
