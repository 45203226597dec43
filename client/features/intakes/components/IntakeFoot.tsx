import { openStages, type Intake } from '@matterdesk/contract/intakes.ts';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { CallError } from '../../../api.ts';
import { paths } from '../../../core/paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { buttonClass } from '../../../ui/button-class.ts';
import { changeIntake } from '../api.ts';

const DeclineDialog = lazy(async () => ({
  default: (await import('./DeclineDialog.tsx')).DeclineDialog,
}));

/** How an intake ends: declined, or as a matter. */
export function IntakeFoot({ intake }: { intake: Intake }) {
  const [isDeclining, setIsDeclining] = useState(false);
  const { id, stage, caseId, erasedAt } = intake;
  const isOpen = openStages.some((open) => open === stage);
  const reopen = async () => {
    await changeIntake(id, { stage: 'contacted' }).catch((error: unknown) => {
      // Its toast says why.
      if (!(error instanceof CallError)) throw error;
    });
  };
  if (erasedAt !== undefined) return null;
  return (
    <footer className="flex items-center gap-2 border-t border-line px-6 py-3.5">
      {isOpen && <Button onClick={() => setIsDeclining(true)}>Decline</Button>}
      {isOpen && (
        <>
          <span className="ml-auto text-note text-ink-2">Finish the check first</span>
          <Button disabled>Make matter</Button>
        </>
      )}
      {!isOpen && caseId !== null && (
        <Link to={paths.caseDetails(caseId)} className={buttonClass()}>
          Open the matter
        </Link>
      )}
      {!isOpen && caseId === null && <Button onClick={() => void reopen()}>Reopen</Button>}
      {isDeclining && (
        <Suspense fallback={null}>
          <DeclineDialog intake={intake} onClose={() => setIsDeclining(false)} />
        </Suspense>
      )}
    </footer>
  );
}
