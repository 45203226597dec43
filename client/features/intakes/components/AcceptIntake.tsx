import type { Proposal } from '@matterdesk/contract/intake-accepting.ts';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { CaseDialog } from '../../../core/case-source.ts';
import { paths } from '../../../core/paths.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { Button } from '../../../ui/Button.tsx';
import { acceptIntake, readProposal } from '../api.ts';

interface AcceptIntakeProps {
  intake: Intake;
  caseDialog: CaseDialog;
}

/** 'Make matter' opens 'Add New Case' with what the intake says; accepting leads to the matter. */
export function AcceptIntake({ intake, caseDialog: NewCase }: AcceptIntakeProps) {
  const navigate = useNavigate();
  const [known, setKnown] = useState<Proposal | null>(null);
  const { isBusy, attempt } = useAttempt();
  const { id, number } = intake;
  const start = () => attempt(null, async () => setKnown((await readProposal(id)).case));
  return (
    <>
      <Button
        variant={intake.firstResponseAt === null ? 'default' : 'primary'}
        className="ml-auto"
        busy={isBusy}
        onClick={() => void start()}
      >
        Make matter
      </Button>
      {known && (
        <NewCase
          source={{
            title: `Intake ${number}`,
            intakeId: id,
            known,
            open: (body, key) => acceptIntake(id, body, key),
          }}
          onClose={() => setKnown(null)}
          onOpened={(opened) => void navigate(paths.caseDetails(opened.id))}
        />
      )}
    </>
  );
}
