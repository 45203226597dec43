import { fullMoment } from '../../../core/words.ts';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import type { TrayPage } from '../slice.ts';

interface ProblemsDialogProps {
  problems: TrayPage['problems'];
  onClose: () => void;
}

/** Files of the scanner that could not be taken, each with its reason. */
export function ProblemsDialog({ problems, onClose }: ProblemsDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Scanned files that can’t be read"
      subtitle="They stay in the scanner’s folder."
      size="small"
      footer={<DialogClose />}
    >
      <ul className="grid gap-3">
        {problems.map(({ name, reason, at }) => (
          <li key={name}>
            <bdi className="block font-medium wrap-anywhere">{name}</bdi>
            <span className="block text-sm text-ink-2">{reason}</span>
            <time dateTime={at} className="block text-xs text-ink-3">
              {fullMoment(at)}
            </time>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
