import type { NumberOffer } from '@matterdesk/contract/messages.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { priceInWords } from '../rules.ts';

interface BuyQuestionProps {
  offer: NumberOffer;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before a number is bought. Load it lazily, since dialogs are heavy. */
export function BuyQuestion({ offer, onClose, onConfirm }: BuyQuestionProps) {
  const { friendlyName, monthlyPrice } = offer;
  return (
    <ConfirmDialog
      open
      title={`Buy ${friendlyName}?`}
      confirmLabel="Buy number"
      tone="primary"
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {monthlyPrice
        ? `Twilio charges your firm’s account ${priceInWords(monthlyPrice)}.`
        : 'Twilio charges your firm’s account for it each month.'}{' '}
      You can have one number.
    </ConfirmDialog>
  );
}
