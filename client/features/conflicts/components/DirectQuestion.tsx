import type { Hit } from '@matterdesk/contract/conflicts.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { placeInWords } from '../rules.ts';

interface DirectQuestionProps {
  hit: Hit;
  /** The name that matches it. */
  asked: string;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks once more before a direct hit is cleared. */
export function DirectQuestion({ hit, asked, onClose, onConfirm }: DirectQuestionProps) {
  return (
    <ConfirmDialog
      open
      title="Clear a direct hit?"
      confirmLabel="No conflict"
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {`${asked} matches ${placeInWords(hit, asked)}. Clearing it records your name and reason.`}
    </ConfirmDialog>
  );
}
