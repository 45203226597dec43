import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { Composer, Question } from '../hooks/use-composer.ts';

const QUESTIONS = {
  close: {
    title: 'Discard what you typed?',
    hint: 'Some changes aren’t saved to Google yet.',
    label: 'Discard',
    tone: 'danger',
  },
  unattached: {
    title: 'Send without an attachment?',
    hint: 'You mention an attachment, but none is attached.',
    label: 'Send anyway',
    tone: 'primary',
  },
} as const;

/** Confirms losing unsaved text, or sending without a mentioned attachment. Load it lazily, since dialogs are heavy. */
export function ComposeQuestion({
  composer,
  question,
}: {
  composer: Composer;
  question: Question;
}) {
  const { ask, leave, send } = composer;
  const { title, hint, label, tone } = QUESTIONS[question];
  const handleConfirm = () => {
    ask(null);
    if (question === 'close') leave();
    else void send({ isSure: true });
  };
  return (
    <ConfirmDialog
      open
      title={title}
      confirmLabel={label}
      cancelLabel="Keep editing"
      tone={tone}
      onClose={() => ask(null)}
      onConfirm={handleConfirm}
    >
      {hint}
    </ConfirmDialog>
  );
}
