import { openStages, type Intake } from '@matterdesk/contract/intakes.ts';
import { lazy, Suspense, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { CaseDialog } from '../../../core/case-source.ts';
import type { ContactField } from '../../../core/contact-field.ts';
import type { IntakeCheck } from '../../../core/intake-check.ts';
import type { MatterAccess } from '../../../core/matter-access.ts';
import { paths } from '../../../core/paths.ts';
import { useAppSelector } from '../../../core/store.ts';
import { succeeds, useAttempt } from '../../../core/use-attempt.ts';
import { Button } from '../../../ui/Button.tsx';
import { buttonClass } from '../../../ui/button-class.ts';
import { changeIntake, acceptIntake, readProposal } from '../api.ts';
import { reasonAgainst } from '../rules.ts';
import type { Proposal } from '@matterdesk/contract/intake-accepting.ts';

const DeclineDialog = lazy(async () => ({
  default: (await import('./DeclineDialog.tsx')).DeclineDialog,
}));

/** Components of other features, passed by the page. */
export interface IntakeParts {
  caseDialog: CaseDialog;
  contactField: ContactField;
  accessDialog: MatterAccess;
  conflictCheck: IntakeCheck;
}

interface IntakeFootProps {
  intake: Intake;
  parts: IntakeParts;
  /** Leads to the conflict check, which has to be concluded first. */
  onNeedsCheck: () => void;
}

/** Ways to close an intake: decline, refer, or open a matter. */
export function IntakeFoot({ intake, parts, onNeedsCheck }: IntakeFootProps) {
  const canOpen = useAppSelector(({ user }) => user.current?.permissions.createCases === true);
  const reason = reasonAgainst(intake, canOpen);
  const [ending, setEnding] = useState<'decline' | 'refer' | null>(null);
  const { id, stage, caseId, erasedAt } = intake;
  const isOpen = openStages.some((open) => open === stage);
  const reopen = () => succeeds(changeIntake({ params: { id }, body: { stage: 'contacted' } }));
  if (erasedAt !== undefined) return null;
  return (
    <footer className="flex items-center gap-2 border-t border-line px-6 py-3.5">
      {isOpen && (
        <>
          <Button onClick={() => setEnding('decline')}>Decline</Button>
          <Button onClick={() => setEnding('refer')}>Refer</Button>
        </>
      )}
      {isOpen && reason === null && <AcceptIntake intake={intake} caseDialog={parts.caseDialog} />}
      {isOpen && reason !== null && (
        <>
          {intake.check?.outcome ? (
            <span className="ml-auto text-note text-ink-2">{reason}</span>
          ) : (
            <button type="button" className="link ml-auto text-note" onClick={onNeedsCheck}>
              {reason}
            </button>
          )}
          <Button disabled>Make matter</Button>
        </>
      )}
      {!isOpen && caseId !== null && (
        <Link to={paths.caseDetails(caseId)} className={buttonClass()}>
          Open the matter
        </Link>
      )}
      {!isOpen && caseId === null && <Button onClick={() => void reopen()}>Reopen</Button>}
      {ending && (
        <Suspense fallback={null}>
          <DeclineDialog
            intake={intake}
            isReferral={ending === 'refer'}
            contactField={parts.contactField}
            onClose={() => setEnding(null)}
          />
        </Suspense>
      )}
    </footer>
  );
}

interface AcceptIntakeProps {
  intake: Intake;
  caseDialog: CaseDialog;
}

/** 'Make matter' opens 'Add New Case' with what the intake says; accepting leads to the matter. */
function AcceptIntake({ intake, caseDialog: NewCase }: AcceptIntakeProps) {
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
            open: (body, idempotencyKey) => acceptIntake({ params: { id }, body, idempotencyKey }),
          }}
          onClose={() => setKnown(null)}
          onOpened={(opened) => void navigate(paths.caseDetails(opened.id))}
        />
      )}
    </>
  );
}
